import { createEngine } from 'singletable/engine'
import { expect, test } from 'vitest'
import { parseFault } from './parse-fault.ts'

test.each([
  ['throttle', { kind: 'throttle' }],
  ['throttle:', { kind: 'throttle' }],
  [
    'throttle:operation=PutItem,probability=0.1,seed=7',
    { kind: 'throttle', operation: 'PutItem', probability: 0.1, seed: 7 },
  ],
  [
    'throttle:error=ThrottlingException,reason=TableWriteKeyRangeThroughputExceeded',
    {
      kind: 'throttle',
      error: 'ThrottlingException',
      reason: 'TableWriteKeyRangeThroughputExceeded',
    },
  ],
  ['error:when=after,count=1', { kind: 'error', when: 'after', count: 1 }],
  [
    'latency:ms=200,operation=Query+Scan',
    { kind: 'latency', ms: 200, operation: ['Query', 'Scan'] },
  ],
  [
    'unprocessed:key={"pk":{"S":"a,b"},"sk":{"S":"}\\""}},count=2',
    { kind: 'unprocessed', key: { pk: { S: 'a,b' }, sk: { S: '}"' } }, count: 2 },
  ],
  ['conflict:table=blog', { kind: 'conflict', table: 'blog' }],
  ['indexLag:ms=1000,index=byDate', { kind: 'indexLag', ms: 1000, index: 'byDate' }],
  ['timeToLiveDelay:ms=60000', { kind: 'timeToLiveDelay', ms: 60_000 }],
  ['transition:ms=5000,table=blog', { kind: 'transition', ms: 5000, table: 'blog' }],
])('%s is read, and taken by the engine', async (text, fault) => {
  expect(parseFault(text)).toEqual(fault)
  const engine = createEngine()
  engine.faults.add(parseFault(text))
  expect(engine.faults.installed).toHaveLength(1)
  await engine.close()
})

test.each([
  ['latency:ms', '"ms" is not member=value'],
  ['latency:=5', '"=5" is not member=value'],
  ['latency:ms=5,ms=6', '"ms" is given twice'],
  ['latency:kind=throttle', 'there is no member "kind"'],
  ['latency:toString=1', 'there is no member "toString"'],
  ['latency:__proto__=1', 'there is no member "__proto__"'],
  ['latency:ms=', 'ms is ""'],
  ['latency:ms=1e3', 'ms is "1e3"'],
  ['latency:ms=0x10', 'ms is "0x10"'],
  ['throttle:key={"pk"', 'key is "{"pk""'],
])('%s is refused', (text, problem) => {
  expect(() => parseFault(text)).toThrow(problem)
})
