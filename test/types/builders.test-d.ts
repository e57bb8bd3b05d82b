import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type {
  DeleteCommandInput,
  DynamoDBDocumentClient,
  GetCommandInput,
  PutCommandInput,
  QueryCommandInput,
  ScanCommandInput,
  TransactWriteCommandInput,
  UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb'
import {
  type CallOptions,
  defineSchema,
  type Item,
  Table,
  type TransactGetBuilder,
  type Transport,
} from 'singletable'
import type { Engine } from 'singletable/engine'
import type { Equal, Expect } from './wire-type.ts'

/** Right and wrong use of every builder. What is here is compiled and never run. */

const schema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byStatus: { hash: 'statusPk', sort: 'statusSk' },
    byName: { hash: 'pk', sort: 'name', type: 'local' },
    byRegion: { hash: ['region', 'kind'], sort: ['at'] },
  },
  models: {
    Task: {
      key: { pk: 'USER#${owner}', sk: 'TASK#${number:pad(4)}' },
      index: { statusPk: 'STATUS#${status}#${team}', statusSk: '${number:pad(4)}' },
      attributes: {
        owner: { type: String, required: true },
        number: { type: Number, required: true },
        status: { type: String, enum: ['open', 'done'], default: 'open' },
        team: { type: String },
        name: { type: String, required: true },
        at: { type: Date },
        done: { type: Boolean },
        size: { type: BigInt },
        price: { type: 'decimal' },
        labels: { type: Set, items: { type: String } },
        log: { type: Array, items: { type: String } },
        address: {
          type: Object,
          schema: {
            city: { type: String, required: true },
            place: { type: Object, schema: { floor: { type: Number } } },
          },
        },
        free: { type: 'any' },
        fixed: { type: String, readonly: true },
        version: { type: Number, version: true },
        region: { type: String },
        kind: { type: String },
      },
    },
    Note: {
      key: { pk: 'NOTE#${id}', sk: 'NOTE' },
      attributes: { id: { type: String, generate: 'ulid' }, text: { type: String } },
    },
  },
})

declare const transport: Transport
declare const engine: Engine
declare const sdkClient: DynamoDBClient
declare const documentClient: DynamoDBDocumentClient
declare const options: CallOptions

const table = new Table({ name: 'tasks', schema, client: transport })
const { Task, Note } = table.entities
type Task = Item<typeof schema, 'Task'>
type Note = Item<typeof schema, 'Note'>
const key = { owner: 'alice', number: 1 }

export function tables(): void {
  new Table({ name: 'tasks', schema, client: engine, cursorSecret: 'x', retry: { attemptsMax: 2 } })
  new Table({ name: 'tasks', schema, client: sdkClient, cursorSecret: ['new', 'old'] })
  new Table({ name: 'tasks', schema, client: documentClient, onWarning: () => {} })
  // @ts-expect-error: nothing can be sent without a client.
  new Table({ name: 'tasks', schema })
  // @ts-expect-error: this has no send().
  new Table({ name: 'tasks', schema, client: {} })
  // @ts-expect-error: there is no such option.
  new Table({ name: 'tasks', schema, client: engine, retries: 3 })
  // @ts-expect-error: there is no such model.
  table.entities.Tusk
}

export async function gets(): Promise<void> {
  const whole = await Task.get(key).consistentRead().includeExpired().execute(options)
  const names = await Task.get(key).select(['name', 'at']).execute()
  const places = await Task.get(key)
    .select((attr) => [attr.address.place.floor, attr.log[0]])
    .execute()
  type Results = [
    Expect<Equal<typeof whole, Task | undefined>>,
    Expect<Equal<typeof names, Pick<Task, 'name' | 'at'> | undefined>>,
  ]
  places?.address?.place?.floor satisfies number | undefined
  const params: GetCommandInput = Task.get(key).dbParams()
  Task.get(key).explain().notes
  // @ts-expect-error: a part of the key is missing.
  Task.get({ owner: 'alice' })
  // @ts-expect-error: the number is not a string.
  Task.get({ owner: 'alice', number: '1' })
  // @ts-expect-error: there is no such attribute.
  Task.get({ ...key, nombre: 1 })
  // @ts-expect-error: there is no such attribute.
  Task.get(key).select(['nam'])
  // @ts-expect-error: there is no such member.
  Task.get(key).select((attr) => [attr.address.town])
  // @ts-expect-error: it was not selected.
  names?.owner
  // @ts-expect-error: a get has no condition.
  Task.get(key).where(() => {})
  // @ts-expect-error: there is no such mode.
  Task.get(key).returnConsumedCapacity('ALL')
  return void ({} as [Results, typeof params])
}

