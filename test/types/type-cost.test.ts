import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../architecture/package-manifest.ts'
import { emitDeclarations } from './emit-declarations.ts'

/** What the compiler may do for a schema of this size, with put, get and query used once per model.
 * Deterministic. */
const INSTANTIATIONS_MAX = 60_000
const INSTANTIATIONS_PER_MODEL_MAX = 1_000
/** What a copy of each model may add, queried once. */
const INSTANTIATIONS_PER_COPY_MAX = 570
/**
 * What each of three access patterns per model may add, declared and called once. Sixteen of them
 * are for the names that editors offer inside patterns.
 */
const INSTANTIATIONS_PER_PATTERN_MAX = 360
/** What two handlers of a model's changes may add. */
const INSTANTIATIONS_PER_HANDLED_MODEL_MAX = 300

const folder = mkdtempSync(path.join(tmpdir(), 'singletable-type-cost-'))
const compiler = path.join(ROOT, 'node_modules/.bin/tsc')

/** Declarations are what applications compile against; our sources would be counted with them. */
beforeAll(() => emitDeclarations(folder))

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

test('a large schema costs the compiler little, and each model the same', () => {
  const [few, more, many] = [5, 20, 60].map((models) => instantiations(models)) as [
    number,
    number,
    number,
  ]
  const perModel = (many - more) / 40
  console.log(
    `instantiations: ${few} with 5 models, ${more} with 20, ${many} with 60; ${perModel} per model`,
  )
  expect(few).toBeGreaterThan(0)
  expect(many).toBeLessThanOrEqual(INSTANTIATIONS_MAX)
  expect(perModel).toBeLessThanOrEqual(INSTANTIATIONS_PER_MODEL_MAX)
})

test.each([
  ['short templates, a nested object, a list', () => nested],
  ['dates in keys, sets, nulls, a list of objects, objects in objects', () => deep],
])('models of another shape cost no more: %s', (_, shapeOf) => {
  const shape = shapeOf()
  const [more, many] = [20, 60].map((models) => instantiations(models, 0, undefined, shape)) as [
    number,
    number,
  ]
  const perModel = (many - more) / 40
  console.log(`instantiations: ${more} with 20 models, ${many} with 60; ${perModel} per model`)
  expect(more).toBeGreaterThan(0)
  expect(many).toBeLessThanOrEqual(INSTANTIATIONS_MAX)
  expect(perModel).toBeLessThanOrEqual(INSTANTIATIONS_PER_MODEL_MAX)
})

test('a copy of each model costs the compiler less than the model', () => {
  const [without, many] = [USUAL, copied].map((shape) => instantiations(60, 0, undefined, shape))
  const perCopy = (many! - without!) / 60
  console.log(`instantiations: ${many} with 60 models and copies; ${Math.round(perCopy)} per copy`)
  expect(perCopy).toBeGreaterThan(0)
  expect(perCopy).toBeLessThanOrEqual(INSTANTIATIONS_PER_COPY_MAX)
})

test('access patterns cost the compiler little', () => {
  const models = 60
  const without = instantiations(models, 0)
  const counts = [1, 2, 3].map((kinds) => instantiations(models, kinds)) as [number, number, number]
  const perPattern = (counts[2] - without) / (3 * models)
  console.log(
    `instantiations with 60 models: ${without} without patterns, ${counts.join(', ')} with 60, 120, 180; ${Math.round(perPattern)} per pattern`,
  )
  expect(counts[0]).toBeGreaterThan(without)
  expect(perPattern).toBeLessThanOrEqual(INSTANTIATIONS_PER_PATTERN_MAX)
})

test('handlers of changes cost the compiler little', () => {
  const models = 60
  const perModel = (instantiations(models, 0, handlers) - instantiations(models)) / models
  console.log(`instantiations of handlers: ${Math.round(perModel)} per model`)
  expect(perModel).toBeGreaterThan(0)
  expect(perModel).toBeLessThanOrEqual(INSTANTIATIONS_PER_HANDLED_MODEL_MAX)
})

/** A model and its uses by number, and what the schema has next to models and indexes. */
interface Shape {
  readonly name: string
  readonly model: (number: number) => string
  readonly uses: (number: number) => string
  readonly params: string
}

