import { refusePlan } from '../plan/refuse-plan.ts'
import { type CopyLink, copyLinks } from '../schema/copy-links.ts'
import type { Attribute, Model, ModelIndex, Schema } from '../schema/model.ts'

/** Attributes of one model that repeat those of the same items of another, so that one query finds
 * all of them. */
export interface CopyGroup {
  readonly source: Model
  readonly model: Model
  /** By key attribute of the source: the attribute of the copying model that has its value. */
  readonly links: ReadonlyMap<string, string>
  readonly pairs: readonly { readonly attribute: Attribute; readonly copy: Attribute }[]
  /** Finds the copies of a source; not needed by who looks at one item after the other. */
  readonly index: ModelIndex | undefined
}

/** What `copyOf` says in a schema, with the index that finds the copies if it is needed; refuses
 * what can't be propagated. */
export function copyGroups(
  schema: Schema,
  where: string,
  needsIndex: boolean,
): readonly CopyGroup[] {
  const groups = new Map<string, CopyLink[]>()
  for (const link of copyLinks(schema)) {
    checkAttributes(link, where)
    const name = JSON.stringify([link.source.name, link.model.name, ...link.links])
    groups.set(name, [...(groups.get(name) ?? []), link])
  }
  const found = [...groups.values()].map((links): CopyGroup => {
    const [link] = links as [CopyLink]
    const pairs = links.map(({ attribute, copy }) => ({ attribute, copy }))
    return { ...link, pairs, index: needsIndex ? findIndex(link, where) : undefined }
  })
  refuseCycles(found, where)
  return found
}

function placeOf({ model, copy }: CopyLink, where: string): string {
  return `${where}, ${model.name}.${copy.name}`
}

function checkAttributes(link: CopyLink, where: string): void {
  const { attribute, copy, model, links } = link
  const hidden = [
    attribute,
    copy,
    ...[...links.values()].map((name) => model.attributes.get(name)!),
  ]
  if (hidden.some(({ definition }) => definition.hidden)) {
    refusePlan(
      'PLAN_INVALID',
      placeOf(link, where),
      'A hidden attribute is in no output, so nothing can be compared with it.',
      'leave hidden out, or keep the copy up to date in another way',
    )
  }
  if (copy.definition.required && !isAlwaysThere(link.source, attribute)) {
    refusePlan(
      'PLAN_INVALID',
      placeOf(link, where),
      `It is required, and ${link.source.name}.${attribute.name} can be absent.`,
      'make both required, or none',
    )
  }
}

function isAlwaysThere({ primary, createdAt, updatedAt }: Model, attribute: Attribute): boolean {
  const { required, default: supplied, generate, version, counts } = attribute.definition
  return (
    required === true ||
    supplied !== undefined ||
    Boolean(generate ?? version ?? counts) ||
    attribute === createdAt ||
    attribute === updatedAt ||
    primary.names.includes(attribute.name)
  )
}

function findIndex(link: CopyLink, where: string): ModelIndex {
  const { model, links } = link
  const names = [...links.values()]
  return (
    indexBy(model, names) ??
    refusePlan(
      'PLAN_NO_INDEX',
      placeOf(link, where),
      `No index finds the items of ${model.name} by ${names.join(' and ')}.`,
      `add an index to ${model.name} whose partition key is made of ${names.join(' and ')} alone`,
      model.indexes.map((use) => `${use.index.name} ${needOf(model, use, names)}`),
    )
  )
}

/** An index that has every item with values of these attributes, in a partition that they
 * determine. */
export function indexBy(model: Model, names: readonly string[]): ModelIndex | undefined {
  return model.indexes.find((use) => needOf(model, use, names) === undefined)
}

function needOf(model: Model, use: ModelIndex, names: readonly string[]): string | undefined {
  const inHash = use.hash.flatMap(({ template, attribute }) =>
    // A query reads all shards, whatever they are made of.
    template
      ? template.parts.flatMap((part) => (typeof part === 'string' || part.by ? [] : [part.name]))
      : [attribute.name],
  )
  const missing = inHash.filter((name) => !names.includes(name))
  if (missing.length > 0) return `needs ${missing.join(', ')}`
  if (use.when) return 'leaves some items out'
  const absent = use.names.find(
    (name) => !names.includes(name) && !isAlwaysThere(model, model.attributes.get(name)!),
  )
  return absent && `leaves out items without ${absent}`
}

/** Copies of copies are kept, too; but in a circle a value would go round for ever. */
function refuseCycles(groups: readonly CopyGroup[], where: string): void {
  const edges = new Map<Attribute, Attribute>()
  for (const { pairs } of groups) {
    for (const { attribute, copy } of pairs) edges.set(copy, attribute)
  }
  for (const start of edges.keys()) {
    const seen = new Set<Attribute>()
    for (let at: Attribute | undefined = start; at && !seen.has(at); at = edges.get(at)) {
      seen.add(at)
      if (edges.get(at) !== start) continue
      refusePlan(
        'PLAN_INVALID',
        where,
        `The attribute "${start.name}" is a copy of itself, by way of ${seen.size} copyOf.`,
        'let one of them be the source, without copyOf',
      )
    }
  }
}
