import type { KeyPart } from './model.ts'

/**
 * The attributes that key attributes are made of, each once, in their order; a shard is not an
 * attribute. Without `buckets`, attributes of which the keys have only a time bucket are left out.
 */
export function keyVariables(parts: readonly KeyPart[], buckets = true): readonly string[] {
  const names = parts.flatMap(({ template, attribute }) =>
    template
      ? template.parts.flatMap((part) =>
          typeof part === 'string' || part.by || (part.unit && part.unit !== 'time' && !buckets)
            ? []
            : part.name,
        )
      : attribute.name,
  )
  return [...new Set(names)]
}