function instantiations(
  models: number,
  patterns = 0,
  more?: (models: number) => string,
  shape: Shape = USUAL,
): number {
  const place = path.join(folder, `${shape.name}-${models}-${patterns}-${more?.name}`)
  mkdirSync(place, { recursive: true })
  const text = program(models, patterns, shape) + (more?.(models) ?? '')
  writeFileSync(path.join(place, 'program.ts'), text)
  const configuration = {
    extends: path.join(ROOT, 'tsconfig.base.json'),
    compilerOptions: { noEmit: true, rewriteRelativeImportExtensions: false },
    include: ['program.ts'],
  }
  writeFileSync(path.join(place, 'tsconfig.json'), JSON.stringify(configuration))
  const output = compile('-p', place, ['--extendedDiagnostics'])
  return Number(/Instantiations:\s+(\d+)/.exec(output)?.[1])
}

/** Runs the compiler; its messages are in the error. */
function compile(project: '-p', place: string, parameters: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(
    compiler,
    [project, place, '--pretty', 'false', ...parameters],
    { encoding: 'utf8', cwd: folder },
  )
  if (status !== 0) throw new Error(`the compiler refused ${place}:\n${stdout}${stderr}`)
  return stdout
}

function program(models: number, patterns: number, shape: Shape): string {
  const numbers = Array.from({ length: models }, (_, number) => number)
  return `
    import { defineSchema, Table, type Transport } from '../singletable/index.js'
    declare const client: Transport
    const schema = defineSchema({
      format: 'dynatable:1.0.0',
      version: '1.0.0',
      indexes: {
        primary: { hash: 'pk', sort: 'sk' },
        gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
      },
      models: { ${numbers.map(shape.model).join('\n')} },
      ${shape.params}
      ${patterns > 0 ? `patterns: { ${numbers.map((number) => declared(number, patterns)).join('')} },` : ''}
    })
    const table = new Table({ name: 'large', schema, client })
    ${numbers.map(shape.uses).join('\n')}
    ${numbers.map((number) => called(number, patterns)).join('\n')}
  `
}

function model(number: number): string {
  return `M${number}: {
    key: {
      pk: { type: String, value: 'M${number}#\${tenant}' },
      sk: { type: String, value: 'X#\${id}' },
    },
    index: {
      gsi1pk: { type: String, value: 'S#\${status}' },
      gsi1sk: { type: String, value: 'T#\${count:pad(8)}#\${id}' },
    },
    attributes: {
      tenant: { type: String, required: true },
      id: { type: String, generate: 'ulid' },
      status: { type: String, enum: ['a', 'b${number}'], required: true },
      count: { type: Number, default: 0 },
      name: { type: String, required: true },
      email: { type: String },
      active: { type: Boolean, default: true },
      born: { type: Date },
      tags: { type: Set, items: { type: String } },
      scores: { type: Array, items: { type: Number } },
      address: {
        type: Object,
        schema: { city: { type: String, required: true }, zip: { type: String } },
      },
      note: { type: String },
    },
  },`
}

function uses(number: number): string {
  const entity = `table.entities.M${number}`
  return `
    const put${number} = await ${entity}.put({ tenant: 't', status: 'b${number}', name: 'n' })
    const get${number} = await ${entity}.get({ tenant: 't', id: '1' })
    const [query${number}] = await ${entity}.query({ tenant: 't' })
    export const results${number}: [string, Date, string | undefined, number | undefined] = [
      put${number}.name,
      put${number}.createdAt,
      get${number}?.address?.city,
      query${number}?.count,
    ]`
}

const USUAL: Shape = { name: 'models', model, uses, params: 'params: { timestamps: true },' }

const copied: Shape = {
  ...USUAL,
  name: 'copied',
  model: (number) =>
    `${model(number).slice(0, -2)}
    copies: {
      Copy${number}: { key: { pk: 'C${number}#\${name}', sk: '\${tenant}#\${id}' }, attributes: ['name'] },
    },
  },`,
  uses: (number) => `${uses(number)}
    export const copy${number}: string | undefined = (
      await table.entities.Copy${number}.query({ name: 'n' })
    )[0]?.name`,
}

