import {
  type AttributeValue,
  getOwn,
  type Item,
  type Model,
  modelOf,
  type Schema,
  setOwn,
} from 'singletable/tools'
import { countOf } from '../text/counts.ts'
import { printCsvRecord, readCsvRecords } from './csv-records.ts'
import { guardCell, unguardCell } from './formula-cells.ts'
import type { FileRecord, ItemFormat } from './item-format.ts'
import { isAttributeValue, isItem } from './json-lines.ts'
import { TransferError } from './transfer-error.ts'

/** The column for attributes that have none of their own, as DynamoDB JSON. */
const OTHER = '(other)'

type Tag = 'S' | 'N' | 'B' | 'BOOL'

/** What a spreadsheet takes for a number and nothing else: DynamoDB's own form of one. */
const PLAIN_NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/

/**
 * A table of text: a column for each key attribute and each attribute that a model declares. Cells
 * have strings, numbers, booleans and base64 as they are, anything else as DynamoDB JSON; the
 * schema alone says which types they have. Cells that a spreadsheet would execute get an apostrophe
 * in front, unless `raw` is set.
 */
export function csvFormat(
  schema: Schema,
  { raw = false }: { readonly raw?: boolean } = {},
): ItemFormat {
  const { typeField } = schema.params
  const columns = [
    ...new Set([
      ...schema.keyTypes.keys(),
      typeField,
      ...[...schema.models.values()].flatMap(({ attributes }) =>
        [...attributes.values()].flatMap(({ stored, codec }) => (codec.unstored ? [] : stored)),
      ),
    ]),
  ].filter((name) => name !== OTHER)
  const types = columnTypes(schema)
  const seen = { other: 0, structured: 0, guarded: 0 }
  const guard = (text: string): string => {
    const guarded = raw ? text : guardCell(text)
    if (guarded !== text) seen.guarded++
    return guarded
  }
  const unguard = raw ? (text: string): string => text : unguardCell

  const print = (item: Item): string => {
    const known = types(modelOf({ schema }, item))
    const other: { [name: string]: AttributeValue } = {}
    const cells = new Map<string, string>()
    for (const [name, value] of Object.entries(item)) {
      const tag = known(name)
      const text = columns.includes(name) ? printValue(value, tag) : undefined
      if (text === undefined) setOwn(other, name, value)
      else {
        if (tag === undefined) seen.structured++
        cells.set(name, tag === 'N' && PLAIN_NUMBER.test(text) ? text : guard(text))
      }
    }
    if (Object.keys(other).length > 0) {
      seen.other++
      cells.set(OTHER, JSON.stringify(other))
    }
    return printCsvRecord([...columns, OTHER].map((name) => cells.get(name)))
  }

  async function* read(
    chunks: AsyncIterable<string>,
    file: string,
    linesBefore = 0,
  ): AsyncGenerator<FileRecord, void, undefined> {
    let names: readonly string[] | undefined
    for await (const { cells: written, line } of readCsvRecords(chunks, file, linesBefore)) {
      const cells = written.map(unguard)
      const where = `${file}:${line}`
      if (names === undefined) {
        names = readHeader(cells, where)
        continue
      }
      if (cells.length !== names.length) {
        throw new TransferError(
          `The record has ${cells.length} cells, the header ${names.length}.`,
          {
            where,
            fix: 'give each record a cell for each column',
          },
        )
      }
      yield { item: readItem(names, cells, where), line }
    }
  }

  const readItem = (names: readonly string[], cells: readonly string[], where: string): Item => {
    const item: { [name: string]: AttributeValue } = {}
    const fill = (
      isWanted: (name: string) => boolean,
      tagOf: (name: string) => Tag | undefined,
    ): void => {
      for (const [at, name] of names.entries()) {
        const text = cells[at]
        if (text === undefined || text === '' || !isWanted(name)) continue
        setOwn(item, name, readValue(text, tagOf(name), `${where}, column "${name}"`))
      }
    }
    // Keys and type come first: they determine the model, and the model determines the types of all
    // else.
    const determinesModel = (name: string): boolean =>
      name === typeField || schema.keyTypes.has(name)
    fill(determinesModel, types(undefined))
    fill((name) => !determinesModel(name) && name !== OTHER, types(modelOf({ schema }, item)))
    const other = cells[names.indexOf(OTHER)] ?? ''
    if (other === '') return item
    const more = parseJson(other)
    if (!isItem(more)) throw noValue(where, OTHER, 'attributes in DynamoDB JSON')
    for (const [name, value] of Object.entries(more)) setOwn(item, name, value)
    return item
  }

  return {
    name: raw ? 'raw csv' : 'csv',
    header: printCsvRecord([...columns, OTHER].map((name) => (raw ? name : guardCell(name)))),
    print,
    read,
    notes: () => [
      'CSV has no types: reading it back needs this schema.',
      ...(raw
        ? [
            'Cells are as they are: load the file with --raw too, and do not open it in a spreadsheet, which would execute formulas in it.',
          ]
        : []),
      ...(seen.guarded > 0
        ? [
            `${countOf(seen.guarded, 'cell begins', 'cells begin')} like a formula; there an apostrophe comes first, so that no spreadsheet executes it, and load removes it.`,
          ]
        : []),
      ...(seen.structured > 0
        ? [
            `Lists, maps, sets and values of any type are JSON, in ${countOf(seen.structured, 'cell')}.`,
          ]
        : []),
      ...(seen.other > 0
        ? [
            `${countOf(seen.other, 'item has', 'items have')} attributes that the schema does not declare in that form; they are in the column "${OTHER}" as JSON.`,
          ]
        : []),
    ],
  }
}

