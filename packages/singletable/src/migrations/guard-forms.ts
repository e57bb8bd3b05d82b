import { keyFromItem } from '../schema/index-keys.ts'
import type { Model, Schema, UniqueRule } from '../schema/model.ts'
import { GUARD } from '../schema/reserved-items.ts'
import type { Item } from '../values/attribute-value.ts'
import { canonicalText } from '../values/same-value.ts'
import type { TransactWriteItem } from '../wire/item-operations.ts'
import { type CancellationReason, ServiceError } from '../wire/service-error.ts'
import type { UpgradeLink } from './upgrade-item.ts'
import type { DerivedAction } from './writes-of.ts'

/** Why a unique value can't be kept unique while older programs write, too. */
export interface GuardProblem {
  /** The migration after which it is guarded in another way. */
  readonly id: string
  readonly model: string
  readonly unique: string
  readonly why: string
}

/** What the keys of the guards of one unique value begin with, the newest form first. */
type Forms = readonly string[]

/**
 * The guards of unique values under the keys of all programs that may be running. An older program
 * only looks for guards under its own keys, so that each guard is written in all older forms, too.
 */
export interface GuardForms {
  readonly after: Schema
  readonly forms: readonly Forms[]
}

export function guardFormsOf(
  links: readonly Pick<UpgradeLink, 'id' | 'before' | 'steps'>[],
  after: Schema,
): GuardForms & { readonly problems: readonly GuardProblem[] } {
  const forms: Forms[] = []
  const problems: GuardProblem[] = []
  for (const model of after.models.values()) {
    for (const rule of model.derivedItems?.unique ?? []) {
      const found = formsOf(model, rule, links)
      forms.push(found.forms)
      if (found.problem) problems.push(found.problem)
    }
  }
  const all = forms.flat()
  for (const model of after.models.values()) {
    for (const { name, prefix } of model.derivedItems?.unique ?? []) {
      if (all.indexOf(prefix) === all.lastIndexOf(prefix)) continue
      const why = 'another unique value had its name before, and has guards under the same keys'
      problems.push({ id: links.at(-1)?.id ?? '', model: model.name, unique: name, why })
    }
  }
  return { after, forms: forms.filter(({ length }) => length > 1), problems }
}

/** The forms that a rule had before each migration, from the newest to the oldest. */
function formsOf(
  model: Model,
  rule: UniqueRule,
  links: readonly Pick<UpgradeLink, 'id' | 'before' | 'steps'>[],
): { readonly forms: Forms; readonly problem?: GuardProblem } {
  const forms = [rule.prefix]
  let names = rule.attributes.map(({ name }) => name)
  for (const { id, before, steps } of links.toReversed()) {
    const refused = (why: string) => ({
      forms,
      problem: { id, model: model.name, unique: rule.name, why },
    })
    const old = before.models.get(model.name)
    if (old === undefined) return { forms }
    for (const step of steps.toReversed()) {
      if (!('model' in step) || step.model !== model.name) continue
      if (step.kind === 'renameAttribute') {
        names = names.map((name) => (name === step.to ? step.from : name))
      } else if (step.kind === 'custom') {
        return refused('the step custom can give items other values')
      } else if (
        (step.kind === 'addAttribute' ||
          step.kind === 'deriveAttribute' ||
          step.kind === 'retypeAttribute') &&
        names.includes(step.attribute)
      ) {
        return refused(`the step ${step.kind} gives items another value of "${step.attribute}"`)
      }
    }
    // Items without one of the values have no guard.
    if (!names.every((name) => old.attributes.has(name))) return { forms }
    const was = old.derivedItems?.unique.find(
      ({ attributes }) =>
        attributes.length === names.length &&
        attributes.every(({ name }, at) => name === names[at]),
    )
    if (was === undefined) return refused('items from before it have no guards')
    if (!isAlike(was, rule) || before.params.separator !== model.schema.params.separator) {
      return refused('its guards are made of other text')
    }
    if (!forms.includes(was.prefix)) forms.push(was.prefix)
  }
  return { forms }
}

