import type { CheckedProgram } from './assertions.ts'

/** Where a program may take a name from that it uses and does not declare. */
export interface NameSource {
  readonly specifier: string
  readonly names: ReadonlySet<string>
}

/** Import statements for what an example leaves to the reader to import. */
export function missingImports(
  program: CheckedProgram,
  sources: readonly NameSource[],
): readonly string[] {
  return [...program.used].flatMap((name) => {
    const source = sources.find((candidate) => candidate.names.has(name))
    if (source === undefined || program.declared.has(name)) return []
    return [`import { ${name} } from ${JSON.stringify(source.specifier)}`]
  })
}
