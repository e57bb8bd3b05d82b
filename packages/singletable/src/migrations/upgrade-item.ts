import { DecodeError } from '../errors/decode-error.ts'
import { modelOf } from '../execute/collect-items.ts'
import { keyFromItem } from '../schema/index-keys.ts'
import type { Model, Schema } from '../schema/model.ts'
import type { Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { sameValue } from '../values/same-value.ts'
import { versionOf, withVersion } from './item-versions.ts'
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
  return links.findLast(({ models }) => models.has(model))?.id
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
  const last = own.at(-1)
  if (last === undefined) return undefined
  const isHad = ({ followers }: UpgradeLink): boolean => was !== undefined && followers.has(was)
  const had = own.filter(isHad)
  const lastHad = had.at(-1)
  const known = lastHad?.after.models.get(name)
  const names = known && foreignNames(known, had, item)
  if (known && had.length === own.length && names?.size === 0 && !isSilent(lastHad!, name)) {
    return undefined
  }
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
    const isAgain = isHad(link)
    // Without attributes of older programs, only the last one can have anything to do.
    if (isAgain && link !== lastHad && names?.size === 0) continue
    const replay = isAgain ? (link === lastHad ? {} : { names }) : undefined
    const taken = { ...draft, from: link.before.models.get(name), replay }
    takeSteps(link, taken)
    if (taken.isDeleted) return undefined
  }
  const kept = withKeys(model, draft.item, from, draft.sealed)
  const isSame = sameValue(kept, item)
  const next = last.id
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
  if (version === undefined || links.some(({ id }) => id === version)) return
  const newest = links.at(-1)?.id ?? ''
  // Ids begin with a time: older migrations need not be in the list any more.
  if (version < newest) return
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
 * Stored attributes that programs of the item's version don't write: its schema does not have them,
 * or has them as another type.
 */
function foreignNames(known: Model, had: readonly UpgradeLink[], item: Item): Set<string> {
  const tags = new Map<string, string | undefined>()
  for (const { stored, codec } of known.attributes.values()) {
    tags.set(stored, codec.opaque ? undefined : codec.tag)
  }
  const names = new Set<string>()
  for (const { before } of had) {
    for (const { stored } of before.models.get(known.name)?.attributes.values() ?? []) {
      const value = getOwn(item, stored)
      if (value === undefined) continue
      const tag = tags.get(stored)
      const isOwn = tags.has(stored) && (tag === undefined || Object.hasOwn(value, tag))
      if (!isOwn) names.add(stored)
    }
  }
  return names
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
