/** Builds the page of the studio into a folder. */
export function buildWeb(outDir: string): Promise<void>