export async function puts(): Promise<void> {
  const item = { owner: 'alice', number: 1, name: 'n' }
  const written = await Task.put({ ...item, status: 'done', labels: new Set(['a']) }).execute()
  const created = await Task.create(item).execute(options)
  const old = await Task.put(item).returning('ALL_OLD').execute()
  const nothing = await Task.put(item).ifNotExists().returning('NONE').execute()
  type Results = [
    Expect<Equal<typeof written, Task>>,
    Expect<Equal<typeof created, Task>>,
    Expect<Equal<typeof old, Task | undefined>>,
    Expect<Equal<typeof nothing, undefined>>,
  ]
  await Note.put({}).execute()
  Task.put(item).where((attr, op) => op.or(op.notExists(attr.pk), op.lt(attr.at, new Date(0))))
  const params: PutCommandInput = Task.put(item).dbParams()
  // @ts-expect-error: `name` is required.
  Task.put({ owner: 'alice', number: 1 })
  // @ts-expect-error: there is no such status.
  Task.put({ ...item, status: 'closed' })
  // @ts-expect-error: there is no such attribute.
  Task.put({ ...item, titel: 'x' })
  // @ts-expect-error: `city` is required.
  Task.put({ ...item, address: {} })
  // @ts-expect-error: a set is not a list.
  Task.put({ ...item, labels: ['a'] })
  // @ts-expect-error: null has to be allowed by `nulls`.
  Task.put({ ...item, team: null })
  // @ts-expect-error: a put can't give that.
  Task.put(item).returning('UPDATED_NEW')
  return void ({} as [Results, typeof params])
}

export async function updates(): Promise<void> {
  const updated = await Task.update(key)
    .set('status', 'done')
    .set({ team: 'a', at: new Date(0), done: undefined })
    .set((attr) => attr.address.city, 'Rome')
    .set((attr) => attr.address.place.floor, 1)
    .setDefault('team', 'b')
    .setDefault({ team: 'b' })
    .setDefault((attr) => attr.address.city, 'Oslo')
    .remove('done', 'at', (attr) => attr.address.place)
    .add('number', 1)
    .add('size', 1n)
    .add('price', '0.10')
    .add('labels', ['a'])
    .add((attr) => attr.address.place.floor, -1)
    .delete('labels', new Set(['b']))
    .append('log', ['x'])
    .prepend((attr) => attr.log, ['y'])
    .where((attr, op) => op.eq(attr.status, 'open'))
    .given({ team: 'a' })
    .ifVersion(3)
    .execute(options)
  const old = await Task.upsert(key).set({ name: 'n' }).returning('ALL_OLD').execute()
  const nothing = await Task.update(key)
    .set('free', [1, { a: 2 }])
    .returning('NONE')
    .execute()
  const some = await Task.update(key).add('number', 1).returning('UPDATED_NEW').execute()
  type Results = [
    Expect<Equal<typeof updated, Task>>,
    Expect<Equal<typeof old, Task | undefined>>,
    Expect<Equal<typeof nothing, undefined>>,
  ]
  some?.number satisfies number | undefined
  const params: UpdateCommandInput = Task.update(key).set('team', 'a').dbParams()
  // @ts-expect-error: there is no such attribute.
  Task.update(key).set('staus', 'done')
  // @ts-expect-error: there is no such status.
  Task.update(key).set('status', 'closed')
  // @ts-expect-error: there is no such status.
  Task.update(key).set({ status: 'closed' })
  // @ts-expect-error: there is no such attribute.
  Task.update(key).set({ staus: 'done' })
  // @ts-expect-error: a city is text.
  Task.update(key).set((attr) => attr.address.city, 7)
  // @ts-expect-error: there is no such member.
  Task.update(key).set((attr) => attr.address.town, 'Rome')
  // @ts-expect-error: it is readonly.
  Task.update(key).set('fixed', 'x')
  // @ts-expect-error: the version counts by itself.
  Task.update(key).set('version', 7)
  // @ts-expect-error: there is no such attribute.
  Task.update(key).remove('staus')
  // @ts-expect-error: every item has a name.
  Task.update(key).remove('name')
  // @ts-expect-error: every item has a name.
  Task.update(key).remove(['team', 'name'])
  // @ts-expect-error: every item has its version.
  Task.update(key).remove('version')
  // @ts-expect-error: nothing can be added to text.
  Task.update(key).add('name', 'x')
  // @ts-expect-error: nothing can be added to text.
  Task.update(key).add({ number: 1, team: 'x' })
  // @ts-expect-error: a boolean can't be added to.
  Task.update(key).add('done', true)
  // @ts-expect-error: a list has append() and prepend().
  Task.update(key).add('log', ['x'])
  // @ts-expect-error: a list is not a set.
  Task.update(key).delete('log', ['x'])
  // @ts-expect-error: a set is not a list.
  Task.update(key).append('labels', ['x'])
  // @ts-expect-error: elements are strings.
  Task.update(key).append('log', [1])
  // @ts-expect-error: an element must be in brackets.
  Task.update(key).append('log', 'x')
  // @ts-expect-error: there is no such attribute.
  Task.update(key).given({ staus: 'open' })
  return void ({} as [Results, typeof params])
}

