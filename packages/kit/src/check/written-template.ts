/** A template as it is written, before anything is known about its attributes. */
export interface WrittenTemplate {
  readonly source: string
  readonly parts: readonly (string | Placeholder)[]
  /** The names of its placeholders, each once. */
  readonly names: readonly string[]
  /** The literal text before its first placeholder. */
  readonly prefix: string
}

export interface Placeholder {
  readonly name: string
  /** What stands after colons: `pad(8)`, `lower`, `day`. */
  readonly modifiers: readonly string[]
}

/** Takes a template apart, also one that the library would refuse. */
export function readTemplate(source: string): WrittenTemplate {
  // The literals, with the insides of the placeholders between them.
  const texts = source.split(/\$\{([^}]*)\}/)
  const parts = texts.flatMap((text, position): (string | Placeholder)[] => {
    if (position % 2 === 0) return text === '' ? [] : [text]
    const [name = '', ...modifiers] = text.split(':')
    return [{ name, modifiers }]
  })
  const names = parts.flatMap((part) => (typeof part === 'string' ? [] : [part.name]))
  return { source, parts, names: [...new Set(names)], prefix: texts[0] ?? '' }
}
