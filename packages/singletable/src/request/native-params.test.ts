import { describe, expect, test } from 'vitest'
import { compileSchema } from '../plan/compile-schema.ts'
import type { WritePlan } from '../plan/plan.ts'
import { planPut } from '../plan/write/plan-put.ts'
import { requireWrite } from '../plan/write/require-write.ts'
import { Decimal } from '../values/decimal-number.ts'
import { systemEnvironment } from '../values/environment.ts'
import { compileWrite } from './compile-write.ts'
import { marshalParams, nativeParams, planFromParams } from './native-params.ts'

const schema = compileSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    Thing: {
      key: { pk: 'THING#${id}', sk: 'THING' },
      attributes: { id: { type: String }, data: { type: 'any' } },
    },
  },
})
const model = schema.models.get('Thing')!

function plan(data: unknown): WritePlan {
  return requireWrite(
    planPut(
      {
        model,
        input: { id: '1', data },
        verb: 'create',
        where: undefined,
        capacity: undefined,
        returning: 'NEW',
      },
      { tableName: 'Things', environment: systemEnvironment },
    ),
    'Things',
  )
}

describe('nativeParams', () => {
  test('gives plain values, frozen, with the plan behind them', () => {
    const data = {
      text: 'x',
      number: 1.5,
      large: 2n ** 60n,
      bytes: new Uint8Array([1, 2]),
      tags: new Set(['a']),
      numbers: new Set([1, 2]),
      list: [true, null, { __proto__: null, inner: '' }],
    }
    const planned = plan(data)
    const params = nativeParams(planned)
    expect(params).toEqual({
      TableName: 'Things',
      Item: { pk: 'THING#1', sk: 'THING', _type: 'Thing', id: '1', data },
      ConditionExpression: 'attribute_not_exists(#n0)',
      ExpressionAttributeNames: { '#n0': 'pk' },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    })
    expect(Object.isFrozen(params)).toBe(true)
    expect(Object.isFrozen(params.Item)).toBe(true)
    expect(Object.isFrozen((params.Item as { data: { list: unknown } }).data.list)).toBe(true)
    expect(planFromParams(params)).toBe(planned)
    expect(planFromParams({ ...params })).toBeUndefined()
    expect(JSON.stringify(Reflect.ownKeys(params))).not.toContain('singletable')
  })

  test('keeps a member named __proto__ as a member', () => {
    const data = JSON.parse('{"__proto__": {"x": 1}}')
    const { Item } = nativeParams(plan(data)) as { Item: { data: object } }
    expect(Object.keys(Item.data)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(Item.data)).toBe(Object.prototype)
  })

  test('refuses a number that would not be exact, and says how to send it', () => {
    const text = '1.2345678901234567890123'
    expect(() => nativeParams(plan(new Decimal(text)))).toThrow(
      /1\.2345678901234567890123.*execute/s,
    )
    expect(() => nativeParams(plan([{ a: new Decimal(text) }]))).toThrow(/execute/)
  })

  test('is undone by marshalling a copy', () => {
    const planned = plan({ n: 7, tags: new Set([1]), big: 2n ** 60n })
    const request = marshalParams({ ...nativeParams(planned) }, 'here')
    expect(request).toEqual(compileWrite(planned))
  })
})

describe('marshalParams', () => {
  test('refuses values that can not be stored', () => {
    const write = (Item: unknown): unknown => marshalParams({ Item }, 'here')
    expect(() => write('text')).toThrow(/"Item" is not a plain object/)
    expect(() => write({ pk: 'THING#1', sk: 'THING', at: new Date(0) })).toThrow(/"Item.at"/)
  })
})
