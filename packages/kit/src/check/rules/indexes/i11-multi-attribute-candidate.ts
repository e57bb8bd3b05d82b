import { type AttributeDefinition, getOwn, type IndexDefinition } from 'singletable/tools'
import type { IndexUse, ModelKey } from '../../design/design-model.ts'
import type { Rule } from '../rule.ts'

const PARTS_MAX = 4
const KEY_TYPES: readonly unknown[] = [String, Number, Date, BigInt, Uint8Array, 'decimal']

export const multiAttributeCandidate: Rule = {
  code: 'I11',
  name: 'multi-attr-candidate',
  severity: 'info',
  source: 'schema',
  title: 'The keys of an index of one model only join attributes.',
  explanation: `A global index can have up to four attributes in each of its keys, as they are. Where an index holds only one model and its templates only join attributes, the joined strings are not needed: DynamoDB fills such an index by itself from the items that are there, numbers have the order of numbers without being padded, and an update can't leave an old key behind.

  now     indexes: { byRegion: { hash: 'gsi1pk', sort: 'gsi1sk' } }
          Order: { index: { gsi1pk: 'TENANT#\${tenantId}#REGION#\${region}', gsi1sk: '\${createdAt}' } }
  native  indexes: { byRegion: { hash: ['tenantId', 'region'], sort: ['createdAt'] } }

Templates are right where models share an index, where a key has a shard or a bucket of time, and where "when" keeps items out of it.`,
  *check(design) {
    const uses = design.uses
    for (const [name, index] of Object.entries<IndexDefinition>(design.definition.indexes ?? {})) {
      const [use, ...others] = uses.filter((each) => each.index === name)
      if (name === 'primary' || index.type === 'local' || !use || others.length > 0) continue
      const hash = nativeNames(use, use.hash)
      const sort = nativeNames(use, use.sort)
      if (hash === undefined || sort === undefined || use.when !== undefined || use.isCopy) continue
      // One attribute in each key gains nothing that its own name would not give, and is rarely
      // worth a change.
      if (hash.length === 0 || Math.max(hash.length, sort.length) < 2) continue
      const isTable = Object.keys(use.definition.key ?? {}).some((key) =>
        [...use.hash, ...use.sort].some(({ keyAttribute }) => keyAttribute === key),
      )
      if (isTable) continue
      yield {
        message: `${name} could use native keys (${[...hash, ...sort].join(', ')}) instead of strings joined from them; no backfill, typed order.`,
        fix: `write ${name}: { hash: [${quoted(hash)}]${sort.length > 0 ? `, sort: [${quoted(sort)}]` : ''} } and remove the templates of ${use.model}, if no other model should share it`,
        place: { index: name, model: use.model },
      }
    }
  },
}

/** The attributes whose values a key joins, if it is made of nothing else than DynamoDB could join
 * by itself. */
function nativeNames(use: IndexUse, keys: readonly ModelKey[]): readonly string[] | undefined {
  // One that is native already has no templates.
  if (keys.some(({ template }) => template === undefined)) return undefined
  const placeholders = keys
    .flatMap(({ template }) => template?.parts ?? [])
    .filter((part) => typeof part === 'object')
  const isNative = placeholders.every(
    ({ name, modifiers }) =>
      modifiers.every((modifier) => modifier.startsWith('pad(')) &&
      isKeyType(getOwn(use.definition.attributes ?? {}, name)),
  )
  const names = [...new Set(placeholders.map(({ name }) => name))]
  return isNative && names.length <= PARTS_MAX ? names : undefined
}

function isKeyType(attribute: AttributeDefinition | undefined): boolean {
  return (
    attribute !== undefined &&
    KEY_TYPES.includes(attribute.type) &&
    attribute.codec === undefined &&
    !attribute.nulls
  )
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ')
}
