import { getOwn } from 'singletable/tools'
import type { Design } from '../../design/design.ts'
import type { Notice, Rule } from '../rule.ts'

export const alreadyPrefixed: Rule = {
  code: 'K16',
  name: 'already-prefixed',
  severity: 'error',
  source: 'code',
  title: 'A value already has the prefix that its template adds.',
  explanation: `The template makes POST#123 of 123. With POST#123 it would be POST#POST#123, which does not exist. Writes of such a value are refused by the library, as no value can contain the
separator: that is an error. In reads it takes the value without the literal, and warns once: that is a warning.

  wrong   Comment.query().where((attr, op) => op.eq(attr.postId, 'POST#123'))
  right   Comment.query().where((attr, op) => op.eq(attr.postId, '123'))

The rule checks literals in the project's code (--code). With a sample of the table (--sample) keys are reported that have their literal twice, because something else wrote them so.`,
  *check(design) {
    for (const { file, line, model, attribute, value, prefix, use } of design.code?.prefixed ??
      []) {
      yield {
        severity: use === 'write' ? 'error' : 'warning',
        message: `Value "${value}" of ${model}.${attribute} already starts with "${prefix}"; pass the bare id.`,
        fix: `pass "${value.slice(prefix.length)}"`,
        place: { file, line, model, attribute },
      }
    }
    yield* doubled(design)
  },
}

/** Stored keys that have their literal twice. */
function* doubled({ keys, sample, schema }: Design): Generator<Notice> {
  const reported = new Set<string>()
  const parts = [...(schema?.models.values() ?? [])].flatMap(({ indexes }) =>
    indexes.flatMap(({ hash, sort }) => [...hash, ...sort]),
  )
  for (const { model, keyAttribute, template, index } of keys) {
    const prefix = template?.prefix ?? ''
    const id = JSON.stringify([keyAttribute, prefix])
    // A literal without a placeholder behind it can't be doubled by a value.
    if (prefix === '' || prefix === template?.source || reported.has(id)) continue
    reported.add(id)
    const strings = (sample?.items ?? []).flatMap((item) => {
      const text = getOwn(item, keyAttribute)?.S
      if (!text?.startsWith(prefix + prefix)) return []
      // A value may be the same word as the literal.
      const isMade = parts.some((part) => part.name === keyAttribute && part.template?.match(text))
      return isMade ? [] : [text]
    })
    if (strings.length === 0) continue
    yield {
      severity: 'warning',
      message: `${strings.length} sampled ${strings.length === 1 ? 'key has' : 'keys have'} "${prefix}" twice in ${keyAttribute}, e.g. "${strings[0]}".`,
      fix: `pass the bare id where they are written, and write the items again under their keys`,
      place: { model, attribute: keyAttribute, index },
    }
  }
}
