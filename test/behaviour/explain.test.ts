import { defineSchema, type Explanation, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { expect, test } from 'vitest'

/**
 * The plans of every builder as `.explain()` prints them, in `__golden__/explain.txt`. They are
 * made without sending anything, so one target is enough. After a change that is meant, look at
 * what `npx vitest run -u` changes there.
 */

const PlanSchema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byStatus: { hash: 'gsi1pk', sort: 'gsi1sk' },
    keysOnly: { hash: 'owner', sort: 'sk', project: 'keys' },
  },
  models: {
    Project: {
      key: { pk: 'PROJECT#${project}', sk: 'PROJECT' },
      attributes: { project: { type: String, required: true }, name: { type: String } },
    },
    Task: {
      key: { pk: 'PROJECT#${project}', sk: 'TASK#${id}' },
      index: { gsi1pk: 'STATUS#${status}', gsi1sk: '${due}#${id}' },
      attributes: {
        project: { type: String, required: true },
        id: { type: String, required: true },
        status: { type: String, default: 'open' },
        due: { type: Date },
        owner: { type: String },
        hours: { type: Number, default: 0 },
        labels: { type: Set, items: { type: String } },
        version: { type: Number, version: true },
      },
    },
    Session: {
      key: { pk: 'SESSION#${id}', sk: 'SESSION' },
      attributes: {
        id: { type: String, required: true },
        expiresAt: { type: Date, ttl: true },
      },
    },
  },
})

test('the plan of every builder', async () => {
  const fixed = Date.UTC(2026, 0, 1)
  const table = new Table({
    name: 'Plans',
    schema: PlanSchema,
    client: createEngine(),
    environment: {
      now: () => fixed,
      randomBytes: (count) => new Uint8Array(count),
      schedule: () => () => {},
    },
  })
  const { Project, Task, Session } = table.entities
  const key = { project: 'p', id: '1' }
  const due = new Date(fixed)
  const plans = {
    get: Project.get({ project: 'p' }),
    'get, consistent and in part': Project.get({ project: 'p' }).select(['name']).consistentRead(),
    put: Project.put({ project: 'p' }),
    'put with a condition': Project.put({ project: 'p' }).where((attr, op) =>
      op.or(op.notExists(attr.name), op.beginsWith(attr.name, 'A')),
    ),
    'put of a version': Task.put({ ...key, version: 3 }),
    create: Project.create({ project: 'p' }),
    'create of what expires': Session.create({ id: '1' }),
    update: Task.update(key).add('hours', 1).add('labels', ['x']),
    'update of index keys': Task.update(key).set({ status: 'done', due }),
    'update that leaves an index': Task.update(key).remove('due'),
    'update that reads first': Task.update(key).set({ status: 'done' }),
    'update that moves': Task.update(key).set({ id: '2' }),
    'update of a version': Task.update(key).set({ owner: 'ann' }).ifVersion(2),
    upsert: Project.upsert({ project: 'p' }).set({ name: 'P' }),
    delete: Task.delete(key),
    'delete of what must exist': Task.delete(key).mustExist().ifVersion(1),
    check: Task.check(key).where((attr, op) => op.eq(attr.status, 'open')),
    query: Task.query({ project: 'p' }),
    'query with a filter': Task.query({ project: 'p' }).where((attr, op) => op.gt(attr.hours, 3)),
    'query of an index': Task.query({ status: 'open' }).where((attr, op) => op.lt(attr.due, due)),
    'query that hydrates': Task.query({ owner: 'ann' }).hydrate(),
    'query of what expires': Session.query({ id: '1' }).limit(1),
    scan: Task.scan().where((attr, op) => op.contains(attr.labels, 'x')),
    'scan of an index': Task.scan().useIndex('byStatus').segment(0, 4),
  }
  const transaction = table
    .transactWrite()
    .addPut(Project.put({ project: 'p' }))
    .addConditionCheck(Task.check(key))
  const sections = Object.entries(plans).map(([name, builder]) => print(name, builder.explain()))
  const parts = transaction.explain().map((plan, index) => print(`transaction, ${index}`, plan))
  const text = [...sections, ...parts].join('\n')
  await expect(text).toMatchFileSnapshot('__golden__/explain.txt')
})

function print(name: string, explanation: Explanation): string {
  const { refused, notes, ...rest } = explanation
  const reported = Object.entries(rest).filter(([, value]) => value !== undefined)
  const lines = reported.map(([key, value]) => `  ${key}: ${value}`)
  for (const { index, reason } of refused) lines.push(`  refused: ${index}, ${reason}`)
  for (const note of notes) lines.push(`  note: ${note}`)
  return `${name}\n${lines.sort().join('\n')}\n`
}
