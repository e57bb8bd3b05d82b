import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { Table } from 'singletable'
import { createEngine, type Engine } from 'singletable/engine'
import { buildWeb } from '../../../packages/build-web.mjs'
import { DevSession } from '../../../packages/kit/src/dev/dev-session.ts'
import { loadSchema } from '../../../packages/kit/src/schema-file/load-schema.ts'
import { makeItems } from '../../../packages/kit/src/seed/make-items.ts'
import {
  createRandom,
  seededEnvironment,
  writingEnvironment,
} from '../../../packages/kit/src/seed/seeded-random.ts'
import type { StudioConnection } from '../../../packages/kit/src/studio/api/studio-source.ts'
import {
  type Studio,
  type StudioOptions,
  serveStudio,
} from '../../../packages/kit/src/studio/serve-studio.ts'
import { ROOT } from '../../architecture/package-manifest.ts'

// Files of tests run next to each other, and a build empties its folder first.
const WEB = path.join(
  ROOT,
  'node_modules/.cache/singletable-studio-web',
  process.env.VITEST_POOL_ID ?? '0',
)

/** Builds the page once for a file of tests. */
export async function buildPage(): Promise<string> {
  await buildWeb(WEB)
  return WEB
}

export interface OpenStudio {
  readonly studio: Studio
  readonly engine: Engine
  /** What failed inside the server. */
  readonly faults: unknown[]
  close(): Promise<void>
}

/** A studio on an engine of its own with sample data. */
export async function openStudio(
  schemaFile: string,
  options: Partial<StudioConnection> &
    Pick<StudioOptions, 'idle'> & { readonly count?: number; readonly web?: string } = {},
): Promise<OpenStudio> {
  const { count = 60, web = WEB, tableName = 'Studio', ...connection } = options
  const file = path.resolve(ROOT, schemaFile)
  const loaded = await loadSchema(file)
  const engine = createEngine()
  const random = createRandom(1)
  const session = new DevSession({
    engine,
    tableName,
    seed: async ({ schema }) => ({
      items: makeItems(schema, { count, least: 3, random, environment: seededEnvironment(random) }),
      environment: writingEnvironment(),
      isSample: true,
    }),
    onWarning: () => {},
  })
  await session.show(loaded)
  if (connection.transport) {
    const { transport } = connection
    await new Table({ name: tableName, schema: loaded.definition, client: transport }).create()
    const { Items } = await engine.send('Scan', { TableName: tableName })
    for (const Item of Items ?? []) await transport.send('PutItem', { TableName: tableName, Item })
  }
  const faults: unknown[] = []
  const studio = await serveStudio({
    transport: engine,
    tableName,
    place: 'this process',
    isAws: false,
    isReadOnly: false,
    ...connection,
    loaded,
    reload: () => loadSchema(file),
    port: 0,
    web,
    onFault: (error) => faults.push(error),
  })
  return {
    studio,
    engine,
    faults,
    close: async () => {
      await studio.close()
      await engine.close()
    },
  }
}

/** The rows of an entity, at their beginning: other cells may be links, and other rows may have its
 * name in a key. */
export function rowOf(page: Page, entity: string): Locator {
  const tag = page.locator('.tag', { hasText: new RegExp(`^${entity}$`) })
  return page.locator('.row', { has: tag }).locator('.table-sort')
}
