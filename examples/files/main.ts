import { Table, TransactionCanceledError } from 'singletable'
import { createEngine, simulatedEnvironment } from 'singletable/engine'
import { countRequests } from '../count-requests.ts'
import { createFiles } from './files.ts'
import { filesSchema } from './schema.ts'

const environment = simulatedEnvironment({ now: Date.UTC(2026, 0, 5, 9) })
const engine = createEngine({ environment })
const table = new Table({ name: 'Files', schema: filesSchema, client: engine, environment })
await table.create()
const { patterns: disk, printRequests } = countRequests(createFiles(table, 'main'))
const paths = (files: readonly { readonly path: readonly string[] }[]): string =>
  files.map(({ path }) => path.join('/')).join(', ') || 'nothing'

console.log('# Folders')
for (const path of [
  'documents/report',
  'documents/projects/2024/plan',
  'documents/projects/notes',
  'documents-old/letter',
  'readme',
]) {
  await disk.create(path, 'ann', `This is ${path}.`)
}
console.log(`in documents: ${paths(await disk.list('documents'))}`)
console.log(`below it: ${paths(await disk.everythingIn('documents'))}`)
console.log(`below projects: ${paths(await disk.everythingIn('documents/projects'))}`)
console.log(`at the top: ${paths(await disk.list('/'))}`)

console.log('\n# Versions')
const opened = await disk.open('readme')
if (opened === undefined) throw new Error('there is no readme')
await disk.save(opened, 'ann', 'Read me first.')
try {
  await disk.save(opened, 'bob', 'Read me later.')
} catch (error) {
  if (!(error instanceof TransactionCanceledError)) throw error
  console.log(`bob has an old version: ${error.failures.map(({ operation }) => operation).join()}`)
}
const current = await disk.open('readme')
if (current !== undefined) await disk.save(current, 'bob', 'Read me, please.')
console.log(`now: ${(await disk.open('readme'))?.content}`)
const latest = await disk.latest('readme')
console.log(`latest: ${latest?.version} by ${latest?.author}`)
for (const { version, author } of await disk.history('readme'))
  console.log(`  ${version} ${author}`)
console.log(`the first one: ${(await disk.versionOf('readme', 1))?.content}`)

console.log('\n# A move')
await disk.move('documents/report', 'archive/report')
console.log(`in documents: ${paths(await disk.list('documents'))}`)
console.log(`in archive: ${paths(await disk.list('archive'))}`)

printRequests()
await engine.close()
