import path from 'node:path'
import { child, children, type SyntaxNode, unwrap } from '../source/syntax.ts'
import { findInSchema, type Located, type LocateOptions } from './locate-schema.ts'

/** A change of one member of a schema, by its path; without code the member is removed. */
export interface SchemaEdit {
  readonly path: readonly string[]
  readonly code?: string | undefined
}

/** Lines of a file before and after a change, with some around them. */
export interface Hunk {
  /** Relative to the project. */
  readonly file: string
  /** The number of its first line. */
  readonly line: number
  readonly lines: readonly { readonly mark: ' ' | '-' | '+'; readonly text: string }[]
}

/** Text in place of a stretch of a file. */
interface Replacement {
  readonly file: Located['file']
  readonly start: number
  readonly end: number
  readonly text: string
}

const AROUND_LINES = 2

/**
 * Shows edits as changes of the source that the schema was read from. Nothing is written: whoever
 * owns the file decides. Undefined where an edit has no place that can be found.
 */
export function suggestEdits(
  options: Pick<LocateOptions, 'file' | 'exportName' | 'directory'>,
): (edits: readonly SchemaEdit[]) => readonly Hunk[] | undefined {
  let find: Find | undefined
  return (edits) => {
    // Parsed when the first edit is asked for: most designs have none.
    find ??= findInSchema(options)
    const replacements: Replacement[] = []
    for (const edit of edits) {
      const replacement = replacementOf(find, edit)
      if (replacement === undefined) return undefined
      replacements.push(replacement)
    }
    const files = new Set(replacements.map(({ file }) => file))
    return [...files].flatMap((file) =>
      hunksOf(
        path.relative(options.directory, file.path).split(path.sep).join('/'),
        file.source,
        replacements
          .filter((each) => each.file === file)
          .sort((one, other) => one.start - other.start),
      ),
    )
  }
}

type Find = ReturnType<typeof findInSchema>

function replacementOf(find: Find, { path: names, code }: SchemaEdit): Replacement | undefined {
  const found = find(names)
  if (found) {
    const { file, node } = found
    const value = child(node, 'value')
    if (code === undefined) return removal(found)
    return value && { file, start: value.start, end: value.end, text: code }
  }
  const name = names.at(-1)
  if (code === undefined || name === undefined) return undefined
  const parent = find(names.slice(0, -1))
  if (parent === undefined) {
    return replacementOf(find, { path: names.slice(0, -1), code: `{ ${name}: ${code} }` })
  }
  return insertion(parent, name, code, names.length === 1)
}

/** A member at the end of an object; what is not written out as an object becomes one. */
function insertion(
  { file, node }: Located,
  name: string,
  code: string,
  isRoot: boolean,
): Replacement | undefined {
  const value = unwrap(isRoot ? node : child(node, 'value'))
  const object = value?.type === 'CallExpression' ? unwrap(children(value, 'arguments')[0]) : value
  if (object === undefined) return undefined
  if (object.type !== 'ObjectExpression') {
    const written = file.source.slice(object.start, object.end)
    const text = `{ ...${written}, ${name}: ${code} }`
    return { file, start: object.start, end: object.end, text }
  }
  const last = children(object, 'properties').at(-1)
  const start = last?.end ?? object.start + 1
  if (last === undefined) return { file, start, end: object.end - 1, text: ` ${name}: ${code} ` }
  if (object.loc.start.line === object.loc.end.line) {
    return { file, start, end: start, text: `, ${name}: ${code}` }
  }
  const indent = /^\s*/.exec(lineAt(file.source, last.start))?.[0] ?? ''
  const end = file.source[start] === ',' ? start + 1 : start
  return { file, start, end, text: `,\n${indent}${name}: ${code},` }
}

/** A member with its comma; with its line where it is alone there. */
function removal({ file, node }: Located): Replacement {
  const { source } = file
  let { start, end }: Pick<SyntaxNode, 'start' | 'end'> = node
  if (source[end] === ',') end++
  const before = source.slice(source.lastIndexOf('\n', start - 1) + 1, start)
  const rest = /^[ \t]*\n/.exec(source.slice(end))
  if (before.trim() === '' && rest) {
    start -= before.length
    end += rest[0].length
  } else if (source[end] === ' ') end++
  return { file, start, end, text: '' }
}

function lineAt(source: string, at: number): string {
  return source.slice(source.lastIndexOf('\n', at - 1) + 1).split('\n')[0] ?? ''
}

/** Whole lines in place of others. */
interface LineChange {
  readonly at: number
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

/** Changes that are near each other are in one hunk, as in other tools. */
function hunksOf(
  file: string,
  source: string,
  replacements: readonly Replacement[],
): readonly Hunk[] {
  const lines = source.split('\n')
  const context = (from: number, to: number): Hunk['lines'] =>
    lines.slice(Math.max(0, from), to).map((text) => ({ mark: ' ', text }))
  const hunks: { line: number; lines: Hunk['lines'][number][]; end: number }[] = []
  for (const { at, removed, added } of lineChanges(source, replacements)) {
    const last = hunks.at(-1)
    const near = last && at - last.end <= 2 * AROUND_LINES ? last : undefined
    const hunk = near ?? { line: Math.max(0, at - AROUND_LINES) + 1, lines: [], end: 0 }
    if (near === undefined) hunks.push(hunk)
    hunk.lines.push(
      ...context(near?.end ?? at - AROUND_LINES, at),
      ...removed.map((text) => ({ mark: '-' as const, text })),
      ...added.map((text) => ({ mark: '+' as const, text })),
    )
    hunk.end = at + removed.length
  }
  return hunks.map(({ line, lines: shown, end }) => ({
    file,
    line,
    lines: [...shown, ...context(end, end + AROUND_LINES)],
  }))
}

/** Replacements in the same line are one change. */
function lineChanges(source: string, replacements: readonly Replacement[]): readonly LineChange[] {
  const lineOf = (at: number): number => source.slice(0, at).split('\n').length - 1
  const lines = source.split('\n')
  const groups: Replacement[][] = []
  for (const each of replacements) {
    const before = groups.at(-1)?.at(-1)
    if (before && lineOf(before.end) >= lineOf(each.start)) groups.at(-1)?.push(each)
    else groups.push([each])
  }
  return groups.map((group): LineChange => {
    const [start, end] = [group[0]?.start ?? 0, group.at(-1)?.end ?? 0]
    const first = lineOf(start)
    let [text, at] = ['', source.lastIndexOf('\n', start - 1) + 1]
    for (const each of group) {
      text += source.slice(at, each.start) + each.text
      at = each.end
    }
    const tail = source.indexOf('\n', end)
    const after = (text + source.slice(at, tail < 0 ? undefined : tail)).split('\n')
    const before = lines.slice(first, lineOf(end) + 1)
    // Lines that stay as they are belong to what is around the change.
    const shared = Math.min(before.length, after.length)
    let same = 0
    while (same < shared && before[same] === after[same]) same++
    let rest = 0
    while (rest < shared - same && before.at(-1 - rest) === after.at(-1 - rest)) rest++
    return {
      at: first + same,
      removed: before.slice(same, before.length - rest),
      added: after.slice(same, after.length - rest),
    }
  })
}
