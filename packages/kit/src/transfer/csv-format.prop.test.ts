import fc from 'fast-check'
import { compileSchema, type Item } from 'singletable/tools'
import { expect, test } from 'vitest'
import { csvFormat } from './csv-format.ts'
import { readCsvRecords } from './csv-records.ts'

const RUNS = Number(process.env.PROPERTY_RUNS ?? 200)

const schema = compileSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    Post: {
      key: { pk: 'POST#${id}', sk: 'POST' },
      attributes: {
        id: { type: String, required: true },
        '=title': { type: String },
        likes: { type: Number },
        isPublic: { type: Boolean },
        image: { type: Uint8Array },
        tags: { type: Array, items: { type: String } },
      },
    },
  },
})

/** Strings that CSV and spreadsheets make difficult, and any others. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', ' ', '"', ',', ';', '\ufeff', 'a'),
      { maxLength: 6 },
    )
    .map((signs) => signs.join('')),
  fc.constantFrom("=cmd|' /C calc'!A0", "'=1", "''=1", '-5', '+49 30', '\uff1d1', '1', 'true', '#'),
)

const number = fc.oneof(
  fc.integer().map(String),
  fc.constantFrom('-5', '-0.5', '1E+125', '-1.5E-7', '12345678901234567890123456789012345678'),
)

const item: fc.Arbitrary<Item> = fc
  .record(
    {
      _type: fc.constant({ S: 'Post' }),
      id: text.map((S) => ({ S })),
      '=title': fc.oneof(
        text.map((S) => ({ S })),
        number.map((N) => ({ N })),
      ),
      likes: fc.oneof(
        number.map((N) => ({ N })),
        text.map((S) => ({ S })),
      ),
      isPublic: fc.boolean().map((BOOL) => ({ BOOL })),
      image: fc.uint8Array().map((bytes) => ({ B: Buffer.from(bytes).toString('base64') })),
      tags: fc.array(text).map((strings) => ({ L: strings.map((S) => ({ S })) })),
      undeclared: text.map((S) => ({ S })),
    },
    { requiredKeys: ['_type'] },
  )
  // The type of the text is of no use without its keys, which may be any text as well.
  .chain((rest) =>
    fc
      .record({ pk: text, sk: text })
      .map(({ pk, sk }) => ({ pk: { S: pk }, sk: { S: sk }, ...rest })),
  )

/** The text in pieces of any length, as a file is read. */
async function* inPieces(whole: string, length: number): AsyncGenerator<string> {
  const characters = [...whole]
  for (let at = 0; at < characters.length; at += length) {
    yield characters.slice(at, at + length).join('')
  }
}

test.each([false, true])('any items are read back as they were (raw: %s)', async (raw) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { maxLength: 5 }),
      fc.integer({ min: 1, max: 90 }),
      async (items, length) => {
        const format = csvFormat(schema, { raw })
        const file = format.header + items.map((each) => format.print(each)).join('')
        const back: Item[] = []
        for await (const each of format.read(inPieces(file, length), 'items.csv'))
          back.push(each.item)
        expect(back).toEqual(items)
      },
    ),
    { numRuns: RUNS },
  )
})

test('no cell of an export is a formula, and numbers stay numbers', async () => {
  const isNumber = /^-?\d+(\.\d+)?(E[+-]?\d+)?$/
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 5 }), async (items) => {
      const format = csvFormat(schema)
      const file = format.header + items.map((each) => format.print(each)).join('')
      for await (const { cells } of readCsvRecords(inPieces(file, 1000), 'items.csv')) {
        for (const cell of cells) {
          expect(
            isNumber.test(cell) || !/^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/.test(cell),
          ).toBe(true)
        }
      }
    }),
    { numRuns: RUNS },
  )
})

test('a number below zero is a number where the schema says so, and a guarded text elsewhere', () => {
  const format = csvFormat(schema)
  const printed = format.print({
    pk: { S: '-5' },
    sk: { S: "'-5" },
    _type: { S: 'Post' },
    id: { S: "it's" },
    '=title': { S: '=1+1' },
    likes: { N: '-5' },
  })
  expect(format.header).toBe("pk,sk,_type,id,'=title,likes,isPublic,image,tags,(other)\n")
  expect(printed).toBe("'-5,''-5,Post,it's,'=1+1,-5,,,,\n")
  expect(format.notes()[1]).toContain('3 cells begin like a formula')
})

test('a record says the line it begins on, whatever line ends are in the records before it', async () => {
  const file = 'a,b\r\n\r\n"1\r\n2\n",x\n\n\n3,4\n5,"6'
  const linesOf = async (text: string): Promise<readonly number[]> => {
    const lines: number[] = []
    for await (const { line } of readCsvRecords(inPieces(text, 3), 'items.csv')) lines.push(line)
    return lines
  }
  expect(await linesOf(`${file}"`)).toEqual([1, 3, 8, 9])
  await expect(linesOf(file)).rejects.toMatchObject({ where: 'items.csv:9' })
})