/** Whether both make the same text of the same stored values. */
function isAlike(was: UniqueRule, rule: UniqueRule): boolean {
  return (
    was.ignoreCase === rule.ignoreCase &&
    was.attributes.every(({ codec, definition }, at) => {
      const now = rule.attributes[at]!
      return (
        codec.tag === now.codec.tag &&
        definition.normalize === now.definition.normalize &&
        definition.value === now.definition.value
      )
    })
  )
}

/** The keys of a guard in the forms of older programs; none for other items. */
export function olderKeys({ after, forms }: GuardForms, item: Item): readonly Item[] {
  const [hash, sort] = [...after.primary.hash, ...after.primary.sort]
  const text = item[hash!]?.S
  if (text === undefined || (sort !== undefined && item[sort]?.S !== GUARD.word)) return []
  const { separator } = after.params
  for (const each of forms) {
    const at = each.findIndex((prefix) => text.startsWith(prefix + separator))
    if (at < 0) continue
    const values = text.slice(each[at]!.length)
    return each.slice(at + 1).map((prefix) => ({
      [hash!]: { S: prefix + values },
      ...(sort !== undefined && { [sort]: { S: GUARD.word } }),
    }))
  }
  return []
}

/** The same write for each older form of the guard that it is on. */
function olderWrites(
  forms: GuardForms,
  tableName: string,
  write: TransactWriteItem,
): readonly TransactWriteItem[] {
  const [[kind, action] = []] = Object.entries(write)
  if (kind === undefined || action?.TableName !== tableName) return []
  const { Item: item, Key } = action as { readonly Item?: Item; readonly Key?: Item }
  const target = item ?? Key
  return olderKeys(forms, target ?? {}).map(
    (key) =>
      ({
        [kind]: { ...action, ...(item ? { Item: { ...item, ...key } } : { Key: key }) },
      }) as unknown as TransactWriteItem,
  )
}

/** A transaction that writes each guard in its older forms, too. */
export function withOlderGuards(
  forms: GuardForms,
  tableName: string,
  writes: readonly TransactWriteItem[],
): {
  readonly writes: readonly TransactWriteItem[]
  /** The error for the writes that were given: that of an older form is that of its guard. */
  folded(error: ServiceError): ServiceError
} {
  const origins: number[] = []
  const added = writes.flatMap((write, at) =>
    olderWrites(forms, tableName, write).map((each) => {
      origins.push(at)
      return each
    }),
  )
  return {
    writes: [...writes, ...added],
    folded(error) {
      const { CancellationReasons: reasons } = error
      if (added.length === 0 || reasons === undefined) return error
      const own = [...reasons.slice(0, writes.length)]
      for (const [at, reason] of reasons.slice(writes.length).entries()) {
        const origin = origins[at]!
        if (isNone(own[origin])) own[origin] = reason
      }
      const codes = own.map(({ Code }) => Code).join(', ')
      const message = error.message.replace(/\[[^\]]*\]/, () => `[${codes}]`)
      return new ServiceError(error.name, message, { CancellationReasons: own })
    },
  }
}

function isNone(reason: CancellationReason | undefined): boolean {
  return reason === undefined || reason.Code === 'None'
}

/** What follows from an upgraded item, with the guards for older programs, and each item once. */
export function withOlderForms(
  forms: GuardForms,
  tableName: string,
  derived: readonly DerivedAction[],
): readonly DerivedAction[] {
  const all = derived.flatMap((each) => [
    each,
    ...olderWrites(forms, tableName, each.action).map((action) => ({ ...each, action })),
  ])
  const byKey = new Map<string, DerivedAction>()
  // A guard that the item has again is not deleted.
  for (const each of all.toSorted(
    (a, b) => Number(!!a.action.Delete) - Number(!!b.action.Delete),
  )) {
    const [action] = Object.values(each.action) as { readonly Item?: Item; readonly Key?: Item }[]
    const key = keyFromItem(forms.after.primary, action?.Item ?? action?.Key ?? {})
    const text = canonicalText(key)!
    if (!byKey.has(text)) byKey.set(text, each)
  }
  return [...byKey.values()]
}
