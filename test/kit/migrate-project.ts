import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createEngine, type Engine } from 'singletable/engine'
import { afterEach, expect } from 'vitest'
import { type CliOptions, runCli } from './run-cli.ts'

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const DAY_MS = 24 * 60 * 60 * 1000

/** A project with a schema file that is written again and again, on an engine. */
export class Project {
  readonly directory = mkdtempSync(path.join(tmpdir(), 'singletable-migrate-'))
  readonly engine: Engine = createEngine()
  #day = 0

  constructor() {
    folders.push(this.directory)
  }

  schema(attributes: string, more = '', models = '', pk = 'USER#${id}'): void {
    const text = `
      import { defineSchema } from 'singletable'
      export const schema = defineSchema({
        indexes: { primary: { hash: 'pk', sort: 'sk' } ${more} },
        models: { User: {
          key: { pk: '${pk}', sk: 'USER' },
          attributes: { id: { type: String, required: true }, ${attributes} },
        }, ${models} },
      })
    `
    writeFileSync(path.join(this.directory, 'schema.ts'), text)
  }

  async run(words: string, options: CliOptions = {}) {
    const parameters = words.split(' ')
    const isOnTable = !['generate', 'lint'].includes(parameters[1] ?? '')
    const now = ++this.#day * DAY_MS
    const all = [...parameters, ...(isOnTable ? ['--table', 'Users'] : [])]
    const given = { transport: this.engine, directory: this.directory, now, ...options }
    return runCli(all, given)
  }

  migrations(): readonly string[] {
    return readdirSync(path.join(this.directory, 'migrations')).sort()
  }

  read(id: string): string {
    return readFileSync(path.join(this.directory, 'migrations', id, 'migration.ts'), 'utf8')
  }

  async put(...items: readonly Record<string, unknown>[]): Promise<void> {
    for (const item of items) {
      const parameters = Object.entries(item).map(([name, value]) => `${name}=${value}`)
      const { code, complaints } = await this.run(`put User ${parameters.join(' ')}`)
      expect(complaints).toBe('')
      expect(code).toBe(0)
    }
  }

  async stored(): Promise<Record<string, unknown>[]> {
    const { Items = [] } = await this.engine.send('Scan', { TableName: 'Users' })
    return Items.filter(({ _type }) => _type?.S === 'User').map((item) =>
      Object.fromEntries(
        Object.entries(item).flatMap(([name, { S, N }]) =>
          ['pk', 'sk', '_type', '_v', '_undo'].includes(name) ? [] : [[name, S ?? Number(N)]],
        ),
      ),
    )
  }
}