export async function deletes(): Promise<void> {
  const nothing = await Task.delete(key).mustExist().ifVersion(1).execute()
  const old = await Task.delete(key)
    .where((attr, op) => op.attributeType(attr.name, 'S'))
    .returning('ALL_OLD')
    .execute(options)
  type Results = [
    Expect<Equal<typeof nothing, undefined>>,
    Expect<Equal<typeof old, Task | undefined>>,
  ]
  const params: DeleteCommandInput = Task.delete(key).dbParams()
  // @ts-expect-error: a delete can't give that.
  Task.delete(key).returning('ALL_NEW')
  // @ts-expect-error: a check is part of a transaction.
  await Task.check(key).execute()
  return void ({} as [Results, typeof params])
}

export async function queries(): Promise<void> {
  const tasks = await Task.query({ owner: 'alice' })
    .limit(10)
    .pageSize(5)
    .scanIndexForward(false)
    .consistentRead()
    .startFrom(undefined)
    .execute(options)
  const page = await Task.query({ pk: 'USER#alice', status: 'open' }).executeWithPagination()
  const first = await Task.query({ status: 'open', team: 'a' }).select(['name']).first()
  const count = await Task.query({ region: 'eu', kind: 'x' }).hydrate().includeExpired().count()
  for await (const task of Task.query({ owner: 'alice' })) task.name satisfies string
  for await (const task of Task.query({ owner: 'alice' }).iterate(options)) task satisfies Task
  type Results = [
    Expect<Equal<typeof tasks, Task[]>>,
    Expect<Equal<typeof page.items, Task[]>>,
    Expect<Equal<typeof page.cursor, string | undefined>>,
    Expect<Equal<typeof first, Pick<Task, 'name'> | undefined>>,
    Expect<Equal<typeof count, number>>,
  ]
  const params: QueryCommandInput = Task.query({ owner: 'alice' }).dbParams()
  Task.query({ owner: 'alice' }).useIndex('byName').consistentRead()
  // @ts-expect-error: the partition key of no index is fixed by this: primary needs owner, byStatus status and team, byRegion region and kind.
  Task.query({ status: 'open' })
  // @ts-expect-error: the partition key of no index is fixed by nothing.
  Task.query({})
  // @ts-expect-error: only half of the partition key of byRegion.
  Task.query({ region: 'eu' })
  // @ts-expect-error: there is no such attribute.
  Task.query({ owner: 'alice', staus: 'open' })
  // @ts-expect-error: there is no such status.
  Task.query({ owner: 'alice', status: 'closed' })
  // @ts-expect-error: owner is text.
  Task.query({ owner: 1 })
  // @ts-expect-error: there is no such index.
  Task.query({ owner: 'alice' }).useIndex('byOwner')
  // @ts-expect-error: byStatus is a global index, which can't be read consistently.
  Task.query({ status: 'open', team: 'a' }).useIndex('byStatus').consistentRead()
  // @ts-expect-error: only a scan has segments.
  Task.query({ owner: 'alice' }).segment(0, 2)
  return void ({} as [Results, typeof params])
}

