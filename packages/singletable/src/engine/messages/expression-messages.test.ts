import { describe, expect, it } from 'vitest'
import { bindCondition } from '../../expression/bind-condition.ts'
import { bindProjection } from '../../expression/bind-projection.ts'
import { bindUpdate } from '../../expression/bind-update.ts'
import { ExpressionError } from '../../expression/expression-error.ts'
import { parseCondition } from '../../expression/parse-condition.ts'
import { parseProjection } from '../../expression/parse-projection.ts'
import { parseUpdate } from '../../expression/parse-update.ts'
import { Placeholders } from '../../expression/placeholders.ts'
import type { AttributeValue } from '../../values/attribute-value.ts'
import {
  emptyPlaceholders,
  expressionMessage,
  invalidExpression,
  invalidPlaceholderKey,
  invalidPlaceholderValue,
  mixedParameters,
  namesWithoutExpressions,
  unusedPlaceholders,
  valuesWithoutExpressions,
} from './expression-messages.ts'

const names = { '#n': 'a', '#m': 'b.c' }
const values: Record<string, AttributeValue> = {
  ':v': { N: '1' },
  ':ten': { N: '10' },
  ':two': { N: '2' },
  ':s': { S: 'x' },
  ':y': { S: 'z' },
  ':t': { S: 'S' },
  ':b': { BOOL: true },
  ':nu': { NULL: true },
  ':l': { L: [] },
  ':m': { M: {} },
  ':ss': { SS: ['a'] },
  ':ns': { NS: ['1'] },
  ':bin': { B: 'YWI=' },
}

type Row = readonly [expression: string, message: string]

const OK = 'OK'
const REDUNDANT = 'The expression has redundant parentheses;'
const deepPath = (levels: number): string => Array(levels).fill('a').join('.')
const syntax = (token: string, near: string): string =>
  `Syntax error; token: "${token}", near: "${near}"`
const reserved = (word: string): string =>
  `Attribute name is a reserved keyword; reserved keyword: ${word}`
const misused = (name: string): string =>
  `The function is not allowed to be used this way in an expression; function: ${name}`
const wrongType = (operator: string, type: string): string =>
  `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`
const wrongCount = (operator: string, count: number): string =>
  `Incorrect number of operands for operator or function; operator or function: ${operator}, number of operands: ${count}`
const same = (operator: string, path: string): string =>
  `The first operand must be distinct from the remaining operands for this operator or function; operator: ${operator}, first operand: ${path}`
const undefinedName = (name: string): string =>
  `An expression attribute name used in the document path is not defined; attribute name: ${name}`
const undefinedValue = (name: string): string =>
  `An expression attribute value used in expression is not defined; attribute value: ${name}`
const together = (verb: string, one: string, two: string): string =>
  `Two document paths ${verb} with each other; must remove or rewrite one of these paths; path one: ${one}, path two: ${two}`

function message(read: (placeholders: Placeholders) => unknown): string {
  try {
    read(new Placeholders({ names, values }))
    return OK
  } catch (error) {
    if (error instanceof ExpressionError) return expressionMessage(error.problem)
    throw error
  }
}

/**
 * All messages were given by DynamoDB Local's parser for the same expressions, but for those in
 * AWS's documentation.
 */
