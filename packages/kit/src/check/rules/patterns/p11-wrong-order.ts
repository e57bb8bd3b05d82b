import type { KeyAnswer, KeyPart, Placeholder } from 'singletable/tools'
import type { DeclaredPattern } from '../../design/declared-pattern.ts'
import { indexAnswers, modelNamed } from '../../design/design.ts'
import type { Notice, Rule } from '../rule.ts'

export const wrongOrder: Rule = {
  code: 'P11',
  name: 'wrong-order',
  severity: 'error',
  source: 'schema',
  title: 'A pattern needs an order that its sort key does not have.',
  explanation: `Items come in the order of the sort key, read from its beginning. A range, and the order that goes with it, is possible only for the first part that is not fixed.

  wrong   sk: 'COMMENT#\${author}#\${createdAt}'       // by author first, then by time
          latestComments: { op: 'query', entity: 'Comment', by: ['postId'], range: 'createdAt', order: 'desc' }
  right   sk: 'COMMENT#\${createdAt}#\${author}'

Where a key has a text in lower case, the order of the text itself is lost; the whole value has to be in the key. The library refuses both. Where a key has only the day of a time, a range is answered
exactly, and the items come in the order of days.`,
  *check(design) {
    for (const pattern of design.patterns) {
      const { definition, entities, by, index } = pattern
      const range = definition.op === 'query' ? definition.range : undefined
      if (typeof range !== 'string') continue
      for (const entity of entities) {
        const model = modelNamed(design, entity)
        const answers = model ? indexAnswers(design, model, { by, range }) : []
        const answer = answers.find((each) => each.use.index.name === index)
        // What the keys don't answer at all has no order either.
        if (answer === undefined || answer.missing.length + answer.unserved.length > 0) continue
        const notice = noticeOf(pattern, answer, range)
        if (notice) yield { ...notice, place: { pattern: pattern.name, model: entity, index } }
      }
    }
  },
}

function noticeOf(
  { name, by, definition }: DeclaredPattern,
  { order, use, next }: KeyAnswer,
  range: string,
): Pick<Notice, 'message' | 'fix' | 'severity'> | undefined {
  const key = use.sort.find(({ template }) => template?.names.includes(range)) ?? use.sort[0]
  const source = `"${key?.template?.source ?? key?.name}"`
  if (order === 'behind') {
    // Fixed by the pattern, it has one value, and there is no order.
    if (by.includes(range)) {
      return {
        message: `${name} wants ${range} order but gives one value of it in by.`,
        fix: `leave ${range} out of range, or out of by`,
      }
    }
    // Nothing of the sort key is in the way: the partition key has the value too.
    if (next === undefined) {
      return {
        message: `${name} wants ${range} order, but the partition key of ${use.index.name} has the whole ${range}, so that each value is in a partition of its own.`,
        fix: `take \${${range}} out of the partition key, or put only a part of it there, such as \${${range}:month}`,
      }
    }
    const better = key && reordered(key, range, by)
    return {
      message: `${name} wants ${range} order but ${source} sorts by ${next} first.`,
      fix: `${better ? `reorder the template: '${better}'` : `put ${range} before ${next} in the key`}; or use range: '${next}'`,
    }
  }
  const isOrdered = order === 'bucket' && 'order' in definition && definition.order !== undefined
  if (order !== 'coarse' && !isOrdered) return undefined
  const part = key?.template?.parts.find((each) => typeof each !== 'string' && each.name === range)
  const { modifiers = [] } = typeof part === 'object' ? part : {}
  return {
    message: `${name} wants ${range} order but ${source} has only ${partOf(modifiers)}.`,
    fix: `put the whole value in the key, as \${${range}}`,
    // A range of it is answered all the same.
    ...(isOrdered && { severity: 'warning' }),
  }
}

/** What keys have of a value, by the modifiers of its placeholder. */
function partOf(modifiers: readonly string[]): string {
  return modifiers.includes('lower') ? 'its lower-case form' : `its ${modifiers.join(':')}`
}

/** The template with the range before what is in its way, where nothing but separators is between
 * them. */
function reordered(
  { template }: KeyPart,
  range: string,
  by: readonly string[],
): string | undefined {
  const parts = template?.parts ?? []
  const first = parts.findIndex((part) => typeof part !== 'string' && !by.includes(part.name))
  const last = parts.findIndex((part) => typeof part !== 'string' && part.name === range)
  const between = parts.slice(first + 1, last).filter((part) => typeof part === 'string')
  if (first < 0 || between.some((text) => /[\p{L}\p{N}]/u.test(text))) return undefined
  const slots = parts.slice(first, last + 1).filter((part) => typeof part !== 'string')
  const order = [slots.at(-1), ...slots.slice(0, -1)]
  return parts
    .map((part, at) => {
      const chosen = typeof part !== 'string' && at >= first && at <= last ? order.shift() : part
      return typeof chosen === 'object' ? print(chosen) : chosen
    })
    .join('')
}

function print({ name, modifiers }: Placeholder): string {
  return `\${${[name, ...modifiers].join(':')}}`
}