export async function awaited(): Promise<void> {
  const key = { owner: 'alice', number: 1 }
  const got = await Task.get(key)
  const chosen = await Task.get(key).select(['name'])
  const put = await Task.put({ ...key, name: 'a' })
  const old = await Task.delete(key).returning('ALL_OLD')
  const found = await Task.query({ owner: 'alice' })
  const many = await Task.batchGet([key])
  const [first] = await table.transactGet().addGet(Task.get(key))
  const [second] = await table.batchGet([Task.get(key)])
  const name = Task.get(key).then((task) => task?.name)
  const promise: Promise<Task[]> = Task.query({ owner: 'alice' })
  type Results = [
    Expect<Equal<typeof got, Task | undefined>>,
    Expect<Equal<typeof chosen, Pick<Task, 'name'> | undefined>>,
    Expect<Equal<typeof put, Task>>,
    Expect<Equal<typeof old, Task | undefined>>,
    Expect<Equal<typeof found, Task[]>>,
    Expect<Equal<typeof many, (Task | undefined)[]>>,
    Expect<Equal<typeof first, Task | undefined>>,
    Expect<Equal<typeof second, Task | undefined>>,
    Expect<Equal<typeof name, Promise<string | undefined>>>,
  ]
  // @ts-expect-error: a check is part of a transaction.
  await Task.check(key)
  return void ({} as [Results, typeof promise])
}

export async function scans(): Promise<void> {
  const tasks = await Task.scan()
    .where((attr, op) => op.contains(attr.labels, 'a'))
    .parallel(4)
    .execute()
  const places = await Task.scan()
    .segment(0, 2)
    .select((attr) => [attr.address.city])
    .limit(3)
    .execute()
  type Results = Expect<Equal<typeof tasks, Task[]>>
  places[0]?.address?.city satisfies string | undefined
  const params: ScanCommandInput = Task.scan().useIndex('byStatus').dbParams()
  // @ts-expect-error: a scan has no order.
  Task.scan().scanIndexForward(false)
  return void ({} as [Results, typeof params])
}

export function conditions(): void {
  Task.query().where((attr, op) =>
    op.and(
      op.eq(attr.status, 'open'),
      op.ne(attr.owner, attr.name),
      op.gte(attr.at, new Date(0)),
      op.between(attr.number, 1, 5),
      op.in(attr.status, ['open', 'done']),
      op.beginsWith(attr.name, 'a'),
      op.contains(attr.name, 'a'),
      op.contains(attr.log, 'a'),
      op.exists(attr.address.place.floor),
      op.gt(op.size(attr.labels), 3),
      op.size(attr.log).lte(7),
      op.eq(attr.log[0], 'first'),
      op.eq(attr.free.whatever.is[3].there, 1),
      op.eq(attr.size, 5n),
      op.beginsWith(attr.statusSk, '00'),
      op.not(op.eq(attr.done, true)),
    ),
  )
  // @ts-expect-error: there is no such status.
  Task.query().where((attr, op) => op.eq(attr.status, 'closed'))
  // @ts-expect-error: there is no such status.
  Task.query().where((attr, op) => op.in(attr.status, ['open', 'closed']))
  // @ts-expect-error: a Date is compared with a Date.
  Task.query().where((attr, op) => op.lt(attr.at, '2026-01-01'))
  // @ts-expect-error: a number is not a string.
  Task.query().where((attr, op) => op.eq(attr.number, attr.name))
  // @ts-expect-error: a number has no beginning.
  Task.query().where((attr, op) => op.beginsWith(attr.number, '1'))
  // @ts-expect-error: labels are strings.
  Task.query().where((attr, op) => op.contains(attr.labels, 1))
  // @ts-expect-error: there is no such attribute.
  Task.query().where((attr, op) => op.exists(attr.staus))
  // @ts-expect-error: a size is not an attribute.
  Task.query().where((attr, op) => op.exists(op.size(attr.log)))
  // @ts-expect-error: a boolean of JavaScript is not a condition.
  Task.query().where(() => true)
  // @ts-expect-error: there is no such type.
  Task.query().where((attr, op) => op.attributeType(attr.name, 'String'))
  // @ts-expect-error: nothing to combine.
  Task.query().where((_, op) => op.and())
}

