import { describe, expect, test } from 'vitest'
import { refuseMixed } from './refuse-mixed.ts'

const ALLOWED = [
  {},
  { Expected: { a: {} }, ConditionalOperator: 'AND' },
  { ConditionExpression: 'a', UpdateExpression: 'b' },
  { Expected: {}, AttributeUpdates: {}, ConditionExpression: '' },
  { KeyConditions: { a: {} }, FilterExpression: 'a', ProjectionExpression: 'b' },
  { KeyConditions: {}, QueryFilter: {}, KeyConditionExpression: 'a' },
]

describe('refuseMixed', () => {
  test.each(ALLOWED.map((request) => [JSON.stringify(request), request] as const))(
    '%s uses one language',
    (_, request) => {
      expect(() => refuseMixed(request)).not.toThrow()
    },
  )

  test('an expression counts even if it is empty', () => {
    expect(() => refuseMixed({ Expected: { a: {} }, ConditionExpression: '' })).toThrow(
      'Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}',
    )
  })

  test('the parameters are named in the order of AWS, whatever that of the request', () => {
    const request = {
      KeyConditionExpression: 'a',
      FilterExpression: 'a',
      ProjectionExpression: 'a',
      KeyConditions: { a: {} },
      ConditionalOperator: 'AND',
      QueryFilter: { a: {} },
      AttributesToGet: ['a'],
    }
    expect(() => refuseMixed(request)).toThrow(
      'Non-expression parameters: {AttributesToGet, QueryFilter, ConditionalOperator, KeyConditions} Expression parameters: {ProjectionExpression, FilterExpression, KeyConditionExpression}',
    )
  })
})
