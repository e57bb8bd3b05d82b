import type { Update } from '../expression/tree.ts'
import { MISSING_SOURCE_FIX, sourcePaths } from '../plan/update-values.ts'
import { printPath } from '../schema/input-issues.ts'
import type { Item } from '../values/attribute-value.ts'
import { ITEM_SIZE_MAX_BYTES } from '../values/limits.ts'
import { itemSizeBytes, itemSizeUpTo } from '../values/size.ts'
import { requestTargets } from '../wire/request-targets.ts'

/** How many of the largest attributes are named. */
const ATTRIBUTES_SHOWN = 3

/**
 * What of a request made DynamoDB refuse it, and a way out, where DynamoDB's own text says neither.
 */
export function explainRefusal(
  text: string,
  request: object,
  update: Update | undefined,
): readonly [what: string, fix: string] | undefined {
  if (text.startsWith('Item size')) return describeLarge(largestItem(request) ?? valuesSet(update))
  if (update && text.includes('attribute that does not exist')) {
    const computed = update.set.flatMap(({ path, value }) => {
      const sources = sourcePaths(value).map((source) => `"${printPath(source)}"`)
      return sources.length > 0 ? [`"${printPath(path)}" from ${sources.join(', ')}`] : []
    })
    return [
      `The item lacks an attribute that the update computes with: ${computed.join('; ')}.`,
      MISSING_SOURCE_FIX,
    ]
  }
  if (!update || !text.includes('document path')) return undefined
  const { set, add, remove, delete: deleted } = update
  const paths = [...[...set, ...add, ...deleted].map(({ path }) => path), ...remove]
    .filter((path) => path.length > 1)
    .map((path) => `"${printPath(path)}"`)
  return [
    `The item has no map or list to change ${paths.join(' or ')} in.`,
    'set the whole attribute first, with all that is in it; then places inside it can be changed',
  ]
}

/**
 * What is wrong with a write that DynamoDB will refuse for the size of an item; of an update, as
 * far as its values say so.
 */
export function findOversize(
  request: object,
  update: Update | undefined,
): readonly [what: string, fix: string] | undefined {
  const written = update ? valuesSet(update) : largestItem(request)
  const isLarge = written && itemSizeUpTo(written, ITEM_SIZE_MAX_BYTES) > ITEM_SIZE_MAX_BYTES
  return isLarge ? describeLarge(written) : undefined
}

function describeLarge(item: Item): readonly [what: string, fix: string] {
  const sizes = Object.entries(item)
    .map(([name, value]) => [itemSizeBytes({ [name]: value }), name] as const)
    .sort(([a], [b]) => b - a)
    .slice(0, ATTRIBUTES_SHOWN)
    .map(([bytes, name]) => `"${name}" ${bytes}`)
  return [
    `The item has more than the ${ITEM_SIZE_MAX_BYTES} bytes that DynamoDB takes. The largest attributes that are written: ${sizes.join(', ')}.`,
    "keep large values elsewhere (largeValue() of 'singletable/offload'), compress them (compressed() of 'singletable/codecs'), or split the item",
  ]
}

/** Of those that a request puts. */
function largestItem(request: object): Item | undefined {
  return requestTargets(request)
    .flatMap(({ item, isWhole }) => (item && isWhole ? [item] : []))
    .map((item) => [itemSizeBytes(item), item] as const)
    .sort(([a], [b]) => b - a)[0]?.[1]
}

function valuesSet(update: Update | undefined): Item {
  return Object.fromEntries(
    update?.set.flatMap(({ path, value }) =>
      value.kind === 'value' ? [[printPath(path), value.value]] : [],
    ) ?? [],
  )
}