export async function batches(): Promise<void> {
  const found = await Task.batchGet([key]).select(['name']).consistentRead().execute()
  const put = await Task.batchWrite([{ ...key, name: 'n' }])
    .delete([key])
    .execute(options)
  const mixed = await table
    .batchGet([Task.get(key), Note.get({ id: '1' }).select(['text'])])
    .execute()
  const written = await table.batchWrite([Note.put({ text: 'x' }), Task.delete(key)]).execute()
  type Results = [
    Expect<Equal<typeof found, (Pick<Task, 'name'> | undefined)[]>>,
    Expect<Equal<typeof put, Task[]>>,
    Expect<Equal<typeof mixed, [Task | undefined, Pick<Note, 'text'> | undefined]>>,
    Expect<Equal<typeof written, [Note, undefined]>>,
  ]
  // @ts-expect-error: a part of the key is missing.
  Task.batchGet([{ owner: 'alice' }])
  // @ts-expect-error: `name` is required.
  Task.batchWrite([key])
  // @ts-expect-error: batches have no updates.
  table.batchWrite([Task.update(key).set('team', 'a')])
  // @ts-expect-error: a put is not a get.
  table.batchGet([Note.put({})])
  return void ({} as Results)
}

export async function transactions(): Promise<void> {
  const write = table
    .transactWrite()
    .add(Note.put({}))
    .addPut(Note.put({}))
    .addPut(Note.put({}).dbParams())
    .addUpdate(Task.update(key).add('number', 1))
    .addUpdate(Task.update(key).add('number', 1).dbParams())
    .addDelete(Task.delete(key))
    .addDelete(Task.delete(key).dbParams())
    .addConditionCheck(Task.check(key).ifVersion(1))
    .addConditionCheck(Task.check(key).dbParams())
    .withClientRequestToken('token')
  const params: TransactWriteCommandInput = write.dbParams()
  await write.execute(options)
  const read = await table
    .transactGet()
    .addGet(Task.get(key))
    .addGet(Note.get({ id: '1' }).select(['text']))
    .addGet(Note.get({ id: '1' }).dbParams())
    .execute()
  type Results = Expect<
    Equal<
      typeof read,
      [Task | undefined, Pick<Note, 'text'> | undefined, Record<string, unknown> | undefined]
    >
  >
  let filled: TransactGetBuilder<unknown[]> = table.transactGet()
  for (const id of ['1', '2']) filled = filled.addGet(Note.get({ id }))
  // @ts-expect-error: a delete is not a put.
  table.transactWrite().addPut(Task.delete(key))
  // @ts-expect-error: a get writes nothing.
  table.transactWrite().add(Task.get(key))
  // @ts-expect-error: a put reads nothing.
  table.transactGet().addGet(Note.put({}))
  return void ({} as [Results, typeof params])
}

export function keys(): void {
  Task.renderKey(key) satisfies { pk: string; sk: string }
  Task.parseKey('USER#alice')?.owner satisfies string | undefined
  Task.parseKey({ pk: 'USER#alice', sk: 'TASK#0001' })?.number satisfies number | undefined
  // @ts-expect-error: a part of the key is missing.
  Task.renderKey({ owner: 'alice' })
}
