import { conformance } from '../conformance.ts'
import { KEY, tableWith } from '../item-cases.ts'

const VALUES: Record<string, object> = {
  ':v': { N: '1' },
  ':two': { N: '2' },
  ':ten': { N: '10' },
  ':s': { S: 'x' },
  ':b': { BOOL: true },
  ':nu': { NULL: true },
  ':ss': { SS: ['x'] },
  ':l': { L: [] },
  ':m': { M: {} },
  ':bin': { B: 'AAA=' },
}
const NAMES: Record<string, string> = { '#n': 'a', '#d': 'a.b' }

/** Only those that the text uses, because unused ones are refused as well. */
function used<TValue>(members: Record<string, TValue>, text: string) {
  const names = new Set(text.match(/[#:][A-Za-z0-9_]+/g))
  const entries = Object.entries(members).filter(([name]) => names.has(name))
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

const syntax = (token: string, near: string) => `Syntax error; token: "${token}", near: "${near}"`
const reserved = (word: string) => `Attribute name is a reserved keyword; reserved keyword: ${word}`
const misused = (name: string) =>
  `The function is not allowed to be used this way in an expression; function: ${name}`
const count = (name: string, operands: number) =>
  `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${operands}`
const type = (operator: string, operand: string) =>
  `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${operand}`
const same = (operator: string, path: string) =>
  `The first operand must be distinct from the remaining operands for this operator or function; operator: ${operator}, first operand: ${path}`
const undefinedName = (name: string) =>
  `An expression attribute name used in the document path is not defined; attribute name: ${name}`
const undefinedValue = (name: string) =>
  `An expression attribute value used in expression is not defined; attribute value: ${name}`
const unknown = (name: string) => `Invalid function name; function: ${name}`
const REDUNDANT = 'The expression has redundant parentheses;'

const refused: Record<string, string> = {
  '': 'The expression can not be empty;',
  ' ': syntax('<EOF>', ' '),
  '!!!': syntax('!', '!!'),
  a: syntax('<EOF>', 'a'),
  ':v': syntax('<EOF>', ':v'),
  'a =': syntax('<EOF>', '='),
  'a = :v AND': syntax('<EOF>', 'AND'),
  'a = :v)': syntax(')', ':v)'),
  '(a = :v': syntax('<EOF>', ':v'),
  'a != :v': syntax('!', 'a !='),
  'a == :v': syntax('=', '== :v'),
  '_a = :v': syntax('_', '_a'),
  '1a = :v': syntax('1', '1a'),
  'a-b = :v': syntax('-', 'a-b'),
  "a = 'x'": syntax("'", "= 'x"),
  'a = 5': syntax('5', '= 5'),
  'a[-1] = :v': syntax('-', '[-1'),
  'a[:v] = :v': syntax(':v', '[:v]'),
  'a[#n] = :v': syntax('#n', '[#n]'),
  'a[] = :v': syntax(']', '[] ='),
  'a. = :v': syntax('=', '. = :v'),
  'a..b = :v': syntax('.', '..b'),
  '.a = :v': syntax('.', '.a'),
  'a IN ()': syntax(')', '()'),
  'a IN :v': syntax(':v', 'IN :v'),
  'a BETWEEN :v': syntax('<EOF>', ':v'),
  'a BETWEEN :v OR :two': syntax('OR', ':v OR :two'),
  'a = :v = :two': syntax('=', ':v = :two'),
  'a AND b': syntax('AND', 'a AND b'),
  'NOT a': syntax('<EOF>', 'a'),
  'a = :v b': syntax('b', ':v b'),
  'a = b + :v': syntax('+', 'b + :v'),
  '((a = :v))': REDUNDANT,
  '((a = :v)) AND b = :v': REDUNDANT,
  'a = ((:v))': REDUNDANT,
  'size(((a))) = :v': REDUNDANT,
  'foo(a)': unknown('foo'),
  'Attribute_Exists(a)': unknown('Attribute_Exists'),
  'CONTAINS(a, :v)': unknown('CONTAINS'),
  'size(a)': misused('size'),
  'attribute_exists(a) = :v': misused('attribute_exists'),
  'begins_with(size(a), contains(a, b))': misused('contains'),
  'a = begins_with(a, :s)': misused('begins_with'),
  'name = :v': reserved('name'),
  'a.Status = :v': reserved('Status'),
  'size(DATE) = :v': reserved('DATE'),
  'attribute_exists(abort)': reserved('abort'),
  '#x = :v': undefinedName('#x'),
  'a.#x = :v': undefinedName('#x'),
  'a = :x': undefinedValue(':x'),
  'attribute_exists(a, b)': count('attribute_exists', 2),
  'attribute_not_exists(a, b)': count('attribute_not_exists', 2),
  'contains(a)': count('contains', 1),
  'begins_with(a, :s, b)': count('begins_with', 3),
  'attribute_type(a)': count('attribute_type', 1),
  'size(a, b) = :v': count('size', 2),
  'attribute_exists(:v)':
    'Operator or function requires a document path; operator or function: attribute_exists',
  'attribute_not_exists(size(a))':
    'Operator or function requires a document path; operator or function: attribute_not_exists',
  'a = a': same('=', '[a]'),
  '#n <> a': same('<>', '[a]'),
  'a.b[1] < #n.b[1]': same('<', '[a, b, [1]]'),
  'contains(a, a)': same('contains', '[a]'),
  'begins_with(a, a)': same('begins_with', '[a]'),
  'attribute_type(a, a)': same('attribute_type', '[a]'),
  'a IN (:v, a)': same('IN', '[a]'),
  'a BETWEEN a AND :v': same('BETWEEN', '[a]'),
  'a < :b': type('<', 'BOOL'),
  'a <= :nu': type('<=', 'NULL'),
  'a > :ss': type('>', 'SS'),
  'a >= :l': type('>=', 'L'),
  ':m < a': type('<', 'M'),
  'a BETWEEN :v AND :b': type('BETWEEN', 'BOOL'),
  'begins_with(a, :v)': type('begins_with', 'N'),
  'begins_with(:v, a)': type('begins_with', 'N'),
  'size(:v) = :two': type('size', 'N'),
  'size(:b) = :v': type('size', 'BOOL'),
  'size(:nu) = :v': type('size', 'NULL'),
  'attribute_type(a, :v)': type('attribute_type', 'N'),
  'attribute_type(a, b)': type('attribute_type', '{NS,SS,L,BS,N,M,B,BOOL,NULL,S}'),
  'attribute_type(a, :s)':
    'Invalid attribute type name found; type: x, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}',
  'a BETWEEN :s AND :v':
    'The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {S:x}, upper bound operand: AttributeValue: {N:1}',
  'a BETWEEN :ten AND :two':
    'The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:10}, upper bound operand: AttributeValue: {N:2}',
  'a[2147483648] = :v': 'List index is not within the allowable range; index: [2147483648]',
  'a[99999999999999] = :v': 'List index is not within the allowable range; index: [99999999999999]',
  // What comes first when there is more than one problem.
  'name = :x AND a =': syntax('<EOF>', '='),
  '((foo(a)))': REDUNDANT,
  'foo(name)': unknown('foo'),
  'name = :v AND #x = :v': reserved('name'),
  '#x = :x': undefinedName('#x'),
  'contains(:x)': undefinedValue(':x'),
  'contains(a) AND a = a': count('contains', 1),
}

conformance('Refused conditions', (test) => {
  for (const [text, message] of Object.entries(refused)) {
    test(`the condition ${JSON.stringify(text)} is refused`, async (t) => {
      const TableName = await tableWith(t)
      await t.fails(
        'DeleteItem',
        {
          TableName,
          Key: KEY,
          ConditionExpression: text,
          ExpressionAttributeNames: used(NAMES, text),
          ExpressionAttributeValues: used(VALUES, text),
        },
        'ValidationException',
        `Invalid ConditionExpression: ${message}`,
      )
    })
  }

  for (const text of [
    'a=:v',
    '\t a \n =\r\n :v ',
    '(a = :v)',
    '((a) = :v)',
    '(a = :v) AND (b = :v)',
    'a IN ((:v))',
    ':v > :v',
    'size(a) = size(a)',
    'a[2147483647] = :v',
    'a[0].b[1][2] = :v',
    '#n.#d = :v',
    'NOT NOT NOT a = :v',
    'begins_with(:s, :s)',
    'attribute_exists(andy) and orange = :v or notes = :v',
  ]) {
    test(`the condition ${JSON.stringify(text)} is legal`, async (t) => {
      const TableName = await tableWith(t)
      // An update that has no effect on what is asked for: whatever the condition gives, it was
      // understood.
      const answer = t.send('UpdateItem', {
        TableName,
        Key: KEY,
        ConditionExpression: `${text}`,
        ExpressionAttributeNames: used(NAMES, text),
        ExpressionAttributeValues: used(VALUES, text),
      })
      await answer.catch((error: Error) => {
        if (error.name !== 'ConditionalCheckFailedException') throw error
      })
    })
  }
})
