/** A template as it is written, before anything is known about its attributes. */
export interface WrittenTemplate {
  readonly source: string
  /** Literal text, and placeholders. */
  readonly parts: readonly (string | Placeholder)[]
  /** The names of its placeholders, each once. */
  readonly names: readonly string[]
  /** The literal text before its first placeholder. */
  readonly prefix: string
}

export interface Placeholder {
  readonly name: string
  /** What follows colons: `pad(8)`, `lower`, `day`. */
  readonly modifiers: readonly string[]
}

/** The literals of a template, with the insides of the placeholders between them. */
export function splitTemplate(source: string): readonly string[] {
  return source.split(/\$\{([^}]*)\}/)
}

/** What is inside a placeholder: a name, and modifiers. */
export function readPlaceholder(body: string): Placeholder {
  const [name = '', ...modifiers] = body.split(':')
  return { name, modifiers }
}

/** Takes a template apart, also one that can't be used. */
export function readTemplate(source: string): WrittenTemplate {
  const pieces = splitTemplate(source)
  const parts = pieces.flatMap((text, position): (string | Placeholder)[] => {
    if (position % 2 === 0) return text === '' ? [] : [text]
    return [readPlaceholder(text)]
  })
  const names = parts.flatMap((part) => (typeof part === 'string' ? [] : [part.name]))
  return { source, parts, names: [...new Set(names)], prefix: pieces[0] ?? '' }
}
