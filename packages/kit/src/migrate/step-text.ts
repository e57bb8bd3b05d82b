/** Steps as code. */

/** `rekey('User')` */
export function call(name: string, ...words: readonly string[]): string {
  return `${name}(${words.map(quote).join(', ')})`
}

export function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

/** A function in place of one that only the author of a migration can write. */
export function askFor(what: string): string {
  return `() => {\n      throw new Error(${quote(`${ASKED} ${what}`)})\n    }`
}

const ASKED = 'write here'

/** What generated code still asks for. */
export function askedFor(code: string): readonly string[] {
  return [...code.matchAll(/throw new Error\((['"`])(write here .*?)\1\)/g)].map(
    ([, , text = '']) => text,
  )
}
