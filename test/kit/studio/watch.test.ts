import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createEngine } from 'singletable/engine'
import { afterAll, expect, test } from 'vitest'
import { loadSchema } from '../../../packages/kit/src/schema-file/load-schema.ts'
import type { Design } from '../../../packages/kit/src/studio/api/contract.ts'
import { type Studio, serveStudio } from '../../../packages/kit/src/studio/serve-studio.ts'
import { ROOT } from '../../architecture/package-manifest.ts'

// Inside the repository, so that schemas find the library.
mkdirSync(path.join(ROOT, 'node_modules/.cache'), { recursive: true })
const folder = mkdtempSync(path.join(ROOT, 'node_modules/.cache/singletable-watch-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const KEYS = "export const keys = { pk: 'NOTE#${noteId}', sk: 'NOTE' }\n"

function schemaText(model: string): string {
  return `import { defineSchema } from 'singletable'
import { keys } from './keys.ts'
export const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    ${model}: { key: keys, attributes: { noteId: { type: String, required: true } } },
  },
})
`
}

async function openOn(file: string): Promise<{ studio: Studio; faults: unknown[] }> {
  const faults: unknown[] = []
  const studio = await serveStudio({
    transport: createEngine(),
    tableName: 'Notes',
    place: 'a test',
    isAws: false,
    isReadOnly: false,
    loaded: await loadSchema(file),
    reload: () => loadSchema(file),
    port: 0,
    web: folder,
    onFault: (error) => faults.push(error),
  })
  return { studio, faults }
}

/** Asks for the design as the page does, until it is as expected. */
async function untilDesign(studio: Studio, isThere: (design: Design) => boolean): Promise<Design> {
  const base = `http://127.0.0.1:${studio.port}`
  const headers = { 'content-type': 'application/json', 'x-singletable-studio': '1' }
  const body = JSON.stringify({ token: studio.url.split('#t=')[1] })
  const entered = await fetch(`${base}/api/session`, { method: 'POST', headers, body })
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
  for (let attempt = 0; ; attempt++) {
    const answer = await fetch(`${base}/api/design`, {
      method: 'POST',
      headers: { ...headers, cookie },
      body: '{}',
    })
    const design = (await answer.json()) as Design
    if (isThere(design) || attempt === 100) return design
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test('an edit right after the address is known is shown, and so is one of an imported file', async () => {
  const file = path.join(folder, 'schema.ts')
  writeFileSync(path.join(folder, 'keys.ts'), KEYS)
  writeFileSync(file, schemaText('Note'))
  const { studio, faults } = await openOn(file)
  try {
    writeFileSync(file, schemaText('Memo'))
    const edited = await untilDesign(studio, ({ entities }) => entities[0]?.name === 'Memo')
    expect(edited.entities.map(({ name }) => name)).toEqual(['Memo'])

    writeFileSync(path.join(folder, 'keys.ts'), KEYS.replace("'NOTE'", "'MEMO'"))
    const keyed = await untilDesign(studio, ({ version }) => version > edited.version)
    expect(keyed.entities[0]?.indexes[0]?.sort[0]?.segments).toEqual([{ text: 'MEMO' }])

    writeFileSync(file, schemaText('Memo').replace('String', '7'))
    const broken = await untilDesign(studio, (design) => design.broken !== null)
    expect(broken.entities.map(({ name }) => name)).toEqual(['Memo'])
    expect(broken.broken?.where).toContain('noteId')

    writeFileSync(file, schemaText('Note'))
    const fixed = await untilDesign(studio, (design) => design.broken === null)
    expect(fixed.entities.map(({ name }) => name)).toEqual(['Note'])
    expect(faults).toEqual([])
  } finally {
    await studio.close()
  }
})