describe('conditions', () => {
  const rows: Row[] = [
    ['', 'The expression can not be empty;'],
    ['   ', syntax('<EOF>', '   ')],
    ['a = ', syntax('<EOF>', '= ')],
    ['  a  ', syntax('<EOF>', 'a  ')],
    ['   ) ', syntax(')', '   ) ')],
    ['= a', syntax('=', '= a')],
    ['a   LIKE   :v   x', syntax('LIKE', 'a   LIKE   :v')],
    ['!!!', syntax('!', '!!')],
    ['a = 5.5', syntax('5', '= 5.')],
    ['a != :v', syntax('!', 'a !=')],
    ['a == :v', syntax('=', '== :v')],
    ['a < > :v', syntax('>', '< > :v')],
    ['1a = :v', syntax('1', '1a')],
    ['_a = :v', syntax('_', '_a')],
    ['a-b = :v', syntax('-', 'a-b')],
    ['é = :v', syntax('é', 'é =')],
    ['a 😀 b', syntax('\ud83d', 'a 😀')],
    ['a\u00a0= :v', syntax('\u00a0', 'a\u00a0=')],
    ['# = :v', syntax('#', '# =')],
    ['a = :-', syntax(':', '= :-')],
    ['a[-1] = :v', syntax('-', '[-1')],
    ['a[:v] = :v', syntax(':v', '[:v]')],
    ['a[] = :v', syntax(']', '[] =')],
    ['a[01]=:v', syntax('1', '01]')],
    ['a[0]b = :v', syntax('b', ']b =')],
    ['a[ 0 ] . b = :v', OK],
    ['a..b = :v', syntax('.', '..b')],
    [':v.a = :v', syntax('.', ':v.a')],
    ['foo.bar(a) = :v', syntax('(', 'bar(a')],
    ['a BETWEEN :v OR :v', syntax('OR', ':v OR :v')],
    ['a IN :v', syntax(':v', 'IN :v')],
    ['a IN ()', syntax(')', '()')],
    ['a = :v = :v', syntax('=', ':v = :v')],
    ['a + :v = :v', syntax('+', 'a + :v')],
    ['a AND b', syntax('AND', 'a AND b')],
    ['a.set = :v', syntax('set', '.set =')],
    ['NOTa = :v', OK],
    ['not a between :v AND :v or a in(:v)', OK],
    ['(a)', syntax('<EOF>', ')')],
    ['(a = :v) = :v', syntax('=', ') = :v')],
    ['(NOT a)', syntax(')', 'a)')],
    ['(NOT (a)) = :v', syntax(')', ')) =')],
    ['a = (b = :v)', syntax('=', 'b = :v')],
    ['foo(a = :v)', syntax('=', 'a = :v')],

    ['((a = :v))', REDUNDANT],
    ['((a)) = :v', REDUNDANT],
    ['size(((a))) = :v', REDUNDANT],
    ['a IN (((:v)))', REDUNDANT],
    ['((a) = :v)', OK],
    ['((a = :v) AND (a = :v))', OK],
    ['(NOT (a=:v))', OK],
    ['a IN ((:v))', OK],
    ['((a=:v)) AND', REDUNDANT],
    ['((a)) AND', syntax('AND', ') AND')],
    ['((a))', syntax('<EOF>', ')')],
    ['((a)) = ', REDUNDANT],
    ['((a=:v) x', syntax('x', ') x')],
    ['((a=:v)) x', REDUNDANT],
    ['((foo(a))) x', REDUNDANT],
    ['(((foo(a))) x', syntax('x', ') x')],
    ['(((foo(c))) AND x', REDUNDANT],
    ['(foo(((a)))', syntax('<EOF>', ')')],
    ['(foo(((a))) = ', REDUNDANT],
    ['contains(((a)), b', syntax('<EOF>', 'b')],
    ['contains(((a)), b) x', REDUNDANT],
    ['a = contains(((b)) x', REDUNDANT],
    ['NOT ((a)) x', syntax('x', ') x')],
    ['foo(a) AND ((a=:v))', REDUNDANT],

    ['foo(a)', 'Invalid function name; function: foo'],
    ['Size(a) = :v', 'Invalid function name; function: Size'],
    ['foo(name)', 'Invalid function name; function: foo'],
    ['name = :v AND foo(a)', reserved('name')],
    ['contains(foo(name), a)', 'Invalid function name; function: foo'],
    ['contains(name, foo(a))', reserved('name')],
    ['size(a)', misused('size')],
    ['attribute_exists(name) = :v', misused('attribute_exists')],
    ['contains(attribute_exists(a), :v)', misused('attribute_exists')],
    [
      'if_not_exists(a, :v) = :v',
      'The function is not allowed in a condition expression; function: if_not_exists',
    ],
    ['a.NAME = :v', reserved('NAME')],
    ['a = null', reserved('null')],
    ['a = :x AND name = :v', reserved('name')],
    ['a.name[99999999999] = :v', reserved('name')],
    [
      'a[99999999999].name = :v',
      'List index is not within the allowable range; index: [99999999999]',
    ],
    ['a[2147483647] = :v', OK],
    ['a[2147483648] = :v', 'List index is not within the allowable range; index: [2147483648]'],

    ['#x = :x', undefinedName('#x')],
    ['a = :x AND #x = :v', undefinedValue(':x')],
    ['a = a AND a = :x', same('=', '[a]')],
    ['contains(a) AND a = :x', wrongCount('contains', 1)],
    ['contains(:x)', undefinedValue(':x')],
    ['attribute_exists(a, b)', wrongCount('attribute_exists', 2)],
    ['size(a, b) = :v', wrongCount('size', 2)],
    [
      'attribute_exists(:v)',
      'Operator or function requires a document path; operator or function: attribute_exists',
    ],
    ['#n.b[1] < a.b[1]', same('<', '[a, b, [1]]')],
    ['a IN (:v, a)', same('IN', '[a]')],
    ['a BETWEEN a AND :b', wrongType('BETWEEN', 'BOOL')],
    ['a BETWEEN a AND :v', same('BETWEEN', '[a]')],
    ['attribute_type(a, a)', same('attribute_type', '[a]')],
    [':v = :v', OK],
    ['size(a) = size(a)', OK],
    ['size(:v) = :x', wrongType('size', 'N')],
    ['size(size(a)) = :v', wrongType('size', 'N')],
    ['size(:nu) = :v', wrongType('size', 'NULL')],
    ['size(:m) = :v', OK],
    [':l < :b', wrongType('<', 'L')],
    ['a >= :ss', wrongType('>=', 'SS')],
    ['a = :ss', OK],
    ['begins_with(:v, :b)', wrongType('begins_with', 'N')],
    ['begins_with(a, size(b))', wrongType('begins_with', 'N')],
    ['begins_with(:s, :bin)', OK],
    ['contains(:v, :b)', OK],
    ['attribute_type(a, :v)', wrongType('attribute_type', 'N')],
    ['attribute_type(a, b)', wrongType('attribute_type', '{NS,SS,L,BS,N,M,B,BOOL,NULL,S}')],
    [
      'attribute_type(a, :s)',
      'Invalid attribute type name found; type: x, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}',
    ],
    ['attribute_type(a, :t)', OK],
    ['a BETWEEN :v AND :v', OK],
    [
      'a BETWEEN :ten AND :two',
      'The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:10}, upper bound operand: AttributeValue: {N:2}',
    ],
    [
      'a BETWEEN :s AND :bin',
      'The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {S:x}, upper bound operand: AttributeValue: {B:java.nio.HeapByteBuffer[pos=0 lim=2 cap=2]}',
    ],
    [':v BETWEEN :s AND :y', OK],
  ]
  it.each(rows)('%j: %s', (text, expected) => {
    expect(message((placeholders) => bindCondition(parseCondition(text), placeholders))).toBe(
      expected,
    )
  })
})

