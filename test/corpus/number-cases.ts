import { expect } from 'vitest'
import {
  type CorpusCase,
  invalid,
  KEY,
  type Refusal,
  refused,
  row,
  type Setup,
} from './corpus-case.ts'

const OVERFLOW = invalid(
  'Number overflow. Attempting to store a number with magnitude larger than supported range',
)
const UNDERFLOW = invalid(
  'Number underflow. Attempting to store a number with magnitude smaller than supported range',
)

const putNumber = (id: string, name: string, text: string, refusal: Refusal): CorpusCase =>
  refused(id, name, 'PutItem', { TableName: 'table', Item: { ...KEY, n: { N: text } } }, refusal)
const noNumber = (id: string, name: string, text: string): CorpusCase =>
  putNumber(
    id,
    name,
    text,
    invalid(`The parameter cannot be converted to a numeric value: ${text}`),
  )
const stored = (id: string, name: string, text: string, output: string): CorpusCase =>
  row(id, name, async ({ send }) => {
    await send('PutItem', { TableName: 'table', Item: { ...KEY, n: { N: text } } })
    const { Item } = await send('GetItem', { TableName: 'table', Key: KEY })
    expect(Item.n).toEqual({ N: output })
  })

/** An update that would give a number out of bounds leaves the item as it was. */
async function refusesSum(setup: Setup, n: string, update: string, v: string): Promise<void> {
  const get = () => setup.send('GetItem', { TableName: 'table', Key: KEY })
  await setup.send('PutItem', { TableName: 'table', Item: { ...KEY, n: { N: n } } })
  const before = await get()
  const request = {
    TableName: 'table',
    Key: KEY,
    UpdateExpression: update,
    ExpressionAttributeValues: { ':v': { N: v } },
  }
  await setup.refuses('UpdateItem', request, OVERFLOW)
  expect(await get()).toEqual(before)
}

/** Numbers that are none, and numbers at the ends of the range. */
export const numberCases: readonly CorpusCase[] = [
  putNumber(
    'N1',
    'an empty string is not a number',
    '',
    invalid('The parameter cannot be converted to a numeric value'),
  ),
  noNumber('N2', 'a number has no blank before it', ' 1'),
  noNumber('N3', 'a number has no blank after it', '1 '),
  noNumber('N4', 'digits are not grouped by underlines', '1_000'),
  noNumber('N5', 'numbers are not hexadecimal', '0x10'),
  noNumber('N6', 'NaN is not a number', 'NaN'),
  noNumber('N7', 'Infinity is not a number', 'Infinity'),
  noNumber('N8', 'an exponent has digits', '1e'),
  noNumber('N9', 'a point alone is not a number', '.'),
  noNumber('N10', 'one sign is enough', '--1'),
  noNumber('N11', 'fractions begin with a point', '1,5'),
  noNumber('N12', 'digits are those of ASCII', '١'),
  putNumber(
    'N13',
    '39 digits are too many',
    '1'.repeat(39),
    invalid('Attempting to store more than 38 significant digits in a Number'),
  ),
  stored(
    'N14',
    'zeros at the end are not significant digits',
    `${'1'.repeat(38)}000`,
    `${'1'.repeat(38)}000`,
  ),
  putNumber('N15', 'ten to the power of 126 is too large', '1E126', OVERFLOW),
  stored(
    'N16',
    'the largest number is stored',
    `9.${'9'.repeat(37)}E125`,
    `${'9'.repeat(38)}${'0'.repeat(88)}`,
  ),
  putNumber('N17', 'ten to the power of -131 is too small', '1E-131', UNDERFLOW),
  stored('N18', 'the smallest number is stored', '1E-130', `0.${'0'.repeat(129)}1`),
  putNumber(
    'N19',
    'an enormous exponent is refused before it is computed',
    '1e999999999',
    OVERFLOW,
  ),
  putNumber('N19', 'an enormous negative exponent likewise', '1e-999999999', UNDERFLOW),
  putNumber('N19', 'an exponent of a thousand digits likewise', `1e${'9'.repeat(1000)}`, OVERFLOW),
  stored('N20', 'zero is zero with every exponent', '0e126', '0'),
  stored('N21', 'zero has no sign', '-0', '0'),
  stored('N22', 'numbers are given back in their shortest form', '+1.50', '1.5'),
  row('N23', 'two ways to write a number are one key', async ({ send }) => {
    await send('PutItem', { TableName: 'numbers', Item: { pk: { N: '1e3' }, v: { S: 'first' } } })
    await send('PutItem', { TableName: 'numbers', Item: { pk: { N: '1000' }, v: { S: 'second' } } })
    const { Items } = await send('Scan', { TableName: 'numbers' })
    expect(Items).toEqual([{ pk: { N: '1000' }, v: { S: 'second' } }])
  }),
  refused(
    'N24',
    'two ways to write a number are duplicates in a set',
    'PutItem',
    { TableName: 'table', Item: { ...KEY, n: { NS: ['1', '1.0'] } } },
    invalid('Input collection contains duplicates'),
  ),
  row('N25', 'a sum beyond the range is refused', (setup) =>
    refusesSum(setup, '9e125', 'ADD n :v', '9e125'),
  ),
  row('N26', 'a sum of more than 38 digits is refused', (setup) =>
    refusesSum(setup, '1e50', 'SET n = n + :v', '1'),
  ),
]
