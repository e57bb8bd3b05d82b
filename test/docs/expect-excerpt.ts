import { expect } from 'vitest'

/** All lines of the excerpt, in their order; those between `…` follow each other. */
export function expectExcerpt(printed: string, excerpt: string): void {
  let rest = printed
  for (const part of excerpt.split(/^…\n/m)) {
    const wanted = part.trimEnd()
    expect(rest).toContain(wanted)
    rest = rest.slice(rest.indexOf(wanted) + wanted.length)
  }
}
