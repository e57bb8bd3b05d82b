import type { KeyTemplate } from '../template/key-template.ts'
import type { KeyPart } from './model.ts'

/**
 * The attributes that key attributes are made of, each once, in their order; a shard is not an
 * attribute. Without `buckets`, attributes of which the keys have only a time bucket are left out.
 */
export function keyVariables(parts: readonly KeyPart[], buckets = true): readonly string[] {
  const names = parts.flatMap(({ template, attribute }) =>
    template
      ? template.components.flatMap(({ name, by, unit }) =>
          by || (unit && unit !== 'time' && !buckets) ? [] : name,
        )
      : attribute.name,
  )
  return [...new Set(names)]
}

/** What the templates of key attributes have besides literal text. */
export function componentsOf(parts: readonly KeyPart[]): KeyTemplate['components'] {
  return parts.flatMap(({ template }) => template?.components ?? [])
}
