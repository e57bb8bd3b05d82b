import {
  getOwn,
  type IndexDefinition,
  type KeyQuestion,
  type SchemaDefinition,
} from 'singletable/tools'
import { type Design, primaryNames } from './design.ts'
import type { DesignModel } from './design-model.ts'

/**
 * Templates that would answer a question: `index: { gsi1pk: 'STATUS#${status}', gsi1sk:
 * 'ORDER#${createdAt}' }`. They are in an index that the model is not in yet, or in a new one.
 */
export function candidateIndex(design: Design, model: DesignModel, question: KeyQuestion): string {
  const { definition } = design
  const separator = definition.params?.separator ?? '#'
  const { by, range } = question
  const isTime = range !== undefined && model.attributes.get(range)?.type === Date
  const hash =
    by.length === 0
      ? [upperWords(model.name), ...(isTime ? [`\${${range}:day}`] : [])].join(separator)
      : by.map((name) => component(design, name, model, separator)).join(separator)
  const own = primaryNames(design, model)
  const ends = [
    ...(range === undefined ? [] : [range]),
    ...own.filter((name) => !by.includes(name)),
  ]
  const sort = [
    upperWords(model.name),
    ...[...new Set(ends)].map((name) => `\${${name}${modifierOf(model, name)}}`),
  ].join(separator)
  const { index, keys, isNew } = freeIndex(design, model)
  const templates = `index: { ${keys[0]}: '${hash}', ${keys[1]}: '${sort}' }`
  return isNew
    ? `add the index ${index}: { hash: '${keys[0]}', sort: '${keys[1]}' } and to ${model.source} ${templates}`
    : `give ${model.source} ${templates}`
}

/** An index whose keys the model doesn't fill, or the name of one more. */
function freeIndex(
  { definition, keys }: Design,
  { name }: DesignModel,
): { readonly index: string; readonly keys: readonly [string, string]; readonly isNew: boolean } {
  const indexes = Object.entries<IndexDefinition>(definition.indexes ?? {})
  const used = new Set(keys.filter(({ model }) => model === name).map(({ index }) => index))
  for (const [index, { type, hash, sort }] of indexes) {
    const isFree = index !== 'primary' && type !== 'local' && !used.has(index)
    if (
      isFree &&
      typeof hash === 'string' &&
      typeof sort === 'string' &&
      !isPrimary(definition, hash)
    )
      return { index, keys: [hash, sort], isNew: false }
  }
  const isUpper = /^[A-Z]/.test(String(definition.indexes?.primary?.hash))
  for (let number = 1; ; number++) {
    const index = isUpper ? `GSI${number}` : `gsi${number}`
    if (getOwn(definition.indexes ?? {}, index) !== undefined) continue
    const [hash, sort] = isUpper ? [`${index}PK`, `${index}SK`] : [`${index}pk`, `${index}sk`]
    return { index, keys: [hash, sort], isNew: true }
  }
}

/** An inverted index has the keys of the table. */
function isPrimary({ indexes }: SchemaDefinition, hash: string): boolean {
  return hash === indexes?.primary?.sort || hash === indexes?.primary?.hash
}

/** `STATUS#${status}`; with the prefix that the attribute has in another key, where it has one. */
function component(design: Design, name: string, model: DesignModel, separator: string): string {
  const value = `\${${name}${modifierOf(model, name)}}`
  for (const { template } of design.keys) {
    const parts = template?.parts ?? []
    const at = parts.findIndex((part) => typeof part !== 'string' && part.name === name)
    const before = parts[at - 1]
    if (typeof before === 'string' && /[^\W_]/.test(before)) {
      return (before.startsWith(separator) ? before.slice(separator.length) : before) + value
    }
  }
  return upperWords(name) + separator + value
}

function modifierOf({ attributes }: DesignModel, name: string): string {
  const attribute = attributes.get(name)
  return attribute?.type === Number && attribute.pad === undefined && !attribute.encode
    ? ':pad(10)'
    : ''
}

/** `ORDER_LINE` for `OrderLine`. */
function upperWords(name: string): string {
  return name.replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, '_').toUpperCase()
}