describe('limits of conditions', () => {
  const tooMany = 'The expression contains too many operators; operator count: 301'
  const rows: Row[] = [
    [`a=:v${' '.repeat(4092)}`, OK],
    [
      `a=:v${' '.repeat(4093)}`,
      'Expression size has exceeded the maximum allowed size; expression size: 4097',
    ],
    ['é'.repeat(2048), syntax('é', 'éé')],
    [
      'é'.repeat(2049),
      'Expression size has exceeded the maximum allowed size; expression size: 4098',
    ],
    [`${'a=:v OR '.repeat(149)}a=:v`, OK],
    [`${'a=:v OR '.repeat(149)}NOT a=:v`, OK],
    [`${'a=:v OR '.repeat(150)}a=:v`, tooMany],
    [`${'a=:v OR '.repeat(151)}a=:v`, tooMany],
    [`${'contains(a,:v)OR '.repeat(149)}contains(a,:v)`, OK],
    [`${'contains(a,:v)OR '.repeat(150)}contains(a,:v)`, OK],
    [`${'contains(a,:v)OR '.repeat(230)}contains(a,:v)`, OK],
    [`${'a BETWEEN :v AND :v OR '.repeat(149)}a=:v`, OK],
    [`${'a=:v OR '.repeat(151)}#x=:v`, undefinedName('#x')],
    [`${'NOT '.repeat(299)}a=:v`, OK],
    [`${'NOT '.repeat(300)}a=:v`, tooMany],
    [`a IN (${Array(98).fill(':v').join(',')})`, OK],
    [`a IN (${Array(99).fill(':v').join(',')})`, OK],
    [
      `a IN (${Array(100).fill(':v').join(',')})`,
      'The IN operator is provided with too many operands; number of operands: 101',
    ],
    [`${deepPath(31)} = :v`, OK],
    [`${deepPath(32)} = :v`, OK],
    [
      `#x.${deepPath(32)} = :v`,
      'The document path has too many nesting levels; nesting levels: 33',
    ],
    ['('.repeat(4096), syntax('<EOF>', '(')],
    ['NOT '.repeat(1024), syntax('<EOF>', 'NOT ')],
    [`${'('.repeat(2000)}a=:v${')'.repeat(2000)}`, REDUNDANT],
    [`${'f('.repeat(1300)}a${')'.repeat(1300)}=:v`, 'Invalid function name; function: f'],
    [`${'size('.repeat(600)}a${')'.repeat(600)}=:v`, wrongType('size', 'N')],
  ]
  it.each(
    rows.map(([text, expected]) => [text.length, text.slice(0, 20), expected, text] as const),
  )('%i characters of %s…: %s', (_length, _start, expected, text) => {
    expect(message((placeholders) => bindCondition(parseCondition(text), placeholders))).toBe(
      expected,
    )
  })
})

