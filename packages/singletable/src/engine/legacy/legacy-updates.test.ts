import { describe, expect, test } from 'vitest'
import { attributeUpdates } from './legacy-updates.ts'

describe('attributeUpdates', () => {
  test('sorts the actions into the sections of an update', () => {
    expect(
      attributeUpdates({
        put: { Action: 'PUT', Value: { N: '1.0' } },
        default: { Value: { S: 'x' } },
        removed: { Action: 'DELETE' },
        fewer: { Action: 'DELETE', Value: { SS: ['x'] } },
        more: { Action: 'ADD', Value: { NS: ['1', '2.0'] } },
        longer: { Action: 'ADD', Value: { L: [{ N: '01' }] } },
      }),
    ).toEqual({
      set: [
        { path: ['put'], value: { kind: 'value', value: { N: '1' } } },
        { path: ['default'], value: { kind: 'value', value: { S: 'x' } } },
      ],
      remove: [['removed']],
      add: [
        { path: ['more'], value: { NS: ['1', '2'] } },
        { path: ['longer'], value: { L: [{ N: '1' }] } },
      ],
      delete: [{ path: ['fewer'], value: { SS: ['x'] } }],
    })
  })

  test('takes a name of the prototype as any other', () => {
    const updates = JSON.parse('{"__proto__": {"Action": "PUT", "Value": {"S": "x"}}}')
    expect(attributeUpdates(updates).set[0]?.path).toEqual(['__proto__'])
  })

  test.each([
    ['a name of 65535 bytes', `${'ü'.repeat(32767)}a`, undefined],
    ['a name of 65536 bytes', 'ü'.repeat(32768), /Attribute name is too large/],
    ['an empty name', '', /Empty attribute name$/],
  ])('%s is judged as that of an attribute', (_, name, refusal) => {
    const update = () => attributeUpdates({ [name]: { Action: 'DELETE' } })
    if (refusal === undefined) expect(update().remove).toEqual([[name]])
    else expect(update).toThrow(refusal)
  })
})
