import { type Conformance, conformance } from '../conformance.ts'
import { KEY } from '../item-cases.ts'

/** Sends the condition with those of :v and #n that it uses; whether it holds is of no interest. */
async function send(t: Conformance, request: object): Promise<void> {
  const TableName = await t.table()
  try {
    await t.send('UpdateItem', { TableName, Key: KEY, ...request })
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ConditionalCheckFailedException')) throw error
  }
}

async function refused(t: Conformance, request: object, message: string): Promise<void> {
  const TableName = await t.table()
  await t.fails('UpdateItem', { TableName, Key: KEY, ...request }, 'ValidationException', message)
}

const one = { ':v': { N: '1' } }
const condition = (text: string) => ({
  ConditionExpression: text,
  ExpressionAttributeValues: one,
})
const path = (depth: number) => Array.from({ length: depth }, (_, index) => `a${index}`).join('.')
const operators = (count: number) => `${'NOT '.repeat(count - 1)}a=:v`
const alternatives = (count: number) => Array(count).fill('a=:v').join(' OR ')
const list = (count: number) => `a IN (${Array(count).fill(':v').join(',')})`
const nameOf = (bytes: number, sigil: string) => sigil + 'n'.repeat(bytes - 1)

conformance('Limits of expressions', (test) => {
  for (const bytes of [4095, 4096]) {
    test(`a condition of ${bytes} bytes is legal`, (t) =>
      send(t, condition('a = :v'.padEnd(bytes))))

    test(`an update of ${bytes} bytes is legal`, (t) =>
      send(t, { UpdateExpression: 'REMOVE a'.padEnd(bytes) }))
  }

  test('a condition of 4097 bytes is refused', (t) =>
    refused(
      t,
      condition('a = :v'.padEnd(4097)),
      'Invalid ConditionExpression: Expression size has exceeded the maximum allowed size; expression size: 4097',
    ))

  test('the size of a condition counts bytes, and comes before its syntax', (t) =>
    refused(
      t,
      { ConditionExpression: 'ü'.repeat(2049) },
      'Invalid ConditionExpression: Expression size has exceeded the maximum allowed size; expression size: 4098',
    ))

  test('an update of 4097 bytes is refused', (t) =>
    refused(
      t,
      { UpdateExpression: 'REMOVE a'.padEnd(4097) },
      'Invalid UpdateExpression: Expression size has exceeded the maximum allowed size;',
    ))

  test('a projection of 4097 bytes is refused', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'GetItem',
      { TableName, Key: KEY, ProjectionExpression: 'a'.repeat(4097) },
      'ValidationException',
      'Invalid ProjectionExpression: Expression size has exceeded the maximum allowed size;',
    )
  })

  test('a projection of 4096 bytes is legal', async (t) => {
    const TableName = await t.table()
    await t.send('GetItem', { TableName, Key: KEY, ProjectionExpression: 'a'.repeat(4096) })
  })

  const TOO_MANY =
    'Invalid ConditionExpression: The expression contains too many operators; operator count: 301'
  for (const count of [299, 300]) {
    test(`${count} operators are legal`, (t) => send(t, condition(operators(count))))
  }
  test('301 operators are refused', (t) => refused(t, condition(operators(301)), TOO_MANY))
  test('150 comparisons joined by OR are legal', (t) => send(t, condition(alternatives(150))))
  test('151 comparisons joined by OR are refused', (t) =>
    refused(t, condition(alternatives(151)), TOO_MANY))

  for (const count of [99, 100]) {
    test(`IN with ${count} values is legal`, (t) => send(t, condition(list(count))))
  }
  test('IN with 101 values is refused', (t) =>
    refused(
      t,
      condition(list(101)),
      'Invalid ConditionExpression: The IN operator is provided with too many operands; number of operands: 101',
    ))

  for (const depth of [31, 32]) {
    test(`a path of ${depth} steps is legal`, (t) => send(t, condition(`${path(depth)} = :v`)))
  }
  test('a path of 33 steps is refused', (t) =>
    refused(
      t,
      condition(`${path(33)} = :v`),
      'Invalid ConditionExpression: The document path has too many nesting levels; nesting levels: 33',
    ))

  test('an update may not have a path of 33 steps', (t) =>
    refused(
      t,
      { UpdateExpression: `REMOVE ${path(33)}` },
      'Invalid UpdateExpression: The document path has too many nesting levels; nesting levels: 33',
    ))

  for (const bytes of [254, 255]) {
    test(`placeholders of ${bytes} bytes are legal`, (t) => {
      const [name, value] = [nameOf(bytes, '#'), nameOf(bytes, ':')]
      return send(t, {
        ConditionExpression: `${name} = ${value}`,
        ExpressionAttributeNames: { [name]: 'a' },
        ExpressionAttributeValues: { [value]: { N: '1' } },
      })
    })
  }

  test('a name of 256 bytes is refused', (t) => {
    const name = nameOf(256, '#')
    return refused(
      t,
      {
        ConditionExpression: `attribute_exists(${name})`,
        ExpressionAttributeNames: { [name]: 'a' },
      },
      'ExpressionAttributeNames contains invalid key: The expression attribute map contains a key that is too long; size of key: 256',
    )
  })

  test('a value of 256 bytes is refused', (t) => {
    const value = nameOf(256, ':')
    return refused(
      t,
      {
        ConditionExpression: `a = ${value}`,
        ExpressionAttributeValues: { [value]: { N: '1' } },
      },
      'ExpressionAttributeValues contains invalid key: The expression attribute map contains a key that is too long;',
    )
  })

  const abysses: Record<string, [text: string, message: string]> = {
    '4096 parentheses': ['('.repeat(4096), 'Syntax error; token: "<EOF>", near: "("'],
    '1024 times NOT': ['NOT '.repeat(1024), 'Syntax error; token: "<EOF>", near: "NOT "'],
    '2000 pairs of parentheses': [
      `${'('.repeat(2000)}a=:v${')'.repeat(2000)}`,
      'The expression has redundant parentheses;',
    ],
  }
  for (const [name, [text, message]] of Object.entries(abysses)) {
    test(`${name} are refused without a crash`, (t) =>
      refused(
        t,
        text.includes(':v') ? condition(text) : { ConditionExpression: text },
        `Invalid ConditionExpression: ${message}`,
      ))
  }
})
