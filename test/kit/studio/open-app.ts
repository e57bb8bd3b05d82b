import type { SchemaDefinition, Transport } from 'singletable'
import { defineSchema, Table } from 'singletable'
import { compileSchema } from 'singletable/tools'
import { expect } from 'vitest'
import { createApp } from '../../../packages/kit/src/studio/api/app.ts'
import type { Answers, Failure } from '../../../packages/kit/src/studio/api/contract.ts'
import { Guard } from '../../../packages/kit/src/studio/api/guard.ts'
import { MigrationRunner } from '../../../packages/kit/src/studio/api/run-migrations.ts'
import {
  type StudioConnection,
  StudioSource,
} from '../../../packages/kit/src/studio/api/studio-source.ts'
import { TableSources } from '../../../packages/kit/src/studio/api/table-sources.ts'

const HOST = '127.0.0.1:4610'

export const schema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    gsi1: { hash: 'gsi1pk', sort: 'gsi1sk', project: ['title'] },
  },
  models: {
    User: {
      key: { pk: 'USER#${username}', sk: 'USER' },
      attributes: {
        username: { type: String, required: true },
        email: { type: String, required: true, unique: true },
        posts: { type: Number, counts: 'Post' },
      },
    },
    Post: {
      key: { pk: 'USER#${username}', sk: 'POST#${postId}' },
      index: { gsi1pk: 'STATUS#${status}', gsi1sk: 'POST#${postId}' },
      attributes: {
        username: { type: String, required: true },
        postId: { type: String, required: true },
        title: { type: String, required: true },
        status: { type: String, enum: ['draft', 'live'], required: true },
        tags: { type: Set, items: { type: String } },
        at: { type: Date },
      },
    },
  },
  patterns: {
    postsOfUser: { op: 'query', entity: 'Post', by: ['username'], range: 'postId' },
    postsByStatus: {
      op: 'query',
      entity: 'Post',
      index: 'gsi1',
      by: ['status'],
      select: ['title'],
    },
    user: { op: 'get', entity: 'User', by: ['username'] },
    addPost: { op: 'put', entity: 'Post' },
  },
})

/** This file exports the schema, so that findings have lines. */
const FILE = import.meta.filename

export interface OpenApp {
  call<TPath extends keyof Answers>(
    path: TPath,
    body?: object,
    more?: { readonly headers: Record<string, string> },
  ): Promise<Answers[TPath]>
  refused(
    path: keyof Answers,
    body?: object,
    more?: { readonly headers: Record<string, string> },
  ): Promise<Failure & { status: number }>
  readonly table: Table<typeof schema>
  readonly faults: unknown[]
  /** What the token was exchanged for. */
  readonly session: Answers['/api/session']
  /** A GET by the page; what is answered comes as it is made. */
  get(path: string): Promise<Response>
}

/** The studio without a port: requests are function calls. */
export async function openApp(
  transport: Transport,
  options: Partial<StudioConnection> = {},
  definition: SchemaDefinition = schema,
): Promise<OpenApp> {
  const tableName = options.tableName ?? 'Blog'
  await new Table({ name: tableName, schema: definition, client: transport }).create()
  const table = new Table({ name: tableName, schema, client: transport })
  const loaded = {
    file: FILE,
    exportName: 'schema',
    definition,
    tableName,
    schema: compileSchema(definition),
  }
  const source = new StudioSource(
    {
      transport,
      tableName,
      place: 'a test',
      isAws: false,
      isReadOnly: false,
      ...options,
    },
    loaded,
  )
  const guard = new Guard(() => new Set([HOST]))
  const faults: unknown[] = []
  const app = createApp({
    sources: new TableSources(source, options.showsTables === true),
    guard,
    files: { find: () => undefined },
    runner: new MigrationRunner((error) => faults.push(error)),
    events: () => () => {},
    onFault: (error) => faults.push(error),
  })
  const headers = { host: HOST, 'content-type': 'application/json', 'x-singletable-studio': '1' }
  const entered = await app.request('/api/session', {
    method: 'POST',
    headers,
    body: JSON.stringify({ token: guard.token }),
  })
  const session = (await entered.json()) as Answers['/api/session']
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
  const send = async (path: string, body: object = {}, more?: object): Promise<Response> =>
    app.request(path, {
      method: 'POST',
      headers: { ...headers, cookie, ...more },
      body: JSON.stringify(body),
    })
  return {
    table,
    faults,
    session,
    get: async (path) => app.request(path, { headers: { host: HOST, cookie } }),
    async call(path, body, more) {
      const response = await send(path, body, more?.headers)
      const answer: unknown = await response.json()
      expect(answer, JSON.stringify(answer)).not.toHaveProperty('failure.status')
      expect(response.status, JSON.stringify(answer)).toBe(200)
      return answer as never
    },
    async refused(path, body, more) {
      const response = await send(path, body, more?.headers)
      const { failure } = (await response.json()) as { failure: Failure }
      return { ...failure, status: response.status }
    },
  }
}
