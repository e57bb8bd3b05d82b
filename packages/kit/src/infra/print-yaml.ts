/** What templates are made of. Members that are undefined are left out. */
export type Yaml =
  | string
  | number
  | boolean
  | undefined
  | readonly Yaml[]
  | { readonly [name: string]: Yaml }

/** Texts that no reader of YAML takes for anything else: no number, boolean, null, date or sign of structure. */
const PLAIN = /^(?!(?:true|false|yes|no|on|off|null|y|n)$)[a-z_][\w./-]*(?:::\w+)*$/i

/** Prints block YAML: one member or element a line, texts quoted where they could be read as something else. */
export function printYaml(value: Yaml, indent = ''): string {
  if (Array.isArray(value)) {
    return value.map((item: Yaml) => `${indent}- ${printItem(item, indent)}`).join('')
  }
  if (typeof value !== 'object') return `${indent}${printScalar(value)}\n`
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${indent}${printScalar(name)}:${printMember(member, indent)}`)
    .join('')
}

function printItem(item: Yaml, indent: string): string {
  if (typeof item !== 'object' || isEmpty(item)) return `${printScalar(item)}\n`
  // The first member stands beside the dash.
  return printYaml(item, `${indent}  `).slice(indent.length + 2)
}

function printMember(member: Yaml, indent: string): string {
  if (typeof member !== 'object' || isEmpty(member)) return ` ${printScalar(member)}\n`
  return `\n${printYaml(member, `${indent}  `)}`
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0
}

function printScalar(value: Yaml): string {
  if (typeof value === 'string') {
    // A text in double quotes has the escapes of JSON.
    return PLAIN.test(value) ? value : JSON.stringify(value)
  }
  if (typeof value === 'object') return Array.isArray(value) ? '[]' : '{}'
  return String(value)
}
