import { defineSchema, Table } from 'singletable'
import { createEngine, type Transport } from 'singletable/engine'

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' }, gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' } },
  models: {
    User: {
      key: { pk: 'USER#${username}', sk: 'USER#${username}' },
      attributes: {
        username: { type: String, required: true },
        name: { type: String, required: true },
        email: { type: String, unique: true },
      },
    },
    Post: {
      key: { pk: 'USER#${username}', sk: 'POST#${postId}' },
      index: { gsi1pk: 'POST#${postId}', gsi1sk: 'POST#${postId}' },
      attributes: {
        username: { type: String, required: true },
        postId: { type: String, generate: 'ulid' },
        title: { type: String, required: true },
      },
    },
  },
})

/** Writes and reads with most parts of the library; every runtime gives the same. */
export async function useTable(client: Transport, name: string): Promise<object> {
  const table = new Table({
    name,
    schema,
    client,
    cursorSecret: 'a secret of thirty-two characters',
  })
  await table.create()
  const { User, Post } = table.entities
  // A unique value makes a transaction with a token, whose request the engine hashes.
  await User.put({ username: 'alice', name: 'Alice', email: 'alice@example.com' }).execute()
  const again = await User.create({ username: 'bob', name: 'Bob', email: 'alice@example.com' })
    .execute()
    .catch((error: { readonly code?: string }) => error.code)
  for (const title of ['one', 'two', 'three'])
    await Post.put({ username: 'alice', title }).execute()
  const page = await Post.query({ username: 'alice' }).limit(2).executeWithPagination()
  const rest = await Post.query({ username: 'alice' }).startFrom(page.cursor!).execute()
  const user = await User.get({ username: 'alice' }).execute()
  return {
    again,
    name: user?.name,
    titles: [...page.items, ...rest].map(({ title }) => title),
  }
}

export const EXPECTED = { again: 'UNIQUE_TAKEN', name: 'Alice', titles: ['one', 'two', 'three'] }

/** The same on an engine in this very runtime. */
export async function useEngine(): Promise<object> {
  const engine = createEngine()
  const result = await useTable(engine, 'Blog')
  await engine.close()
  return result
}
