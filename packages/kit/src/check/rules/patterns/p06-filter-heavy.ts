import { type AttributeValue, getOwn, type Item } from 'singletable/tools'
import type { DeclaredPattern } from '../../design/declared-pattern.ts'
import { type Design, modelNamed } from '../../design/design.ts'
import type { Notice, Rule } from '../rule.ts'

/** More than this part of what is read must be thrown away. */
const WASTE_MIN = 0.5
/** Fewer items say nothing about a share. */
const READ_MIN = 10

export const filterHeavy: Rule = {
  code: 'P06',
  name: 'filter-heavy',
  severity: 'warning',
  source: 'schema',
  title: 'A filter leaves out most of the items that are read.',
  explanation: `A filter is applied after reading: what it leaves out is paid for and waited for all the same.

  wrong   openOrders: { op: 'query', entity: 'Order', by: ['userId'], where: { status: 'open' } }       // 2 of 500
  right   index: { gsi1pk: 'USER#\${userId}', gsi1sk: 'OPEN#\${createdAt}' }, when: { gsi1: { status: 'open' } }

How much is discarded comes from a recording of your tests, from the items of a sample where the filter compares with fixed values, or from what the pattern declares: expect.itemsRead with a smaller limit. Up to half is accepted, and fewer than ${READ_MIN} items say nothing.`,
  *check(design) {
    for (const pattern of design.patterns) {
      if (pattern.definition.op !== 'query' || pattern.definition.where === undefined) continue
      const found = [recorded(design, pattern), sampled(design, pattern), declared(pattern)]
      const first = found.find((each) => each !== undefined)
      const notice = first && noticeOf(pattern, first)
      if (notice) yield notice
    }
  },
}

/** What was read to return how much, and how that is known. */
interface Yield {
  readonly read: number
  readonly returned: number
  readonly basis: string
}

function noticeOf(
  { name, definition, entities, index }: DeclaredPattern,
  { read, returned, basis }: Yield,
): Notice | undefined {
  const waste = 1 - returned / read
  if (read < READ_MIN || waste <= WASTE_MIN) return undefined
  const names = Object.keys((definition as { readonly where?: object }).where ?? {}).join(', ')
  return {
    message: `${name} reads ${read} items to return ${returned} (${Math.round(waste * 100)}% wasted; ${basis}).`,
    fix: `move ${names} into a key, or make an index that holds only what the filter lets through (when)`,
    place: { pattern: name, model: entities[0], index },
  }
}

function recorded({ recording }: Design, { name }: DeclaredPattern): Yield | undefined {
  const shapes = (recording?.shapes ?? []).filter(({ pattern }) => pattern === name)
  if (shapes.length === 0) return undefined
  const read = shapes.reduce((sum, shape) => sum + shape.itemsRead, 0)
  const returned = shapes.reduce((sum, shape) => sum + shape.itemsReturned, 0)
  return { read, returned, basis: 'recorded' }
}

/** By what the items of a sample have, where the filter says all it compares with. */
function sampled(design: Design, { definition, entities }: DeclaredPattern): Yield | undefined {
  const { sample, definition: schema } = design
  const [entity = ''] = entities
  const model = modelNamed(design, entity)
  if (sample === undefined || model === undefined || definition.op !== 'query') return undefined
  const typeField = schema.params?.typeField ?? '_type'
  const items = sample.items.filter(
    (item) => getOwn(item, typeField)?.S === (model.definition.type ?? entity),
  )
  const tests = Object.entries(definition.where ?? {}).map(([name, wanted]) => ({
    stored: model.attributes.get(name)?.map ?? name,
    values: fixedValues(wanted),
  }))
  if (items.length < READ_MIN || tests.some(({ values }) => values === undefined)) return undefined
  const passes = (item: Item): boolean =>
    tests.every(({ stored, values }) => values?.includes(plain(getOwn(item, stored))))
  const returned = items.filter(passes).length
  return { read: items.length, returned, basis: `of a sample taken on ${sample.takenOn}` }
}

/** The values that a filter allows; undefined where it is not an equality with a value in the
 * schema. */
function fixedValues(wanted: unknown): readonly unknown[] | undefined {
  if (typeof wanted === 'object' && wanted !== null) {
    const [[operator, value] = ['', undefined], ...more] = Object.entries(wanted)
    if (more.length > 0) return undefined
    if (operator === 'in' && Array.isArray(value)) return value.every(isFixed) ? value : undefined
    return operator === 'eq' && isFixed(value) ? [value] : undefined
  }
  return isFixed(wanted) ? [wanted] : undefined
}

function isFixed(value: unknown): boolean {
  // After `$` comes the name of an input.
  return typeof value === 'string'
    ? !value.startsWith('$')
    : typeof value === 'number' || typeof value === 'boolean'
}

function plain(value: AttributeValue | undefined): unknown {
  return value?.S ?? value?.BOOL ?? (value?.N === undefined ? undefined : Number(value.N))
}

function declared({ definition }: DeclaredPattern): Yield | undefined {
  const { limit, expect } = definition as {
    readonly limit?: number
    readonly expect?: { readonly itemsRead?: number }
  }
  return limit === undefined || expect?.itemsRead === undefined
    ? undefined
    : { read: expect.itemsRead, returned: limit, basis: 'as declared' }
}
