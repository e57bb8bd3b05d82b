import { parseExpression } from '@babel/parser'

/** A package.json with more scripts. */
export interface MergedManifest {
  readonly text: string
  /** Scripts that were not there, or had nothing to do. */
  readonly added: readonly string[]
  /** Those that were there and do something else. */
  readonly kept: readonly string[]
}

interface Member {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly value: { readonly start: number; readonly end: number }
  readonly members: readonly Member[]
}

/** What `npm init` writes. */
const PLACEHOLDER = /^echo "Error: no test specified"/

/**
 * Adds scripts to the text of a package.json, which is valid, its scripts an object if there are
 * any: everything else stays as it is, to the last space. Scripts that are there are kept, but for
 * the one of `npm init` that only fails; with `force` they are replaced.
 */
export function mergeManifest(
  given: string,
  scripts: ReadonlyMap<string, string>,
  { force = false }: { readonly force?: boolean } = {},
): MergedManifest {
  const bom = given.startsWith('\uFEFF') ? '\uFEFF' : ''
  let text = given.slice(bom.length)
  const added: string[] = []
  const kept: string[] = []
  if (!membersOf(text).some(({ name }) => name === 'scripts')) {
    text = insertMember(text, [], 'scripts', '{}')
  }
  for (const [name, command] of scripts) {
    const found = scriptsOf(text).findLast((member) => member.name === name)
    if (found === undefined) {
      text = insertMember(text, ['scripts'], name, JSON.stringify(command))
      added.push(name)
      continue
    }
    const is: unknown = JSON.parse(text.slice(found.value.start, found.value.end))
    if (is === command) continue
    if (force || PLACEHOLDER.test(String(is))) {
      const { start, end } = found.value
      text = text.slice(0, start) + JSON.stringify(command) + text.slice(end)
      added.push(name)
    } else kept.push(name)
  }
  return { text: bom + text, added, kept }
}

function scriptsOf(text: string): readonly Member[] {
  // Of two members with one name JSON takes the last.
  return membersOf(text).findLast(({ name }) => name === 'scripts')?.members ?? []
}

/** Where the members of the outermost object are, and those of the objects in it. JSON is an
 * expression of JavaScript. */
function membersOf(text: string): readonly Member[] {
  // Names that occur twice, such as __proto__, are errors in JavaScript and none in JSON.
  return readMembers(parseExpression(text, { errorRecovery: true }))
}

type Expression = ReturnType<typeof parseExpression>

function readMembers(node: Expression): readonly Member[] {
  if (node.type !== 'ObjectExpression') return []
  return node.properties.flatMap((property): readonly Member[] => {
    if (property.type !== 'ObjectProperty' || property.key.type !== 'StringLiteral') return []
    const { value } = property
    return [
      {
        name: property.key.value,
        start: property.start ?? 0,
        end: property.end ?? 0,
        value: { start: value.start ?? 0, end: value.end ?? 0 },
        // The values of JSON are expressions.
        members: readMembers(value as Expression),
      },
    ]
  })
}

/** Puts a member at the end of an object, laid out as those before it are. */
function insertMember(text: string, path: readonly string[], name: string, value: string): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const outer = membersOf(text)
  const [first] = path
  const target = first === undefined ? undefined : outer.findLast((member) => member.name === first)
  const members = target ? target.members : outer
  const last = members.at(-1)
  const printed = `${JSON.stringify(name)}: ${value}`
  if (last !== undefined) {
    const gap = gapBefore(text, last.start)
    return `${text.slice(0, last.end)},${gap}${printed}${text.slice(last.end)}`
  }
  // An empty object: its members go one step further in than the object itself.
  const start = target ? target.value.start : text.indexOf('{')
  const end = target ? target.value.end : text.lastIndexOf('}') + 1
  const step = indentOf(text)
  const depth = step.repeat(path.length)
  const inside = `{${newline}${depth}${step}${printed}${newline}${depth}}`
  return text.slice(0, start) + inside + text.slice(end)
}

/** The white space before a member; a space where it is on the same line as others. */
function gapBefore(text: string, start: number): string {
  const gap = /\s*$/.exec(text.slice(0, start))?.[0] ?? ''
  return gap.includes('\n') ? gap : ' '
}

function indentOf(text: string): string {
  return /\n([ \t]+)"/.exec(text)?.[1] ?? '  '
}
