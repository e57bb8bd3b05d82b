import { afterEach, expect, test } from 'vitest'
import { Table } from '../builder/table.ts'
import { createEngine } from '../engine/engine.ts'
import { simulatedEnvironment } from '../engine/simulated-environment.ts'
import { defineSchema } from '../plan/define-schema.ts'
import { instrument } from './instrument.ts'
import type { TelemetryAttributes, TelemetryMeter, TelemetryTracer } from './open-telemetry.ts'

const schema = defineSchema({
  indexes: { primary: { hash: 'pk' }, gsi1: { hash: 'gsi1pk' } },
  models: {
    Note: {
      key: { pk: 'NOTE#${id}' },
      index: { gsi1pk: 'TOPIC#${topic}' },
      attributes: { id: { type: String, required: true }, topic: { type: String } },
    },
  },
  patterns: {
    notesByTopic: { op: 'query', entity: 'Note', index: 'gsi1', by: ['topic'] },
  },
})

interface FinishedSpan {
  readonly name: string
  readonly kind: number | undefined
  readonly attributes: TelemetryAttributes | undefined
  readonly startTime: number | undefined
  endTime?: number | undefined
  status?: { code: number; message?: string }
  exceptions: { name: string; message: string }[]
}

/** Keeps spans as an exporter would get them. */
function memoryTracer() {
  const spans: FinishedSpan[] = []
  const tracer: TelemetryTracer = {
    startSpan(name, { kind, attributes, startTime } = {}) {
      const span: FinishedSpan = { name, kind, attributes, startTime, exceptions: [] }
      return {
        setStatus(status) {
          span.status = status
        },
        recordException(exception) {
          span.exceptions.push(exception)
        },
        end(endTime) {
          span.endTime = endTime
          spans.push(span)
        },
      }
    },
  }
  return { spans, tracer }
}

function memoryMeter() {
  const points: { name: string; value: number; attributes: TelemetryAttributes | undefined }[] = []
  const units: { [name: string]: string | undefined } = {}
  const write = (name: string) => (value: number, attributes?: TelemetryAttributes) => {
    points.push({ name, value, attributes })
  }
  const meter: TelemetryMeter = {
    createCounter(name, options) {
      units[name] = options?.unit
      return { add: write(name) }
    },
    createHistogram(name, options) {
      units[name] = options?.unit
      return { record: write(name) }
    },
  }
  return { points, units, meter }
}

let stop: (() => void) | undefined
afterEach(() => stop?.())

async function start() {
  const environment = simulatedEnvironment({ now: 1_000_000 })
  const engine = createEngine({ environment })
  const table = new Table({ name: 'Notes', schema, client: engine, environment })
  await table.create()
  return { environment, engine, table, Note: table.entities.Note }
}

test("a span has the conventions' attributes and no keys or values", async () => {
  const { table, Note, environment } = await start()
  const { spans, tracer } = memoryTracer()
  stop = instrument({ tracer, environment })
  await Note.put({ id: 'secret', topic: 'hidden' }).returnConsumedCapacity('TOTAL').execute()
  await table.patterns.notesByTopic({ topic: 'hidden' })
  expect(spans.map(({ name, kind }) => [name, kind])).toEqual([
    ['PutItem Notes', 2],
    ['Query Notes', 2],
  ])
  expect(spans[0]?.attributes).toEqual({
    'db.system.name': 'aws.dynamodb',
    'db.operation.name': 'PutItem',
    'db.collection.name': 'Notes',
    'rpc.system.name': 'aws-api',
    'aws.dynamodb.table_names': ['Notes'],
    'aws.dynamodb.consumed_capacity': ['{"TableName":"Notes","CapacityUnits":2}'],
    'singletable.entity': 'Note',
    'singletable.verb': 'put',
    'singletable.retries': 0,
  })
  expect(spans[1]?.attributes).toMatchObject({
    'aws.dynamodb.index_name': 'gsi1',
    'singletable.pattern': 'notesByTopic',
  })
  expect(JSON.stringify(spans)).not.toMatch(/secret|hidden/)
})

test('a failure is an error with its stable code; retries and their time are counted', async () => {
  const { Note, engine, environment } = await start()
  const { spans, tracer } = memoryTracer()
  const { points, meter, units } = memoryMeter()
  stop = instrument({ tracer, meter, environment })
  engine.faults.add({ kind: 'throttle', operation: 'GetItem', count: 2 })
  const get = Note.get({ id: '1' }).execute()
  await environment.advance(60_000)
  await get
  const { startTime = 0, endTime = 0 } = spans[0]!
  expect(spans[0]?.attributes?.['singletable.retries']).toBe(2)
  expect(endTime - startTime).toBeGreaterThan(0)
  expect(points.map(({ name }) => name)).toEqual([
    'db.client.operation.duration',
    'singletable.retries',
  ])
  expect(points[0]?.value).toBe((endTime - startTime) / 1000)
  expect(units['db.client.operation.duration']).toBe('s')

  const lost = new Table({ name: 'Lost', schema, client: engine, environment })
  await expect(lost.entities.Note.get({ id: '1' }).execute()).rejects.toThrow()
  expect(spans[1]?.attributes?.['error.type']).toBe('TABLE_NOT_FOUND')
  expect(spans[1]?.status).toEqual({ code: 2, message: expect.stringContaining('TABLE_NOT_FOUND') })
  expect(spans[1]?.exceptions).toHaveLength(1)
})

test('consumed capacity is measured where it is asked for', async () => {
  const { Note, environment } = await start()
  const { points, meter } = memoryMeter()
  stop = instrument({ meter, environment })
  await Note.put({ id: '1' }).execute()
  await Note.put({ id: '1' }).returnConsumedCapacity('INDEXES').execute()
  const consumed = points.filter(({ name }) => name === 'singletable.consumed_capacity')
  expect(consumed.map(({ value }) => value)).toEqual([1])
  expect(consumed[0]?.attributes?.['singletable.entity']).toBe('Note')
})

test('after the end nothing more is reported', async () => {
  const { Note, environment } = await start()
  const { spans, tracer } = memoryTracer()
  instrument({ tracer, environment })()
  await Note.put({ id: '1' }).execute()
  expect(spans).toEqual([])
})
