import { conformance } from '../conformance.ts'
import { KEY, tableWith } from '../item-cases.ts'

const VALUES: Record<string, object> = {
  ':v': { N: '1' },
  ':s': { S: 'x' },
  ':b': { BOOL: true },
  ':nu': { NULL: true },
  ':ss': { SS: ['x'] },
  ':l': { L: [] },
  ':m': { M: {} },
  ':bin': { B: 'AAA=' },
}
const NAMES: Record<string, string> = { '#n': 'a' }

/** Only those that the text uses, because unused ones are refused as well. */
function used<TValue>(members: Record<string, TValue>, text: string) {
  const names = new Set(text.match(/[#:][A-Za-z0-9_]+/g))
  const entries = Object.entries(members).filter(([name]) => names.has(name))
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

const syntax = (token: string, near: string) => `Syntax error; token: "${token}", near: "${near}"`
const once = (section: string) =>
  `The "${section}" section can only be used once in an update expression;`
const overlap = (one: string, two: string) =>
  `Two document paths overlap with each other; must remove or rewrite one of these paths; path one: ${one}, path two: ${two}`
const conflict = (one: string, two: string) =>
  `Two document paths conflict with each other; must remove or rewrite one of these paths; path one: ${one}, path two: ${two}`
const action = (name: string, type: string) =>
  `Incorrect operand type for operator or function; operator: ${name}, operand type: ${type}, typeSet: ALLOWED_FOR_${name}_OPERAND`
const type = (operator: string, operand: string) =>
  `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${operand}`
const misused = (name: string) =>
  `The function is not allowed to be used this way in an expression; function: ${name}`
const count = (name: string, operands: number) =>
  `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${operands}`
const undefinedName = (name: string) =>
  `An expression attribute name used in the document path is not defined; attribute name: ${name}`
const undefinedValue = (name: string) =>
  `An expression attribute value used in expression is not defined; attribute value: ${name}`

const refused: Record<string, string> = {
  '': 'The expression can not be empty;',
  'INVALID SYNTAX': syntax('INVALID', 'INVALID SYNTAX'),
  SET: syntax('<EOF>', 'SET'),
  'SET a': syntax('<EOF>', 'a'),
  'SET a = ': syntax('<EOF>', '= '),
  'SET a = :v,': syntax('<EOF>', ','),
  'SET _123 = :v': syntax('_', 'SET _123'),
  'SET a == :v': syntax('=', '== :v'),
  'SET :v = a': syntax(':v', 'SET :v ='),
  'SET a = :v + :v + :v': syntax('+', ':v + :v'),
  'SET a = if_not_exists(b, b + :v)': syntax('+', 'b + :v'),
  'SET a = :v * :v': syntax('*', ':v * :v'),
  REMOVE: syntax('<EOF>', 'REMOVE'),
  'REMOVE a b': syntax('b', 'a b'),
  'REMOVE :v': syntax(':v', 'REMOVE :v'),
  'ADD a': syntax('<EOF>', 'a'),
  'ADD a b': syntax('b', 'a b'),
  'ADD a = :v': syntax('=', 'a = :v'),
  'DELETE a': syntax('<EOF>', 'a'),
  'SET a = ((b))': 'The expression has redundant parentheses;',
  'SET a = foo(b)': 'Invalid function name; function: foo',
  'SET a = IF_NOT_EXISTS(b, :v)': 'Invalid function name; function: IF_NOT_EXISTS',
  'SET a = list_append(list_append(:l, :l), :l)': misused('list_append'),
  'SET a = b + list_append(:l, :l)': misused('list_append'),
  'SET name = :v': 'Attribute name is a reserved keyword; reserved keyword: name',
  'REMOVE a.name': 'Attribute name is a reserved keyword; reserved keyword: name',
  'SET a = :v SET b = :v': once('SET'),
  'REMOVE a REMOVE b': once('REMOVE'),
  'ADD a :v ADD b :v': once('ADD'),
  'DELETE a :ss DELETE b :ss': once('DELETE'),
  'SET a = :v REMOVE b SET c = :v': once('SET'),
  'SET #x = :v': undefinedName('#x'),
  'SET a = :x': undefinedValue(':x'),
  'ADD a :x': undefinedValue(':x'),
  'SET a = :v, a = :v': overlap('[a]', '[a]'),
  'SET a = :v REMOVE a': overlap('[a]', '[a]'),
  'SET a.b = :v REMOVE a': overlap('[a, b]', '[a]'),
  'SET #n = :v, a.b = :v': overlap('[a]', '[a, b]'),
  'REMOVE a[0], a[0]': overlap('[a, [0]]', '[a, [0]]'),
  'REMOVE a[0].b, a[0]': overlap('[a, [0], b]', '[a, [0]]'),
  'SET a.b = :v, a[1] = :v': conflict('[a, b]', '[a, [1]]'),
  'REMOVE a[0] ADD a.b :v': conflict('[a, [0]]', '[a, b]'),
  'SET a = list_append(:l)': count('list_append', 1),
  'SET a = list_append(:l, :l, :l)': count('list_append', 3),
  'SET a = if_not_exists(b)': count('if_not_exists', 1),
  'SET a = if_not_exists(:v, :v)':
    'Operator or function requires a document path; operator or function: if_not_exists',
  'SET a = list_append(:l, :s)': type('list_append', 'S'),
  'SET a = list_append(:v, :l)': type('list_append', 'N'),
  'SET a = :s + :v': type('+', 'S'),
  'SET a = b - :l': type('-', 'L'),
  'ADD a :s': action('ADD', 'STRING'),
  'ADD a :bin': action('ADD', 'BINARY'),
  'ADD a :b': action('ADD', 'BOOLEAN'),
  'ADD a :nu': action('ADD', 'NULL'),
  'ADD a :l': action('ADD', 'LIST'),
  'ADD a :m': action('ADD', 'MAP'),
  'DELETE a :v': action('DELETE', 'NUMBER'),
  'DELETE a :s': action('DELETE', 'STRING'),
  'DELETE a :l': action('DELETE', 'LIST'),
  'SET a[99999999999] = :v': 'List index is not within the allowable range; index: [99999999999]',
  // What comes first when there is more than one problem.
  'SET name = :v, b =': syntax('<EOF>', '='),
  'SET name = foo(b)': 'Attribute name is a reserved keyword; reserved keyword: name',
  'SET a = :x SET b = :v': once('SET'),
  'SET a = :x, a = :v': overlap('[a]', '[a]'),
  'SET #x = :x': undefinedName('#x'),
}

conformance('Refused updates', (test) => {
  for (const [text, message] of Object.entries(refused)) {
    test(`the update ${JSON.stringify(text)} is refused`, async (t) => {
      const TableName = await tableWith(t)
      await t.fails(
        'UpdateItem',
        {
          TableName,
          Key: KEY,
          UpdateExpression: text,
          ExpressionAttributeNames: used(NAMES, text),
          ExpressionAttributeValues: used(VALUES, text),
        },
        'ValidationException',
        `Invalid UpdateExpression: ${message}`,
      )
    })
  }
})