describe('updates', () => {
  const onlyOnce = (section: string): string =>
    `The "${section}" section can only be used once in an update expression;`
  const action = (name: string, type: string): string =>
    `Incorrect operand type for operator or function; operator: ${name}, operand type: ${type}, typeSet: ALLOWED_FOR_${name}_OPERAND`
  const rows: Row[] = [
    ['', 'The expression can not be empty;'],
    ['INVALID SYNTAX', syntax('INVALID', 'INVALID SYNTAX')],
    ['SET _123 = :v', syntax('_', 'SET _123')],
    ['SET a = :v,', syntax('<EOF>', ',')],
    ['SET , a = :v', syntax(',', 'SET , a')],
    ['SETa = :v', syntax('SETa', 'SETa =')],
    ['SET SET = :v', syntax('SET', 'SET SET =')],
    ['SET (a) = :v', syntax('(', 'SET (a')],
    ['REMOVE :v', syntax(':v', 'REMOVE :v')],
    ['ADD a b', syntax('b', 'a b')],
    ['ADD a (:v)', syntax('(', 'a (:v')],
    ['SET a = :v + :v + :v', syntax('+', ':v + :v')],
    ['SET a = (b + c) + d', syntax('+', ') + d')],
    ['SET a = b + (c + d)', syntax('+', 'c + d')],
    ['SET a = if_not_exists(b, c + d)', syntax('+', 'c + d')],
    ['SET a = ((b) + c)', OK],
    ['set a=b-:v remove c Add d :v delete e :ss', OK],
    ['SET a = ((b))', REDUNDANT],
    ['SET a = ((b + :v)) x', REDUNDANT],
    ['SET a = ((b)) +', REDUNDANT],
    ['SET a = (((b)) x', syntax('x', ') x')],
    ['SET a = foo(((b)) x', syntax('x', ') x')],
    ['SET a = foo(((b))) x', REDUNDANT],
    ['SET a = (b + ((c)) x', REDUNDANT],
    ['SET a = foo(name)', 'Invalid function name; function: foo'],
    ['SET a = name, b = foo(c)', reserved('name')],
    ['SET a = size(b)', 'The function is not allowed in an update expression; function: size'],
    ['SET a = (list_append(:l, :l))', OK],
    ['SET a = list_append(list_append(name, :l), :l)', misused('list_append')],
    ['SET a = b + list_append(:l, :l)', misused('list_append')],
    ['SET a = if_not_exists(b, list_append(:l, :l))', misused('list_append')],
    ['SET a = :v SET b = :v', onlyOnce('SET')],
    ['SET a = :v SET name = :v', reserved('name')],
    ['SET a = :v SET b = :v REMOVE name', onlyOnce('SET')],
    ['REMOVE a ADD b :v REMOVE c ADD d :v', onlyOnce('REMOVE')],
    ['SET a = b SET c = :x', onlyOnce('SET')],
    ['SET #x = :x', undefinedName('#x')],
    ['SET a = :x REMOVE #x', undefinedName('#x')],
    ['SET a = #x, b = :x', undefinedValue(':x')],
    ['SET a = :x, b = #x', undefinedName('#x')],
    ['SET a = :x + #x', undefinedValue(':x')],
    ['SET a = :x, a = :v', together('overlap', '[a]', '[a]')],
    ['SET #x = :v, a = :v, a = :v', together('overlap', '[a]', '[a]')],
    ['SET a.b = :v REMOVE #n', together('overlap', '[a, b]', '[a]')],
    ['SET #m = :v, b.c = :v', OK],
    ['REMOVE a[0], a.b', together('conflict', '[a, [0]]', '[a, b]')],
    ['SET a = list_append(:v, b, c)', wrongCount('list_append', 3)],
    ['SET a = if_not_exists(:v)', wrongCount('if_not_exists', 1)],
    [
      'SET a = if_not_exists(:v, :v)',
      'Operator or function requires a document path; operator or function: if_not_exists',
    ],
    ['SET a = if_not_exists(b, #n), c = if_not_exists(a, #n)', same('if_not_exists', '[a]')],
    ['SET a = list_append(:l, :s)', wrongType('list_append', 'S')],
    ['SET a = list_append(if_not_exists(b, :v), :l)', OK],
    ['SET a = :s + :l', wrongType('+', 'S')],
    ['SET a = b - :l', wrongType('-', 'L')],
    ['SET b = :s + :v ADD a :s', action('ADD', 'STRING')],
    ['ADD a :s SET b = :s + :v', wrongType('+', 'S')],
    ['ADD a :bin', action('ADD', 'BINARY')],
    ['ADD a :nu', action('ADD', 'NULL')],
    ['ADD a :m', action('ADD', 'MAP')],
    ['ADD a :v, b :ns', OK],
    ['DELETE a :v', action('DELETE', 'NUMBER')],
    ['DELETE a :b', action('DELETE', 'BOOLEAN')],
    ['DELETE a :l', action('DELETE', 'LIST')],
    [`SET a=${' '.repeat(4091)}:v`, 'Expression size has exceeded the maximum allowed size;'],
    [
      `SET ${Array.from({ length: 301 }, (_, index) => `a${index}=b-c`).join()}`,
      'The expression contains too many operators; operator count: 301',
    ],
    [`SET ${Array.from({ length: 300 }, (_, index) => `a${index}=b-c`).join()}`, OK],
    [`SET a=${'('.repeat(4000)}`, syntax('<EOF>', '(')],
    [`SET a=${'('.repeat(2000)}b${')'.repeat(2000)}`, REDUNDANT],
    [`SET a=${'if_not_exists(b,'.repeat(200)}:v${')'.repeat(200)}`, OK],
  ]
  it.each(rows)('%.60j: %s', (text, expected) => {
    expect(message((placeholders) => bindUpdate(parseUpdate(text), placeholders))).toBe(expected)
  })
})

