import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../architecture/package-manifest.ts'

/** What the compiler may do for a schema of this size, with put, get and query used once per model. Deterministic. */
const INSTANTIATIONS_MAX = 60_000
const INSTANTIATIONS_PER_MODEL_MAX = 1_000
/** What each of three access patterns per model may add, declared and called once. */
const INSTANTIATIONS_PER_PATTERN_MAX = 350
/** What two handlers of a model's changes may add. */
const INSTANTIATIONS_PER_HANDLED_MODEL_MAX = 300

const folder = mkdtempSync(path.join(tmpdir(), 'singletable-type-cost-'))
const compiler = path.join(ROOT, 'node_modules/.bin/tsc')

/** Declarations are what applications compile against; our sources would be counted with them. */
beforeAll(() => {
  const library = path.join(folder, 'singletable')
  compile('-p', path.join(ROOT, 'packages/singletable'), [
    '--emitDeclarationOnly',
    '--noCheck',
    '--isolatedDeclarations',
    'false',
    '--declarationMap',
    'false',
    '--declarationDir',
    library,
    '--tsBuildInfoFile',
    path.join(folder, 'library.tsbuildinfo'),
  ])
  mkdirSync(path.join(folder, 'node_modules'))
  symlinkSync(path.join(ROOT, 'node_modules/@types'), path.join(folder, 'node_modules/@types'))
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
})

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

function instantiations(models: number, patterns = 0, more?: (models: number) => string): number {
  const place = path.join(folder, `models-${models}-${patterns}-${more?.name}`)
  mkdirSync(place, { recursive: true })
  const text = program(models, patterns) + (more?.(models) ?? '')
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

/** Runs the compiler; what it complains of is in the error. */
function compile(project: '-p', place: string, parameters: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(
    compiler,
    [project, place, '--pretty', 'false', ...parameters],
    { encoding: 'utf8', cwd: folder },
  )
  if (status !== 0) throw new Error(`the compiler refused ${place}:\n${stdout}${stderr}`)
  return stdout
}

function program(models: number, patterns: number): string {
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
      models: { ${numbers.map(model).join('\n')} },
      params: { timestamps: true },
      ${patterns > 0 ? `patterns: { ${numbers.map((number) => declared(number, patterns)).join('')} },` : ''}
    })
    const table = new Table({ name: 'large', schema, client })
    ${numbers.map(uses).join('\n')}
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
    const put${number} = await ${entity}.put({ tenant: 't', status: 'b${number}', name: 'n' }).execute()
    const get${number} = await ${entity}.get({ tenant: 't', id: '1' }).execute()
    const [query${number}] = await ${entity}.query({ tenant: 't' }).execute()
    export const results${number}: [string, Date, string | undefined, number | undefined] = [
      put${number}.name,
      put${number}.createdAt,
      get${number}?.address?.city,
      query${number}?.count,
    ]`
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
