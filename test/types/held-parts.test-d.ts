import type { Item, Table } from 'singletable'
import { updateMany } from 'singletable/many'
import type { schema } from '../library/held-parts-schema.ts'
import type { Equal, Expect } from './wire-type.ts'

/**
 * Results have the type of what the index holds. What is here is compiled and never run; the
 * values are in test/library/held-parts.test.ts.
 */

declare const table: Table<typeof schema>
const { Task, Session } = table.entities
type Whole = Item<typeof schema, 'Task'>
type InKeys = Pick<Whole, 'owner' | 'number' | 'team' | 'due'>
type Some = Pick<
  Whole,
  'owner' | 'number' | 'title' | 'first' | 'last' | 'name' | 'lead' | 'position'
>

const query = Task.query({ team: 'red' })
const byTeam = query.useIndex('byTeam')
const byLead = Task.query({ lead: 'ben' }).useIndex('byLead')
const page = await byTeam.executeWithPagination()
const scanned = await Task.scan().useIndex('byLead').first()
const hydrated = await byTeam.hydrate()
const hydratedFirst = await query.hydrate().useIndex('byTeam')
const selected = await byTeam.select(['number'])
const selectedFirst = await query.select(['title']).hydrate().useIndex('byTeam').order('desc')
const scoped = await table.scope({ owner: 'ann' }).entities.Task.query().useIndex('byTeam')

export type Cases = [
  // An index of keys: what the keys have in full. An optional attribute stays optional.
  Expect<Equal<Awaited<typeof byTeam>, InKeys[]>>,
  Expect<Equal<InKeys['team'], string | undefined>>,
  Expect<Equal<(typeof page)['items'], InKeys[]>>,
  Expect<Equal<Awaited<ReturnType<(typeof byTeam)['first']>>, InKeys | undefined>>,
  Expect<Equal<typeof scoped, InKeys[]>>,
  // An index with a list: in addition the list, what is computed from it, and mapped keys.
  Expect<Equal<keyof Awaited<typeof byLead>[number], keyof Some>>,
  Expect<Equal<Awaited<typeof byLead>, Some[]>>,
  Expect<Equal<typeof scanned, Some | undefined>>,
  // One that holds whole items, and one that is chosen, which is refused where it does not.
  Expect<Equal<Awaited<ReturnType<typeof whole>>, Whole[]>>,
  Expect<Equal<Awaited<typeof query>, Whole[]>>,
  Expect<Equal<typeof hydrated, Whole[]>>,
  Expect<Equal<typeof hydratedFirst, Whole[]>>,
  Expect<Equal<typeof selected, Pick<Whole, 'number'>[]>>,
  Expect<Equal<typeof selectedFirst, Pick<Whole, 'title'>[]>>,
]

async function whole() {
  return await Task.query({ kind: 'Bug' }).useIndex('byKind').useIndex('primary')
}

const [found] = await byTeam
// @ts-expect-error the index does not have the title
found?.title
// @ts-expect-error nor what the key has only in lower case
found?.kind
for await (const task of byLead) {
  task.name
  // @ts-expect-error it is neither listed nor in a key
  task.due
}
// @ts-expect-error an index of keys does not have the time to live
;(await Session.query({ team: 'red' }).useIndex('byTeam').includeExpired())[0]?.endsAt
updateMany(byTeam, (update, task) => update.set({ title: `${task.number}` }), { all: true })
updateMany(byTeam.hydrate(), (update, { title }) => update.set({ title }), { all: true })
// @ts-expect-error a global index can't be read consistently, whatever else was asked for
byTeam.hydrate().consistent()

// What is selected by name or by reference must be in the index, or fetched.
byTeam.select(['owner', 'due'])
byTeam.select((attr) => [attr.owner])
byTeam.hydrate().select(['title'])
byTeam.hydrate().select((attr) => [attr.title])
query.select(['number']).useIndex('byTeam').select(['team'])
byLead.select(['title', 'name'])
Task.query({ kind: 'Bug' }).useIndex('byKind').select(['title'])
Task.scan().useIndex('byLead').select(['title'])
// @ts-expect-error the index does not hold the title
byTeam.select(['owner', 'title'])
// @ts-expect-error by reference neither
byTeam.select((attr) => [attr.title])
// @ts-expect-error not in whichever order
query.select(['title']).useIndex('byTeam')
// @ts-expect-error the second selection replaces the first
byTeam.select(['number']).select(['title'])
// @ts-expect-error it is neither listed nor in a key
byLead.select(['due'])
// @ts-expect-error nor for scans
Task.scan().useIndex('byTeam').select(['title'])
// @ts-expect-error in whichever order
Task.scan().select(['title']).useIndex('byTeam')
