/** How a document was made, so that it can be made again. */
export interface DocumentOrigin {
  /** The name of the table in the document. */
  readonly name: string
  /** Whether it shows which patterns tests ran. */
  readonly recording?: true | undefined
  /** The day of the sample that its sizes and counts are from. */
  readonly sample?: string | undefined
  /** The hash of the earlier schema that it shows the changes from. */
  readonly before?: string | undefined
  /** When it was made, if figures depend on it: open time ranges are counted until then. */
  readonly at?: string | undefined
}

const BEGIN = '<!-- Written by "singletable docs" from the schema: change that, not this file. '
const END = ' -->'

/** The first line of a document in Markdown. */
export function printOrigin({ name, recording, sample, before, at }: DocumentOrigin): string {
  // Angle brackets could end the comment.
  const text = JSON.stringify({ name, recording, sample, before, at })
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('>', String.raw`\u003e`)
  return BEGIN + text + END
}

/** Parses the first line; undefined if this command did not write the document. */
export function parseOrigin(document: string): DocumentOrigin | undefined {
  const [line = ''] = document.split(/\r?\n/, 1)
  if (!line.startsWith(BEGIN) || !line.endsWith(END)) return undefined
  let parsed: unknown
  try {
    parsed = JSON.parse(line.slice(BEGIN.length, -END.length))
  } catch {
    return undefined
  }
  const { name, recording, sample, before, at } = Object(parsed)
  if (typeof name !== 'string') return undefined
  return {
    name,
    ...(recording === true && { recording }),
    ...(typeof sample === 'string' && { sample }),
    ...(typeof before === 'string' && { before }),
    ...(typeof at === 'string' && { at }),
  }
}

/** The time that the figures of the document are for. */
export function timeOf({ at = '' }: DocumentOrigin): number | undefined {
  const ms = Date.parse(at.length === HOUR_TEXT ? `${at}:00Z` : at.includes('T') ? `${at}Z` : at)
  return Number.isNaN(ms) ? undefined : ms
}

const HOUR_TEXT = '2026-01-01T00'.length

/** Whether this command wrote the file, so that it can be replaced. */
export function isOurs(text: string): boolean {
  return (
    text.trim() === '' ||
    parseOrigin(text) !== undefined ||
    text.includes('<meta name="generator" content="singletable docs">') ||
    /^\{\s*"format": ?"singletable-docs\//.test(text)
  )
}
