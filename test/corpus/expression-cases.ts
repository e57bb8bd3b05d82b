import { expect } from 'vitest'
import {
  type CorpusCase,
  invalid,
  KEY,
  type Refusal,
  refused,
  row,
  type Setup,
  wrongValues,
} from './corpus-case.ts'

type Values = Readonly<Record<string, object>>
const ONE: Values = { ':v': { N: '1' } }

const conditional = (expression: string, values?: Values, names?: object) => ({
  TableName: 'table',
  Item: KEY,
  ConditionExpression: expression,
  ...(values === undefined ? {} : { ExpressionAttributeValues: values }),
  ...(names === undefined ? {} : { ExpressionAttributeNames: names }),
})
/** Refused as a condition, with this text behind the name of the parameter. */
const condition = (
  id: string,
  name: string,
  expression: string,
  message: string,
  values?: Values,
): CorpusCase =>
  refused(
    id,
    name,
    'PutItem',
    conditional(expression, values),
    invalid(`Invalid ConditionExpression: ${message}`),
  )

const updating = (expression: string, values?: Values, names?: object) => ({
  TableName: 'table',
  Key: KEY,
  UpdateExpression: expression,
  ...(values === undefined ? {} : { ExpressionAttributeValues: values }),
  ...(names === undefined ? {} : { ExpressionAttributeNames: names }),
})
const update = (
  id: string,
  name: string,
  expression: string,
  message: string,
  values?: Values,
  names?: object,
): CorpusCase =>
  refused(
    id,
    name,
    'UpdateItem',
    updating(expression, values, names),
    invalid(`Invalid UpdateExpression: ${message}`),
  )
const projection = (id: string, name: string, expression: string, message: string): CorpusCase =>
  refused(
    id,
    name,
    'GetItem',
    { TableName: 'table', Key: KEY, ProjectionExpression: expression },
    invalid(`Invalid ProjectionExpression: ${message}`),
  )
const statement = (id: string, name: string, Statement: string, message: RegExp): CorpusCase =>
  refused(id, name, 'ExecuteStatement', { Statement }, invalid(message))
/** An update that the stored item doesn't allow leaves it as it was. */
const appliedTo = (
  id: string,
  name: string,
  expression: string,
  refusal: Refusal,
  values: Values,
): CorpusCase =>
  row(id, name, async ({ send, refuses }) => {
    const Item = { ...KEY, a: { S: 'x' }, n: { N: '1' } }
    await send('PutItem', { TableName: 'table', Item })
    await refuses('UpdateItem', updating(expression, values), refusal)
    expect((await send('GetItem', { TableName: 'table', Key: KEY })).Item).toEqual(Item)
  })

/** Whether the condition holds for the item `{ a: 1 }`. */
async function holds(setup: Setup, expression: string): Promise<boolean> {
  await setup.send('PutItem', { TableName: 'table', Item: { ...KEY, a: { N: '1' } } })
  const { Count } = await setup.send('Scan', {
    TableName: 'table',
    FilterExpression: expression,
    ExpressionAttributeValues: ONE,
  })
  return Count === 1
}

const syntax = (token: string, near: string) => `Syntax error; token: "${token}", near: "${near}"`
const overlap = (one: string, two: string) =>
  `Two document paths overlap with each other; must remove or rewrite one of these paths; path one: ${one}, path two: ${two}`
const path = (steps: number) => Array.from({ length: steps }, (_, index) => `a${index}`).join('.')
const TWO: Values = { ':v': { N: '1' }, ':w': { N: '2' } }