describe('projections', () => {
  const rows: Row[] = [
    ['', 'The expression can not be empty;'],
    ['a,', syntax('<EOF>', ',')],
    [',a', syntax(',', ',a')],
    ['size(a)', syntax('(', 'size(a')],
    ['a, :v', syntax(':v', ', :v')],
    ['a.*', syntax('*', '.*')],
    [' a , b[0].c ', OK],
    ['#x, name', reserved('name')],
    ['a, a, #x', undefinedName('#x')],
    ['#x, a, a', together('overlap', '[a]', '[a]')],
    ['a.b, #n', together('overlap', '[a, b]', '[a]')],
    ['a.b, a[0]', together('conflict', '[a, b]', '[a, [0]]')],
    ['a[0], a[1], a[2].b, a[2].c', OK],
    ['#m, b.c', OK],
    [`#x, ${deepPath(33)}`, 'The document path has too many nesting levels; nesting levels: 33'],
    ['a'.repeat(4096), OK],
    ['a'.repeat(4097), 'Expression size has exceeded the maximum allowed size;'],
  ]
  it.each(rows)('%.60j: %s', (text, expected) => {
    expect(message((placeholders) => bindProjection(parseProjection(text), placeholders))).toBe(
      expected,
    )
  })
})

describe('messages around expressions', () => {
  it('the parameter is named in front', () => {
    expect(invalidExpression('FilterExpression', { kind: 'empty' })).toBe(
      'Invalid FilterExpression: The expression can not be empty;',
    )
  })

  it('placeholders are refused with the messages of the service', () => {
    expect(emptyPlaceholders('ExpressionAttributeNames')).toBe(
      'ExpressionAttributeNames must not be empty',
    )
    expect(invalidPlaceholderKey('ExpressionAttributeNames', '#a-b')).toBe(
      'ExpressionAttributeNames contains invalid key: Syntax error; key: "#a-b"',
    )
    expect(invalidPlaceholderKey('ExpressionAttributeValues', '')).toBe(
      'ExpressionAttributeValues contains invalid key: The expression attribute map contains an empty key;',
    )
    expect(invalidPlaceholderKey('ExpressionAttributeNames', `#${'a'.repeat(255)}`)).toBe(
      'ExpressionAttributeNames contains invalid key: The expression attribute map contains a key that is too long; size of key: 256',
    )
    expect(invalidPlaceholderKey('ExpressionAttributeValues', `:${'a'.repeat(255)}`)).toBe(
      'ExpressionAttributeValues contains invalid key: The expression attribute map contains a key that is too long;',
    )
    expect(
      invalidPlaceholderValue('ExpressionAttributeNames', {
        key: '#a',
        reason: 'Empty attribute name',
      }),
    ).toBe('ExpressionAttributeNames contains invalid value: Empty attribute name for key #a')
    expect(unusedPlaceholders('ExpressionAttributeValues', [':z', ':a'])).toBe(
      'Value provided in ExpressionAttributeValues unused in expressions: keys: {:z, :a}',
    )
  })

  it('placeholders without expressions, and both forms at once, are refused', () => {
    expect(namesWithoutExpressions()).toBe(
      'ExpressionAttributeNames can only be specified when using expressions',
    )
    expect(valuesWithoutExpressions(['ConditionExpression'])).toBe(
      'ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null',
    )
    expect(valuesWithoutExpressions(['UpdateExpression', 'ConditionExpression'])).toBe(
      'ExpressionAttributeValues can only be specified when using expressions: UpdateExpression and ConditionExpression are null',
    )
    expect(mixedParameters(['AttributeUpdates', 'Expected'], ['UpdateExpression'])).toBe(
      'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributeUpdates, Expected} Expression parameters: {UpdateExpression}',
    )
  })
})
