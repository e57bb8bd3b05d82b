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

async function refused(t: Conformance, request: object, message: string | RegExp): Promise<void> {
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
const calls = (count: number) => Array(count).fill('contains(a,:v)').join('OR ')
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

  test('150 function calls joined by OR are legal', (t) => send(t, condition(calls(150))))
  test('151 function calls joined by OR are legal, since calls do not count', (t) =>
    send(t, condition(calls(151))))

  for (const count of [98, 99]) {
    test(`IN with ${count} values is legal`, (t) => send(t, condition(list(count))))
  }
  test('IN with 100 values is refused, since the operand before it counts too', (t) =>
    refused(
      t,
      condition(list(100)),
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

  const MEGABYTE = 1_048_576
  /** The text has 7 bytes. */
  const withValueOf = (bytes: number) => ({
    ConditionExpression: 'a <> :v',
    ExpressionAttributeValues: { ':v': { S: 'x'.repeat(bytes - 7) } },
  })
  for (const bytes of [MEGABYTE - 1, MEGABYTE]) {
    test(`an expression of ${bytes} bytes with its values is legal`, (t) =>
      send(t, withValueOf(bytes)))
  }
  test(`an expression of ${MEGABYTE + 1} bytes with its values is refused`, (t) =>
    refused(
      t,
      withValueOf(MEGABYTE + 1),
      'Invalid ConditionExpression: Expression size has exceeded the maximum allowed size;',
    ))
  test('a value counts as often as it is used', (t) =>
    refused(
      t,
      {
        ConditionExpression: 'a <> :v AND b <> :v',
        ExpressionAttributeValues: { ':v': { S: 'x'.repeat(MEGABYTE / 2) } },
      },
      'Invalid ConditionExpression: Expression size has exceeded the maximum allowed size;',
    ))

  /** Placeholders of this many bytes that no expression uses, which is reported only for those that
   * are not too large. */
  const LIMIT = 2 * MEGABYTE
  const unusedValues = (bytes: number) => ({ ':u': { S: 'x'.repeat(bytes - 2) } })
  const unusedNames = (bytes: number) => {
    const names: Record<string, string> = {}
    for (let left = bytes; left > 0; left -= 60_000) {
      const name = `#${Object.keys(names).length + 100}`
      names[name] = 'x'.repeat(Math.min(left, 60_000) - name.length)
    }
    return names
  }
  const UNUSED = 'Value provided in ExpressionAttribute'
  const sizes: [names: number, values: number, message: string | RegExp][] = [
    [0, LIMIT - 1, `${UNUSED}Values unused in expressions: keys: {:u}`],
    [0, LIMIT, `${UNUSED}Values unused in expressions: keys: {:u}`],
    [0, LIMIT + 1, 'ExpressionAttributeValues exceeds max size'],
    [LIMIT - 1, 0, /^Value provided in ExpressionAttributeNames unused in expressions: keys: /],
    [LIMIT, 0, /^Value provided in ExpressionAttributeNames unused in expressions: keys: /],
    [LIMIT + 1, 0, 'ExpressionAttributeNames exceeds max size'],
    [MEGABYTE, MEGABYTE, /^Value provided in ExpressionAttributeNames unused in expressions: /],
    [
      MEGABYTE,
      MEGABYTE + 1,
      'Combined size of ExpressionAttributeNames and ExpressionAttributeValues exceeds max size',
    ],
  ]
  for (const [names, values, message] of sizes) {
    test(`names of ${names} and values of ${values} bytes are refused for the right reason`, (t) =>
      refused(
        t,
        {
          ConditionExpression: 'attribute_exists(a)',
          ...(names > 0 && { ExpressionAttributeNames: unusedNames(names) }),
          ...(values > 0 && { ExpressionAttributeValues: unusedValues(values) }),
        },
        message,
      ))
  }
})
