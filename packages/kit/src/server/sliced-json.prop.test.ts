import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { JSON_PLACEHOLDERS_MAX, JSON_STRING_MAX_CHARACTERS } from './limits.ts'
import { decodeInSlices, parseInSlices } from './sliced-json.ts'

/** What a parser makes of a text: its value, or that it is none. */
async function outcomeOf(parse: () => unknown): Promise<unknown> {
  try {
    return { value: await parse() }
  } catch {
    return 'not JSON'
  }
}

/** Both parsers agree, also on the order of members. */
async function compare(text: string, sliceCharacters: number): Promise<void> {
  const ours = await outcomeOf(() => parseInSlices(text, sliceCharacters))
  const native = await outcomeOf(() => JSON.parse(text))
  expect(ours).toEqual(native)
  expect(JSON.stringify(ours)).toBe(JSON.stringify(native))
}

const slices = fc.integer({ min: 1, max: 40 })

test('any JSON, however it is cut and laid out, is what JSON.parse makes of it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.nat(3), slices, async (value, blanks, slice) => {
      await compare(JSON.stringify(value, null, blanks), slice)
    }),
  )
})

test('a text with characters changed, left out or added is JSON for both or for none', async () => {
  const character = fc.constantFrom(...'{}[],:"\\ 01ea\n')
  await fc.assert(
    fc.asyncProperty(
      fc.jsonValue(),
      fc.array(fc.tuple(fc.nat(), fc.nat(2), character), { minLength: 1, maxLength: 3 }),
      slices,
      async (value, changes, slice) => {
        let text = JSON.stringify(value)
        for (const [place, removed, added] of changes) {
          const at = place % (text.length + 1)
          text = text.slice(0, at) + (place % 2 ? added : '') + text.slice(at + removed)
        }
        await compare(text, slice)
      },
    ),
    { numRuns: 500 },
  )
})

test.each([
  [
    'a member __proto__',
    `{"a":[1,2,3,4,5,6,7,8,9],"__proto__":{"x":[1,2,3,4,5,6,7,8,9,10]},"b":1}`,
  ],
  ['a name given twice', `{"a":[1,2,3,4,5,6,7,8,9],"b":1,"a":[9,8,7,6,5,4,3,2,1]}`],
  [
    'escaped quotes and backslashes',
    `["\\\\","\\"","\\\\\\"",{"\\"":"\\\\"},"aaaaaaaaaaaaaaaaaaaaaaaa"]`,
  ],
  ['a comma too many', '[1,2,3,4,5,6,7,8,9,10,]'],
  ['brackets that do not fit', '[[1,2,3,4,5,6,7,8,9,10},{"a":1]]'],
  ['blanks in an empty object and an empty list', `{"a":{${' '.repeat(12)}},"b":[\n\n\n\n]}`],
  ['blanks and a comma in an empty list', '[    ,    ]'],
  ['two values', '[1,2,3,4,5,6,7,8,9,10] 1'],
  ['no end', '[1,2,3,4,5,6,7,8,9,10'],
  ['nothing', ''],
])('%s', async (_name, text) => {
  for (const slice of [1, 3, 10, 1000]) await compare(text, slice)
})

test.each([199, 200, 201])('%i levels', async (levels) => {
  const text = `${'['.repeat(levels)}${'1,'.repeat(30)}1${']'.repeat(levels)}`
  const parsed = outcomeOf(() => parseInSlices(text, 20))
  expect((await parsed) === 'not JSON').toBe(levels > 200)
})

test.each([
  ['plain', 'x'],
  ['escaped', '\\u00e9'],
  ['short escapes', '\\n'],
])('of a longer string than any in a valid request, that much is kept: %s', async (_what, unit) => {
  for (const more of [0, 1, 3, 6]) {
    const length = JSON_STRING_MAX_CHARACTERS + more
    const padded = 'y'.repeat(length % unit.length) + unit.repeat(Math.floor(length / unit.length))
    const parsed = (await parseInSlices(`{"x":"${padded}","y":1}`)) as { x: string; y: number }
    const whole = JSON.parse(`"${padded}"`) as string
    expect(whole.startsWith(parsed.x)).toBe(true)
    if (more <= 0) expect(parsed.x.length).toBe(whole.length)
    expect(parsed.y).toBe(1)
  }
})

test('bytes that are cut anywhere are the text they stand for, and nothing else is UTF-8', async () => {
  const text = `\ufeff${'aé漢😀'.repeat(60_000)}`
  expect(await decodeInSlices(Buffer.from(text))).toBe(text)
  for (const bytes of [[0xc3], [0xff], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98]]) {
    await expect(
      decodeInSlices(Buffer.concat([Buffer.from(text), Buffer.from(bytes)])),
    ).rejects.toThrow()
  }
})

test('placeholders beyond what the engine takes are not kept, and attributes of the same name are', async () => {
  const members = Array.from({ length: 30_000 }, (_, n) => `":v${n}":{"N":"1"}`).join(',')
  const parsed = (await parseInSlices(
    `{"a":{"ExpressionAttributeValues":{${members}}},"ExpressionAttributeValues":{"M":{${members}}},"x":{${members}},"ScanFilter":{${members}}}`,
  )) as Record<string, Record<string, object>>
  expect(Object.keys(parsed.a!.ExpressionAttributeValues!)).toHaveLength(JSON_PLACEHOLDERS_MAX)
  expect(Object.keys(parsed.ScanFilter!)).toHaveLength(JSON_PLACEHOLDERS_MAX)
  expect(Object.keys(parsed.ExpressionAttributeValues!.M!)).toHaveLength(30_000)
  expect(Object.keys(parsed.x!)).toHaveLength(30_000)
})

const MEGABYTES = 1_500_000

test.each([
  ['a list', `{"x":[${'{},'.repeat(MEGABYTES / 3)}{}]}`],
  ['escaped quotes', `{"x":"${'\\"'.repeat(MEGABYTES)}"}`],
  ['backslashes', `{"x":"${'\\\\'.repeat(MEGABYTES)}"}`],
  ['blanks', `{"x":${' '.repeat(4 * MEGABYTES)}1}`],
  [
    'lists in lists',
    `{"x":[${`${'['.repeat(100)}${']'.repeat(100)},`.repeat(MEGABYTES / 200)}[]]}`,
  ],
])('others have their turn while megabytes of %s are parsed', async (_what, text) => {
  // Every slice counts as a long one, so that turns do not depend on the speed of the machine.
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 20
    return now
  })
  let turns = 0
  let isParsed = false
  const count = (): void => {
    turns++
    if (!isParsed) setImmediate(count)
  }
  setImmediate(count)
  expect(await parseInSlices(text)).toHaveProperty('x')
  isParsed = true
  clock.mockRestore()
  expect(turns).toBeGreaterThan(3)
})
