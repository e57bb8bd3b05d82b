import { separatorOf } from '../../design/key-strings.ts'
import type { Rule } from '../rule.ts'

export const inconsistentPrefix: Rule = {
  code: 'K06',
  name: 'inconsistent-prefix',
  severity: 'warning',
  source: 'schema',
  title: 'The literals of keys are written in different styles.',
  explanation: `One style for all literals makes keys readable and mistakes visible. Mixed ones are a source of keys that are never found, because somebody wrote user# for USER#.

  wrong   'USER#\${username}', 'post_\${postId}', 'Comment-\${commentId}'
  right   'USER#\${username}', 'POST#\${postId}', 'COMMENT#\${commentId}'

The style of the majority is expected of all. A literal is part of stored keys: changing it for items that exist means moving them.`,
  *check(design) {
    const separator = separatorOf(design)
    const styles = new Map<string, Set<string>>()
    for (const { template } of design.keys) {
      if (template === undefined) continue
      const { prefix } = template
      const { style, shown } = styleOf(prefix, prefix === template.source, separator)
      if (style === undefined) continue
      styles.set(style, (styles.get(style) ?? new Set()).add(shown))
    }
    // A literal without a separator fits every style of its case.
    const full = [...styles.keys()].filter((style) => style.includes(' '))
    for (const [style, prefixes] of [...styles]) {
      const fitting = style.includes(' ')
        ? undefined
        : full.find((each) => each.startsWith(`${style} `))
      if (fitting === undefined) continue
      for (const prefix of prefixes) styles.get(fitting)?.add(prefix)
      styles.delete(style)
    }
    if (styles.size < 2) return
    const [dominant, ...others] = [...styles.values()].sort((a, b) => b.size - a.size)
    const list = [dominant, ...others].flatMap((prefixes) => [...(prefixes ?? [])].slice(0, 3))
    const example = [...(dominant ?? [])].find((prefix) => prefix.endsWith(separator))
    yield {
      message: `Prefixes mix styles: ${list.map((prefix) => `"${prefix}"`).join(', ')}. Expected the style of "${example ?? [...(dominant ?? [])][0]}".`,
      fix: `write ${others
        .flatMap((prefixes) => [...prefixes])
        .map((prefix) => `"${prefix}"`)
        .join(', ')} in that style, before there are items`,
      place: {},
    }
  },
}

interface Style {
  /** Case, and what separates: `upper #`; without the latter where the whole key is literal. */
  readonly style: string | undefined
  readonly shown: string
}

function styleOf(prefix: string, isWhole: boolean, separator: string): Style {
  const end = prefix.indexOf(separator)
  const shown = end < 0 ? prefix : prefix.slice(0, end + separator.length)
  const [, word = '', sign = ''] =
    end < 0
      ? isWhole
        ? ['', prefix, '']
        : (/^(.*?)([^\p{L}\p{N}]*)$/u.exec(prefix) ?? [])
      : ['', prefix.slice(0, end), separator]
  if (!/\p{L}/u.test(word)) return { style: undefined, shown }
  const letters =
    word === word.toUpperCase() ? 'upper' : word === word.toLowerCase() ? 'lower' : 'mixed'
  return { style: isWhole && sign === '' ? letters : `${letters} ${sign}`, shown }
}
