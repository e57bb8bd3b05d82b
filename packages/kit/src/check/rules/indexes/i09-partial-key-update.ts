import { type AskedUpdate, type Model, type Pattern, recoverableNames } from 'singletable/tools'
import { listNames } from '../../../text/list-names.ts'
import type { Design } from '../../design/design.ts'
import type { CodeUpdate } from '../../evidence/code-facts.ts'
import type { Notice, Rule } from '../rule.ts'

export const partialKeyUpdate: Rule = {
  code: 'I09',
  name: 'partial-key-update',
  severity: 'error',
  source: 'schema',
  title: 'An update changes a part of an index key, and the other parts are not known.',
  explanation: `The key of an index is a text that is stored in the item. When an update changes an attribute in it, the key has to be made again, and for that all its attributes must be
known. An update that sets status, where the key is \${status}#\${createdAt}, lacks createdAt; written by hand it leaves the old key behind, and the index still finds the item there.

The library doesn't do that. An update outside of a transaction reads the item first and writes on the condition that it is still the same; that is one more read, which this rule reports as information.
A transaction can't read before it writes, so a step of one is refused when it is called: that is the error. Code that updates such an attribute through the SDK leaves a stale key, and is a warning.

  wrong   steps: { ship: { op: 'update', entity: 'Order', by: ['orderId'], set: ['status'] } }
  right   steps: { ship: { op: 'update', entity: 'Order', by: ['orderId'], set: ['status'], given: ['createdAt'] } }
  right   indexes: { byStatus: { hash: ['status'], sort: ['createdAt'] } }         // native keys: nothing to keep in sync`,
  *check(design) {
    for (const pattern of design.schema?.patterns.values() ?? []) {
      yield* updateNotices(pattern)
      for (const step of pattern.steps.values()) yield* updateNotices(step, pattern.name)
    }
    for (const update of design.code?.updates ?? []) yield* codeNotices(design, update)
  },
}

function* updateNotices(pattern: Pattern, transaction?: string): Iterable<Notice> {
  const { definition, models, name } = pattern
  const [model] = models
  if (definition.op !== 'update' || model === undefined) return
  for (const { index, changed, missing, isCertain } of staleKeys(model, definition)) {
    const native = isAlone(model, index)
      ? `, or make ${index} an index of several attributes, whose keys need no update`
      : ''
    const what = `${name} changes ${listNames(changed)} but not ${listNames(missing)}; ${index} would keep a stale key`
    const place = { pattern: transaction ?? name, model: model.name, index }
    yield transaction !== undefined
      ? {
          message: `${what}, so ${isCertain ? 'the library refuses the transaction' : 'the library refuses the transaction unless the item leaves the index'}.`,
          fix: `add ${listNames(missing)} to set of the step, or to given for values that stay${native}`,
          place,
          severity: isCertain ? 'error' : 'warning',
        }
      : {
          message: `${what}, so the library reads the item first.`,
          fix: `it is one more read; add ${listNames(missing)} to given if the caller knows it, or to set${native}`,
          place,
          severity: 'info',
        }
  }
}

/** No other model shares the index. */
function isAlone({ schema }: Model, name: string): boolean {
  const inIndex = [...schema.models.values()].filter(({ indexes }) =>
    indexes.some(({ index }) => index.name === name),
  )
  return inIndex.length === 1
}

interface StaleKey {
  readonly index: string
  readonly changed: readonly string[]
  readonly missing: readonly string[]
  /** No value that is set can take the item out of the index. */
  readonly isCertain: boolean
}

/** The indexes whose keys an update touches without knowing all of them, as the library decides it
 * when it is called. */
function staleKeys(
  { derived, primary, updatedAt }: Model,
  { set = [], add = [], remove = [], given = [] }: AskedUpdate,
): readonly StaleKey[] {
  const recoverable = [...primary.hash, ...primary.sort].flatMap(recoverableNames)
  const known = new Set([...recoverable, ...set, ...given, ...(updatedAt ? [updatedAt.name] : [])])
  const written = new Set([...set, ...add, ...remove, ...(updatedAt ? [updatedAt.name] : [])])
  const stale = new Map<string, StaleKey>()
  for (const { template, uses } of derived) {
    const open = uses.map(({ index, names, when }) => {
      const changed = names.filter((name) => written.has(name) && !recoverable.includes(name))
      const needed = names.filter((name) => template.names.includes(name) || when?.has(name))
      const isLeft = names.some((name) => remove.includes(name))
      const missing = isLeft ? [] : needed.filter((name) => !known.has(name))
      const isCertain = !changed.some((name) => when?.has(name))
      return { index: index.name, changed, missing, isCertain }
    })
    // One index that surely holds the item is enough for the key to be known.
    if (open.some(({ missing }) => missing.length === 0)) continue
    for (const each of open) {
      const before = stale.get(each.index)
      if (each.changed.length === 0) continue
      stale.set(each.index, {
        ...each,
        missing: [...new Set([...(before?.missing ?? []), ...each.missing])],
      })
    }
  }
  return [...stale.values()]
}

/** Nobody keeps the keys of an update that goes past the library. */
function* codeNotices({ schema }: Design, update: CodeUpdate): Iterable<Notice> {
  const model = schema?.models.get(update.model)
  if (model === undefined || update.through !== 'sdk') return
  const { file, line, attributes } = update
  for (const { name: key, template, uses } of model.derived) {
    const changed = template.names.filter((name) => {
      const { stored = name } = model.attributes.get(name) ?? {}
      return attributes.includes(name) || attributes.includes(stored)
    })
    if (changed.length === 0 || attributes.includes(key)) continue
    const index = uses[0]!.index.name
    yield {
      message: `${file}:${line} changes ${listNames(changed)} of ${model.name} through the SDK, but not ${key}; ${index} would keep a stale key.`,
      fix: `use the entity's update, which keeps the keys of its indexes`,
      place: { model: model.name, index, file, line },
      severity: 'warning',
    }
  }
}
