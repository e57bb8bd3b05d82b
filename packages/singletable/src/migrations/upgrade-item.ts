import { DecodeError } from '../errors/decode-error.ts'
import { modelOf } from '../execute/collect-items.ts'
import { keyFromItem } from '../schema/index-keys.ts'
import type { Model, Schema } from '../schema/model.ts'
import type { Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { sameValue } from '../values/same-value.ts'
import { idsOf, joinedVersion, versionOf, withVersion } from './item-versions.ts'
import { type Draft, type Rewrite, takeSteps, type Versions } from './rewrite-item.ts'
import { SealedValues } from './sealed-values.ts'
import { withKeys } from './with-keys.ts'

/** A migration that upgrades items. */
export interface UpgradeLink extends Versions {
  readonly id: string
  /** The migrations after which items have had it: itself, and those that follow it. */
  readonly followers: ReadonlySet<string>
  readonly models: ReadonlySet<string>
}

/** The migrations that a program knows, the oldest first. */
export interface UpgradeChain {
  readonly attribute: string
  readonly links: readonly UpgradeLink[]
  /** The schema of the program. */
  readonly after: Schema
}

/** The version of items that have had all migrations; undefined if none changes their model. */
export function newestVersion({ links }: UpgradeChain, model: string): string | undefined {
  const own = links.filter(({ models }) => models.has(model))
  return joinedVersion(headsOf(own).map(({ id }) => id))
}

/** The migrations that no other one of them follows. */
function headsOf(links: readonly UpgradeLink[]): readonly UpgradeLink[] {
  return links.filter(
    ({ id, followers }) => !links.some((other) => other.id !== id && followers.has(other.id)),
  )
}

/**
 * What becomes of an item; undefined if it stays as it is, version included.
 *
 * Its version decides which migrations it is certain to have had. Those are not taken again, apart
 * from what an older program has written since: it keeps the version, and sets attributes that the
 * version does not have.
 */
export function upgradeItem(chain: UpgradeChain, item: Item): Rewrite | undefined {
  const { attribute, links, after } = chain
  const was = versionOf(item, attribute)
  requireKnown(chain, item, was)
  const model = modelOf({ schema: after }, item)
  if (model === undefined || model.source) return undefined
  const { name } = model
  const own = links.filter(({ models }) => models.has(name))
  if (own.length === 0) return undefined
  const had = own.filter(({ followers }) => idsOf(was).some((id) => followers.has(id)))
  const lastHad = headsOf(had)
  const names = foreignNames(lastHad, had, { name, item })
  const isNewest = had.length === own.length
  const isSettled = names?.size === 0 && !lastHad.some((link) => isSilent(link, name))
  if (isNewest && isSettled) return undefined
  // It can also name migrations of other branches.
  const next = isNewest ? was : newestVersion(chain, name)
  const versions = [own[0]!.before, ...own.map((link) => link.after)]
  const writers = versions.flatMap((schema): Model[] => {
    const found = schema.models.get(name)
    return found ? [found] : []
  })
  const [from] = writers
  const draft: Draft = {
    from,
    sealed: new SealedValues(item, writers),
    name,
    item: { ...item },
    isDeleted: false,
    isLossy: false,
    split: [],
    logged: undefined,
    replay: undefined,
  }
  for (const link of own) {
    const isAgain = had.includes(link)
    const isLast = lastHad.includes(link)
    // Without attributes of older programs, only the last one can have anything to do.
    if (isAgain && !isLast && names?.size === 0) continue
    const replay = isAgain ? (isLast ? {} : { names }) : undefined
    const taken = { ...draft, from: link.before.models.get(name), replay }
    takeSteps(link, taken)
    if (taken.isDeleted) return undefined
  }
  const kept = withKeys(model, draft.item, from, draft.sealed)
  const isSame = sameValue(kept, item)
  if (isSame && was === next) return undefined
  return {
    before: item,
    from,
    writers: writers.slice(1),
    after: [{ model, item: withVersion(kept, attribute, next) }],
    isSame,
    isVersioned: was !== next,
    isLossy: false,
  }
}

/** Only a newer program knows what an item of its version means. */
function requireKnown(
  { links, after }: UpgradeChain,
  item: Item,
  version: string | undefined,
): void {
  const newest = links.at(-1)?.id ?? ''
  // Ids begin with a time: older migrations need not be in the list any more.
  if (idsOf(version).every((id) => id <= newest)) return
  const key = keyFromItem(after.primary, item)
  const values = Object.values(key).map(({ S, N, B }) => S ?? N ?? B)
  throw new DecodeError(
    'DECODE_FAILED',
    {
      what: `The item ${JSON.stringify(values)} is of version "${version}", which is newer than "${newest}", the last migration of this program.`,
      where: 'upgradeOnRead()',
      fix: 'deploy the program that has this migration everywhere, or add it to migrations',
    },
    key,
  )
}

/**
 * Stored attributes that programs of the item's version don't write: the schema after a migration
 * does not have them, or has them as another type, and the schema before it did. Undefined if the
 * item has had no migration.
 */
function foreignNames(
  lastHad: readonly UpgradeLink[],
  had: readonly UpgradeLink[],
  { name, item }: { readonly name: string; readonly item: Item },
): Set<string> | undefined {
  const names = new Set<string>()
  let isKnown = false
  for (const last of lastHad) {
    const known = last.after.models.get(name)
    if (known === undefined) continue
    isKnown = true
    const tags = new Map<string, string | undefined>()
    for (const { stored, codec } of known.attributes.values()) {
      tags.set(stored, codec.opaque ? undefined : codec.tag)
    }
    // What another branch has added or removed is not in the schemas of this one.
    for (const { before, followers } of had) {
      if (!followers.has(last.id)) continue
      for (const { stored } of before.models.get(name)?.attributes.values() ?? []) {
        const value = getOwn(item, stored)
        if (value === undefined) continue
        const tag = tags.get(stored)
        const isOwn = tags.has(stored) && (tag === undefined || Object.hasOwn(value, tag))
        if (!isOwn) names.add(stored)
      }
    }
  }
  return isKnown ? names : undefined
}

/** Whether the steps have to be taken to see whether an older program changed the item. */
function isSilent({ steps }: UpgradeLink, model: string): boolean {
  return steps.some(
    (step) =>
      step.model === model &&
      (step.kind === 'deriveAttribute' ||
        step.kind === 'custom' ||
        (step.kind === 'retypeAttribute' && step.isConverted !== undefined)),
  )
}