/** Expressions that can't be read, bound or applied. */
export const expressionCases: readonly CorpusCase[] = [
  condition('E1', 'an expression is not empty', '', 'The expression can not be empty;'),
  condition('E2', 'blanks alone are not an expression', '   ', syntax('<EOF>', '   ')),
  condition(
    'E3',
    'an expression of 4097 bytes is refused before it is read',
    '('.repeat(4097),
    'Expression size has exceeded the maximum allowed size; expression size: 4097',
  ),
  condition('E4', '4096 parentheses are refused', '('.repeat(4096), syntax('<EOF>', '(')),
  row('E5', 'NOT may be repeated 299 times', async (setup) => {
    expect(await holds(setup, `${'NOT '.repeat(299)}a = :v`)).toBe(false)
    expect(await holds(setup, `${'NOT '.repeat(298)}a = :v`)).toBe(true)
  }),
  condition(
    'E5',
    'NOT a thousand times has too many operators',
    `${'NOT '.repeat(1000)}a = :v`,
    'The expression contains too many operators; operator count: 301',
    ONE,
  ),
  condition(
    'E6',
    '301 operators are too many',
    Array(151).fill('a = :v').join(' AND '),
    'The expression contains too many operators; operator count: 301',
    ONE,
  ),
  condition(
    'E7',
    'two pairs of parentheses are one too many',
    '((a = :v))',
    'The expression has redundant parentheses;',
    ONE,
  ),
  row('E8', 'one pair of parentheses is fine', async (setup) => {
    expect(await holds(setup, '(a = :v)')).toBe(true)
  }),
  condition('E9', 'a name alone is not a condition', 'a', syntax('<EOF>', 'a')),
  condition('E10', 'a comparison has two sides', 'a = ', syntax('<EOF>', '= ')),
  condition('E11', 'a comparison has a left side', '= :v', syntax('=', '= :v'), ONE),
  condition('E12', 'equality is one sign', 'a == :v', syntax('=', '== :v'), ONE),
  condition('E13', 'inequality is not written with a !', 'a != :v', syntax('!', 'a !='), ONE),
  condition('E14', 'IN asks for values', 'a IN ()', syntax(')', '()')),
  condition(
    'E15',
    'IN takes a hundred operands, the one before it included',
    `a IN (${Array(100).fill(':v').join(',')})`,
    'The IN operator is provided with too many operands; number of operands: 101',
    ONE,
  ),
  condition('E16', 'BETWEEN has two bounds', 'a BETWEEN :v', syntax('<EOF>', ':v'), ONE),
  condition(
    'E17',
    'the lower bound comes first',
    'a BETWEEN :w AND :v',
    'The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}',
    TWO,
  ),
  condition(
    'E18',
    'both bounds have one type',
    'a BETWEEN :v AND :w',
    'The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {S:a}, upper bound operand: AttributeValue: {N:1}',
    { ':v': { S: 'a' }, ':w': { N: '1' } },
  ),
  condition(
    'E19',
    'functions nobody knows are refused',
    'nonsense(a)',
    'Invalid function name; function: nonsense',
  ),
  condition(
    'E20',
    'functions are named to the letter',
    'Attribute_Exists(a)',
    'Invalid function name; function: Attribute_Exists',
  ),
  condition(
    'E21',
    'a size is not a condition',
    'size(a)',
    'The function is not allowed to be used this way in an expression; function: size',
  ),
  condition(
    'E22',
    'a value always exists',
    'attribute_exists(:v)',
    'Operator or function requires a document path; operator or function: attribute_exists',
    ONE,
  ),
  condition(
    'E23',
    'nothing begins with a number',
    'begins_with(a, :v)',
    'Incorrect operand type for operator or function; operator or function: begins_with, operand type: N',
    ONE,
  ),
  condition(
    'E24',
    'a type has one of ten names',
    'attribute_type(a, :v)',
    'Invalid attribute type name found; type: STRING, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}',
    { ':v': { S: 'STRING' } },
  ),
  condition(
    'E25',
    'an attribute is not compared with itself',
    'a = a',
    'The first operand must be distinct from the remaining operands for this operator or function; operator: =, first operand: [a]',
  ),
  condition(
    'E26',
    'a reserved word is not a name',
    'name = :v',
    'Attribute name is a reserved keyword; reserved keyword: name',
    ONE,
  ),
  condition(
    'E27',
    'a reserved word is not a name after a dot',
    'a.name = :v',
    'Attribute name is a reserved keyword; reserved keyword: name',
    ONE,
  ),
  condition(
    'E28',
    'a name is defined',
    '#x = :v',
    'An expression attribute name used in the document path is not defined; attribute name: #x',
    ONE,
  ),
  condition(
    'E29',
    'a value is defined',
    'a = :x',
    'An expression attribute value used in expression is not defined; attribute value: :x',
    ONE,
  ),
  refused(
    'E30',
    'a defined name is used',
    'PutItem',
    conditional('a = :v', ONE, { '#x': 'a' }),
    invalid('Value provided in ExpressionAttributeNames unused in expressions: keys: {#x}'),
  ),
  refused(
    'E31',
    'a defined value is used',
    'PutItem',
    conditional('attribute_exists(a)', { ':x': { N: '1' } }),
    invalid('Value provided in ExpressionAttributeValues unused in expressions: keys: {:x}'),
  ),
  refused(
    'E32',
    'names are some names',
    'PutItem',
    conditional('a = :v', ONE, {}),
    invalid('ExpressionAttributeNames must not be empty'),
  ),
  refused(
    'E33',
    'values are some values',
    'PutItem',
    conditional('attribute_exists(a)', {}),
    invalid('ExpressionAttributeValues must not be empty'),
  ),
  refused(
    'E34',
    'a placeholder of a name begins with #',
    'PutItem',
    conditional('a = :v', ONE, { x: 'a' }),
    invalid('ExpressionAttributeNames contains invalid key: Syntax error; key: "x"'),
  ),
  refused(
    'E35',
    'a colon alone is not a placeholder',
    'PutItem',
    conditional('a = :v', { ':': { N: '1' } }),
    invalid('ExpressionAttributeValues contains invalid key: Syntax error; key: ":"'),
  ),
  refused(
    'E36',
    'a placeholder stands for some name',
    'PutItem',
    conditional('#x = :v', ONE, { '#x': '' }),
    invalid('ExpressionAttributeNames contains invalid value: Empty attribute name for key #x'),
  ),
  refused(
    'E37',
    'values serve an expression',
    'PutItem',
    { TableName: 'table', Item: KEY, ExpressionAttributeValues: ONE },
    invalid(
      'ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null',
    ),
  ),
  refused(
    'E37',
    'names serve an expression',
    'PutItem',
    { TableName: 'table', Item: KEY, ExpressionAttributeNames: { '#x': 'a' } },
    invalid('ExpressionAttributeNames can only be specified when using expressions'),
  ),
  condition('E38', 'a name does not begin with _', '_a = :v', syntax('_', '_a'), ONE),
  condition('E39', 'a name does not begin with a digit', '1a = :v', syntax('1', '1a'), ONE),
  condition('E40', 'an index is not negative', 'a[-1] = :v', syntax('-', '[-1'), ONE),
  condition('E40', 'an index is a number', 'a[] = :v', syntax(']', '[] ='), ONE),
  condition('E40', 'an index is not a placeholder', 'a[:v] = :v', syntax(':v', '[:v]'), ONE),
  condition('E40', 'an index is whole', 'a[1.5] = :v', syntax('.', '1.5'), ONE),
  condition(
    'E41',
    'an index has its bounds',
    'a[99999999999999999999] = :v',
    'List index is not within the allowable range; index: [99999999999999999999]',
    ONE,
  ),
  condition(
    'E42',
    'a path of 33 steps is too deep',
    `${path(33)} = :v`,
    'The document path has too many nesting levels; nesting levels: 33',
    ONE,
  ),
  update(
    'E43',
    'SET may occur only once',
    'SET a = :v SET b = :v',
    'The "SET" section can only be used once in an update expression;',
    ONE,
  ),
  update('E44', 'an attribute is set once', 'SET a = :v, a = :w', overlap('[a]', '[a]'), TWO),
  update(
    'E45',
    'what is removed is not set inside',
    'SET a.b = :v REMOVE a',
    overlap('[a, b]', '[a]'),
    ONE,
  ),
  update(
    'E46',
    'an attribute is not both map and list',
    'SET a.b = :v, a[0] = :w',
    'Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, b], path two: [a, [0]]',
    TWO,
  ),
  update(
    'E47',
    'a placeholder does not hide an overlap',
    'SET #a = :v, a = :w',
    overlap('[a]', '[a]'),
    TWO,
    { '#a': 'a' },
  ),
  refused(
    'E48',
    'a key is not updated',
    'UpdateItem',
    updating('SET pk = :v', { ':v': { S: 'b' } }),
    wrongValues('Cannot update attribute pk. This attribute is part of the key'),
  ),
  update('E49', 'a sum has two terms', 'SET a = :v + :w + :x', syntax('+', ':w + :x'), {
    ...TWO,
    ':x': { N: '3' },
  }),
  update(
    'E50',
    'lists are appended to lists',
    'SET a = list_append(:s, :l)',
    'Incorrect operand type for operator or function; operator or function: list_append, operand type: S',
    { ':s': { S: 'x' }, ':l': { L: [] } },
  ),
  update(
    'E51',
    'a string is not added',
    'ADD a :v',
    'Incorrect operand type for operator or function; operator: ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND',
    { ':v': { S: 'x' } },
  ),
  update(
    'E52',
    'a number is not deleted from a set',
    'DELETE a :v',
    'Incorrect operand type for operator or function; operator: DELETE, operand type: NUMBER, typeSet: ALLOWED_FOR_DELETE_OPERAND',
    ONE,
  ),
  appliedTo(
    'E53',
    'a map that is missing is not made on the way',
    'SET nothing.x = :v',
    invalid('The document path provided in the update expression is invalid for update'),
    ONE,
  ),
  row('E54', 'an attribute that is missing has no value', async ({ refuses }) => {
    await refuses(
      'UpdateItem',
      updating('SET a = nothing'),
      invalid('The provided expression refers to an attribute that does not exist in the item'),
    )
  }),
  refused(
    'E55',
    'a request is of the old kind or of the new one',
    'PutItem',
    { ...conditional('attribute_exists(a)'), Expected: { a: { Exists: false } } },
    invalid(
      'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}',
    ),
  ),
  projection('E56', 'an attribute is asked for once', 'a, a', overlap('[a]', '[a]')),
  projection(
    'E57',
    'a part cannot be asked for together with the whole',
    'a, a.b',
    overlap('[a]', '[a, b]'),
  ),
  statement(
    'E58',
    'a quote in a statement is closed',
    `SELECT * FROM "table" WHERE pk = 'a`,
    /^Statement wasn't well formed, can't be processed: /,
  ),
  statement(
    'E58',
    'a quoted name in a statement is closed',
    `SELECT * FROM "table`,
    /^Statement wasn't well formed, can't be processed: /,
  ),
  statement(
    'E59',
    '250 parentheses in a statement are refused',
    `SELECT * FROM "table" WHERE ${'('.repeat(250)}pk = 'a'${')'.repeat(250)}`,
    /^Statement wasn't well formed, can't be processed: /,
  ),
  statement(
    'E59',
    '250 parentheses left open are refused',
    `SELECT * FROM "table" WHERE ${'('.repeat(250)}`,
    /^Statement wasn't well formed, can't be processed: /,
  ),
  statement(
    'E59',
    '4000 parentheses in a statement are refused',
    `SELECT * FROM "table" WHERE ${'('.repeat(4000)}pk = 'a'${')'.repeat(4000)}`,
    /^Statement wasn't well formed, can't be processed: /,
  ),
  statement(
    'E59',
    'NOT a thousand times in a statement is refused',
    `SELECT * FROM "table" WHERE ${'NOT '.repeat(1000)}pk = 'a'`,
    /^The expression contains too many operators; operator count: 301$/,
  ),
  statement(
    'E60',
    'one statement is not two',
    `SELECT * FROM "table" WHERE pk = 'a'; DROP TABLE "table"`,
    /^Statement wasn't well formed, can't be processed: /,
  ),
  statement(
    'E60',
    'tables are not dropped by statements',
    `DROP TABLE "table"`,
    /^Statement wasn't well formed, can't be processed: /,
  ),
  row('E60', 'a comment does not cut a condition off', async ({ send, refuses }) => {
    await send('PutItem', { TableName: 'table', Item: KEY })
    await refuses(
      'ExecuteStatement',
      { Statement: `DELETE FROM "table" WHERE pk = 'a' -- AND sk = '1'` },
      invalid(/^Statement wasn't well formed, can't be processed: /),
    )
    expect((await send('Scan', { TableName: 'table' })).Count).toBe(1)
  }),
]