const nested: Shape = {
  name: 'nested',
  model: (number) => `M${number}: {
    key: { pk: 'M${number}#\${tenant}', sk: 'X#\${id}' },
    index: { gsi1pk: 'S#\${status}', gsi1sk: 'T#\${id}' },
    attributes: {
      tenant: { type: String, required: true },
      id: { type: String, required: true },
      status: { type: String, required: true },
      name: { type: String, required: true },
      email: { type: String },
      count: { type: Number },
      active: { type: Boolean },
      born: { type: Date },
      score: { type: Number, default: 0 },
      note: { type: String },
      tags: { type: Array, items: { type: String } },
      meta: {
        type: Object,
        schema: {
          source: { type: String, required: true },
          level: { type: Number },
          inner: { type: Object, schema: { flag: { type: Boolean } } },
        },
      },
    },
  },`,
  uses(number) {
    const entity = `table.entities.M${number}`
    return `
      const put${number} = await ${entity}.put({
        tenant: 't', id: '1', status: 's', name: 'n', tags: ['a'], meta: { source: 'x' },
      })
      const get${number} = await ${entity}.get({ tenant: 't', id: '1' })
      const [query${number}] = await ${entity}.query({ tenant: 't' })
      export const results${number}: [string, boolean | undefined, string[] | undefined] = [
        put${number}.name,
        get${number}?.meta?.inner?.flag,
        query${number}?.tags,
      ]`
  },
  params: 'params: { timestamps: true },',
}

const deep: Shape = {
  name: 'deep',
  model: (number) => `M${number}: {
    key: { pk: { type: String, value: 'M${number}#\${owner}' }, sk: { type: String, value: 'X#\${at}#\${id}' } },
    attributes: {
      owner: { type: String, required: true },
      id: { type: String, generate: 'ulid' },
      at: { type: Date, required: true },
      kind: { type: String, enum: ['x', 'y'], default: 'x' },
      total: { type: Number, required: true },
      paid: { type: Boolean, required: true },
      big: { type: BigInt },
      bytes: { type: Uint8Array },
      labels: { type: Set, items: { type: String } },
      note: { type: String, nulls: true },
      lines: {
        type: Array,
        items: {
          type: Object,
          schema: { sku: { type: String, required: true }, quantity: { type: Number, required: true } },
        },
      },
      address: {
        type: Object,
        required: true,
        schema: {
          city: { type: String, required: true },
          zip: { type: String },
          geo: { type: Object, schema: { lat: { type: Number }, lon: { type: Number } } },
        },
      },
    },
  },`,
  uses(number) {
    const entity = `table.entities.M${number}`
    return `
      const put${number} = await ${entity}.put({
        owner: 't', at: new Date(), total: 1, paid: true, note: 'n',
        lines: [{ sku: 'a', quantity: 1 }], address: { city: 'x', geo: { lat: 1 } },
      })
      const get${number} = await ${entity}.get({ owner: 't', at: new Date(), id: '1' })
      const [query${number}] = await ${entity}.query({ owner: 't' })
      export const results${number}: ['x' | 'y', number | undefined, string | undefined] = [
        put${number}.kind,
        get${number}?.address.geo?.lat,
        query${number}?.lines?.[0]?.sku,
      ]`
  },
  params: '',
}

/** Up to three patterns of a model: items by key, a range of them, and an index with a filter. */
function declared(number: number, patterns: number): string {
  return [
    `get${number}: { op: 'get', entity: 'M${number}', by: ['tenant', 'id'] },`,
    `list${number}: {
      op: 'query', entity: 'M${number}', by: ['tenant'], range: 'id', order: 'desc', limit: 20,
    },`,
    `byStatus${number}: {
      op: 'query', entity: 'M${number}', index: 'gsi1', by: ['status'], range: 'count',
      filter: { name: { beginsWith: '$start' } },
    },`,
  ]
    .slice(0, patterns)
    .join('\n')
}

function called(number: number, patterns: number): string {
  return [
    `export const one${number} = (await table.patterns.get${number}({ tenant: 't', id: '1' })).item?.name`,
    `export const page${number} = (await table.patterns.list${number}({ tenant: 't', id: { from: '1' } })).items[0]?.count`,
    `export const found${number} = (await table.patterns.byStatus${number}({ status: 'b${number}', count: 7, start: 'n' })).items[0]?.status`,
  ]
    .slice(0, patterns)
    .join('\n')
}

function handlers(models: number): string {
  const numbers = Array.from({ length: models }, (_, number) => number)
  const own = numbers.map(
    (number) => `M${number}: {
      insert: ({ after }) => after.name,
      modify: ({ before, after, changed }) => [before.count, after.status, changed.includes('name')],
    },`,
  )
  return `
    import { onChange } from '../singletable/streams/index.js'
    export const handler = onChange(table, { ${own.join('')} })`
}
