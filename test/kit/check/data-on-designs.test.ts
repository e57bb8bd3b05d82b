import path from 'node:path'
import { type SchemaDefinition, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { compileSchema } from 'singletable/tools'
import { expect, test } from 'vitest'
import { readDesign } from '../../../packages/kit/src/check/design/design.ts'
import { sampleTable } from '../../../packages/kit/src/check/evidence/sample-table.ts'
import { CHANGE_RULES } from '../../../packages/kit/src/check/rules/change-rules.ts'
import { DATA_RULES } from '../../../packages/kit/src/check/rules/data-rules.ts'
import { loadDefinition } from '../../../packages/kit/src/schema-file/load-schema.ts'
import { makeItems } from '../../../packages/kit/src/seed/make-items.ts'
import { createRandom, seededEnvironment } from '../../../packages/kit/src/seed/seeded-random.ts'
import { writeItems } from '../../../packages/kit/src/seed/write-items.ts'
import { ROOT } from '../../architecture/package-manifest.ts'

const DESIGNS = [
  ...['blog', 'shop', 'social', 'metrics', 'files', 'saas'].map(
    (name) => `examples/${name}/schema.ts`,
  ),
  ...['blog', '3', '4', '5'].map((name) => `test/reference/${name}-schema.ts`),
]

/** All that the rules find, with a table of items that the library wrote. */
async function findings(definition: SchemaDefinition): Promise<readonly string[]> {
  const schema = compileSchema(definition)
  const random = createRandom(7)
  const environment = seededEnvironment(random)
  const engine = createEngine()
  const table = new Table({ name: 'Things', schema: definition, client: engine, environment })
  await table.create()
  const items = makeItems(schema, { count: 150, least: 3, random, environment })
  await writeItems(table, items, { schema, transport: engine })
  const sample = await sampleTable({
    transport: engine,
    tableName: 'Things',
    budget: 1000,
    today: '2026-11-15',
  })
  await engine.close()
  expect(sample.items.length).toBeGreaterThan(10)
  const design = readDesign(definition, { sample, before: readDesign(definition) })
  return [...DATA_RULES, ...CHANGE_RULES].flatMap((rule) =>
    Array.from(rule.check(design), ({ message }) => `${rule.code} ${message}`),
  )
}

test.each(DESIGNS)('what the library writes for %s is right to all rules', async (file) => {
  const { definition } = await loadDefinition(path.join(ROOT, file))
  expect(await findings(definition)).toEqual([])
})
