import {
  compareUtf8,
  getOwn,
  type Index,
  type Item,
  type KeyPart,
  keyVariables,
  type Model,
  type ModelIndex,
  type Schema,
} from 'singletable/tools'
import type { SampledItem } from '../examples/read-sample.ts'
import { isSamePartition } from './same-partition.ts'
import { shownValue } from './shown-value.ts'
import { whenWords } from './when-words.ts'

/** Items that share a form of partition key in one index, as the schema declares it. */
export interface Collection {
  /** Unique, for links. */
  readonly id: string
  readonly index: string
  /** The partition key with placeholders, as the first model writes it. */
  readonly partition: string
  /** The same partition key with other names of placeholders. */
  readonly otherPartitions: readonly string[]
  readonly hash: readonly string[]
  readonly sort: readonly string[]
  /** What can be in it, in the order of the sort keys. */
  readonly members: readonly CollectionMember[]
  /** Sample items of one such partition. */
  readonly rows: readonly SampleRow[]
  /** The access patterns that read it. */
  readonly patterns: readonly string[]
}

export interface CollectionMember {
  readonly entity: string
  /** The sort key with placeholders; undefined in an index without one. */
  readonly sort: string | undefined
  /** The condition under which the item is in the index. */
  readonly when: string | undefined
}

export interface SampleRow {
  readonly entity: string
  readonly hash: string
  readonly sort: string | undefined
  /** Other attributes in the index, shortened, as the entity returns them. */
  readonly attributes: readonly (readonly [name: string, value: string])[]
}

const ROWS_MAX = 8
const ROWS_OF_ENTITY_MAX = 3
const ATTRIBUTES_MAX = 4
const VALUE_CHARACTERS_MAX = 28

/** All item collections of a schema: index by index, in the order of the models. */
export function collectionsOf(
  schema: Schema,
  items: readonly SampledItem[],
): readonly Collection[] {
  const ids = new Set<string>()
  return [...schema.indexes.values()]
    .flatMap((index) => collectionsOfIndex(schema, index, items))
    .map((collection) => {
      let { id } = collection
      for (let number = 2; ids.has(id); number++) id = `${collection.id}-${number}`
      ids.add(id)
      return { ...collection, id }
    })
}

interface Member {
  readonly model: Model
  readonly use: ModelIndex
}

function collectionsOfIndex(
  schema: Schema,
  index: Index,
  items: readonly SampledItem[],
): readonly Collection[] {
  const groups: Member[][] = []
  for (const model of schema.models.values()) {
    const use = model.indexes.find((each) => each.index === index)
    if (use === undefined) continue
    const group = groups.find(([first]) => first && isSamePartition(first.use, use))
    if (group) group.push({ model, use })
    else groups.push([{ model, use }])
  }
  return groups.map((group) => collectionOf(schema, index, group, items))
}

function collectionOf(
  schema: Schema,
  index: Index,
  group: readonly Member[],
  items: readonly SampledItem[],
): Collection {
  const members = group
    .map(({ model, use }) => ({
      entity: model.name,
      sort: use.sort.length === 0 ? undefined : keyText(use.sort),
      when: use.when && whenWords(use.when),
    }))
    .sort((a, b) => compareUtf8(orderText(a.sort), orderText(b.sort)))
  const partitions = [...new Set(group.map(({ use }) => keyText(use.hash)))]
  return {
    id: wordsId(`collection-${index.name}-${partitions[0]}`),
    index: index.name,
    partition: partitions[0] ?? '',
    otherPartitions: partitions.slice(1),
    hash: index.hash,
    sort: index.sort,
    members,
    rows: sampleRows(index, new Set(group.map(({ model }) => model.name)), items),
    patterns: [...schema.patterns.values()]
      .filter(({ use, models, definition: { op } }) => {
        const isRead = op === 'query' || op === 'get' || op === 'batchGet' || op === 'transactGet'
        return isRead && use?.index === index && group.some(({ model }) => models.includes(model))
      })
      .map(({ name }) => name),
  }
}

/** A key with its placeholders; an attribute without a template is a placeholder. */
export function keyText(parts: readonly KeyPart[]): string {
  return parts.map(({ name, template }) => template?.source ?? `\${${name}}`).join(' · ')
}

/** The letters and digits of a string, with hyphens between words. */
function wordsId(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_]+/g, '-').replace(/-$/, '')
}

/** Sorts keys that start with a placeholder after those that start with a literal. */
function orderText(sort: string | undefined): string {
  return sort?.replaceAll('${', '\u{10FFFF}') ?? ''
}

/** The items of the best example partition: with most entities, then with most items. */
function sampleRows(
  index: Index,
  entities: ReadonlySet<string>,
  items: readonly SampledItem[],
): readonly SampleRow[] {
  const partitions = new Map<string, SampleRow[]>()
  for (const sampled of items) {
    const { item, model } = sampled
    const hash = textOf(item, index.hash)
    const sort = index.sort.length === 0 ? undefined : textOf(item, index.sort)
    const isIn = hash !== undefined && (index.sort.length === 0 || sort !== undefined)
    if (!entities.has(model.name) || !isIn) continue
    const row = { entity: model.name, hash, sort, attributes: attributesOf(index, sampled) }
    const rows = partitions.get(hash)
    if (rows) rows.push(row)
    else partitions.set(hash, [row])
  }
  const kinds = (rows: readonly SampleRow[]): number => new Set(rows.map((row) => row.entity)).size
  const [best = []] = [...partitions]
    .sort(
      ([hashA, a], [hashB, b]) =>
        kinds(b) - kinds(a) || b.length - a.length || compareUtf8(hashA, hashB),
    )
    .map(([, rows]) => rows)
  const shown = new Map<string, number>()
  return best
    .sort((a, b) => compareUtf8(a.sort ?? '', b.sort ?? ''))
    .filter(({ entity }) => {
      const count = (shown.get(entity) ?? 0) + 1
      shown.set(entity, count)
      return count <= ROWS_OF_ENTITY_MAX
    })
    .slice(0, ROWS_MAX)
}

function textOf(item: Item, names: readonly string[]): string | undefined {
  const values = names.map((name) => {
    const { S, N, B } = getOwn(item, name) ?? {}
    return S ?? N ?? B
  })
  return values.includes(undefined) ? undefined : values.join(' · ')
}

/**
 * The attributes that are not in keys, shortened. Write times are left out: every entity has them.
 */
function attributesOf(
  { type, project }: Index,
  { model, output }: SampledItem,
): SampleRow['attributes'] {
  const { primary, createdAt, updatedAt, attributes } = model
  const known = new Set(keyVariables([...primary.hash, ...primary.sort]))
  const isProjected = (stored: string): boolean =>
    type === 'primary' || project === 'all' || (project !== 'keys' && project.includes(stored))
  return [...attributes.values()]
    .filter((each) => each !== createdAt && each !== updatedAt && !known.has(each.name))
    .filter(({ name, stored }) => isProjected(stored) && output[name] !== undefined)
    .slice(0, ATTRIBUTES_MAX)
    .map(({ name }) => [name, shownValue(output[name], VALUE_CHARACTERS_MAX)] as const)
}
