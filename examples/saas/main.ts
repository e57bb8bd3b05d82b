import { SingletableError, Table } from 'singletable'
import { createEngine, simulatedEnvironment } from 'singletable/engine'
import { countRequests } from '../count-requests.ts'
import { createWorkspace } from './saas.ts'
import { saasSchema } from './schema.ts'

const environment = simulatedEnvironment({ now: Date.UTC(2026, 0, 5, 9) })
const engine = createEngine({ environment })
const table = new Table({ name: 'Saas', schema: saasSchema, client: engine, environment })
await table.create()
const { patterns: acme, printRequests } = countRequests(createWorkspace(table, 'acme'))
const other = createWorkspace(table, 'other')

console.log('# Two tenants, one table')
await acme.addMember('ann', 'Ann')
await acme.addMember('ben', 'Ben')
await other.addMember('ann', 'Another Ann')
console.log(`acme: ${(await acme.members()).map(({ name }) => name).join(', ')}`)
console.log(`other: ${(await other.members()).map(({ name }) => name).join(', ')}`)

console.log('\n# Projects and tickets')
await acme.addProject('site', 'Web site')
await other.addProject('site', 'Their site')
for (const title of ['Colours', 'Fonts', 'Wording']) {
  const { number } = await acme.openTicket('site', title, title === 'Fonts' ? 'ben' : 'ann')
  console.log(`acme ${number}: ${title}`)
}
const theirs = await other.openTicket('site', 'Secret')
console.log(`other ${theirs.number}: ${theirs.title}`)
const site = await acme.project('site')
console.log(
  `${site?.name} (${site?.tickets}): ${site?.Ticket.map(({ title }) => title).join(', ')}`,
)
await acme.close('site', 1)
console.log(`open, of ann: ${(await acme.assignedTo('ann')).map(({ title }) => title).join(', ')}`)

console.log('\n# What a tenant cannot do')
for (const partitionKey of ['TENANT#other#PROJECT#site', 'TENANT#acme2#PROJECT#site']) {
  const error = await acme.readRaw(partitionKey).catch((reason: unknown) => reason)
  console.log(`${partitionKey}: ${SingletableError.is(error) ? error.code : 'read'}`)
}
try {
  createWorkspace(table, 'acme#PROJECT#site')
} catch (error) {
  console.log(`a forged id: ${SingletableError.is(error) ? error.code : 'accepted'}`)
}

console.log('\n# The end of a project')
console.log(`deleted: ${await acme.removeProject('site')}`)
console.log(`of the other tenant: ${(await other.project('site'))?.Ticket.length} ticket`)

printRequests()
await engine.close()