/** The type of a column's cells, for the items of a model; undefined where each has to say it by
 * itself. */
function columnTypes(
  schema: Schema,
): (model: Model | undefined) => (name: string) => Tag | undefined {
  const byModel = new Map<Model, ReadonlyMap<string, Tag | undefined>>()
  for (const model of schema.models.values()) {
    const tags = Array.from(
      model.attributes.values(),
      ({ stored, codec }): [string, Tag | undefined] => {
        const { tag } = codec
        const isPlain = tag === 'S' || tag === 'N' || tag === 'B' || tag === 'BOOL'
        return [stored, isPlain && !codec.opaque ? tag : undefined]
      },
    )
    byModel.set(model, new Map(tags))
  }
  const keyTypes = schema.keyTypes
  return (model) => {
    const tags = model && byModel.get(model)
    return (name) =>
      keyTypes.get(name) ?? (name === schema.params.typeField ? 'S' : tags?.get(name))
  }
}

/** The text of a cell; undefined if what the reader would make of it is something else, as of an
 * empty one. */
function printValue(value: AttributeValue, tag: Tag | undefined): string | undefined {
  if (tag === undefined) return JSON.stringify(value)
  const plain = getOwn(value as { readonly [tag: string]: unknown }, tag)
  return plain === undefined || plain === '' ? undefined : String(plain)
}

function readValue(text: string, tag: Tag | undefined, where: string): AttributeValue {
  switch (tag) {
    case 'S':
      return { S: text }
    case 'B':
      return { B: text }
    case 'N':
      if (!/^-?\d*\.?\d+([eE][+-]?\d+)?$/.test(text)) throw noValue(where, text, 'a number')
      return { N: text }
    case 'BOOL':
      if (text !== 'true' && text !== 'false') throw noValue(where, text, 'true or false')
      return { BOOL: text === 'true' }
    default: {
      const value = parseJson(text)
      if (!isAttributeValue(value)) throw noValue(where, text, 'a value in DynamoDB JSON')
      return value
    }
  }
}

function readHeader(names: readonly string[], where: string): readonly string[] {
  const twice = names.find((name, at) => name === '' || names.indexOf(name) !== at)
  if (twice === undefined) return names
  throw new TransferError(
    `The header has the column "${twice}" twice, or a column without a name.`,
    {
      where,
      fix: 'name each column once, by the name the attribute is stored under',
    },
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function noValue(where: string, text: string, expected: string): TransferError {
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text
  return new TransferError(`"${shown}" is not ${expected}.`, { where, fix: `give ${expected}` })
}
