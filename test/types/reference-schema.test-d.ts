import { type Item, type Key, type NewItem, Table, type Transport } from 'singletable'
import { BlogSchema } from '../reference/blog-schema.ts'
import type { Assignable, Equal, Expect } from './wire-type.ts'

/** Everything the guide does with its schema, as it is there. */

declare const client: Transport
const table = new Table({ name: 'Blog', schema: BlogSchema, client })

export type Keys = [
  Expect<Equal<Key<typeof BlogSchema, 'User'>, { readonly username: string }>>,
  Expect<
    Equal<Key<typeof BlogSchema, 'Post'>, { readonly username: string; readonly postId: string }>
  >,
]

export type Items = [
  Expect<
    Assignable<
      {
        username: string
        postId: string
        title: string
        published: boolean
        createdAt: Date
        updatedAt: Date
      },
      Item<typeof BlogSchema, 'Post'>
    >
  >,
  Expect<Equal<Item<typeof BlogSchema, 'Post'>['published'], boolean>>,
  Expect<Equal<Item<typeof BlogSchema, 'Post'>['content'], string | undefined>>,
  Expect<Equal<Item<typeof BlogSchema, 'Post'>['createdAt'], Date>>,
  Expect<Equal<Item<typeof BlogSchema, 'Post'>['gsi1pk'], undefined>>,
  Expect<Assignable<{ username: string; title: string }, NewItem<typeof BlogSchema, 'Post'>>>,
]

export async function accessPatterns(): Promise<void> {
  const user = await table.entities.User.get({
    username: 'alice',
  }).execute()
  user?.name satisfies string | undefined

  const posts = await table.entities.Post.query()
    .where((attr, op) => op.eq(attr.username, 'alice'))
    .execute()
  posts[0]?.title satisfies string | undefined

  await table.entities.Comment.query()
    .where((attr, op) => op.eq(attr.postId, 'POST#123'))
    .execute()

  await table.entities.Post.query()
    .where((attr, op) =>
      op.and(op.eq(attr.gsi1pk, 'POST'), op.beginsWith(attr.gsi1sk, 'STATUS#true')),
    )
    .useIndex('gsi1')
    .execute()

  await table.entities.Comment.query()
    .where((attr, op) => op.eq(attr.gsi1pk, 'USER#alice'))
    .useIndex('gsi1')
    .execute()

  await table.entities.PostTag.query()
    .where((attr, op) => op.eq(attr.gsi1pk, 'TAG#typescript'))
    .useIndex('gsi1')
    .execute()

  await table.entities.Post.scan()
    .where((attr, op) => op.eq(attr.username, 'alice'))
    .execute()
}

export async function dualWrites(): Promise<void> {
  await table
    .transactWrite()
    .addPut(
      table.entities.PostTag.put({
        postId: '123',
        tag: 'typescript',
      }).dbParams(),
    )
    .addPut(
      table.entities.PostTag.put({
        postId: '123',
        tag: 'typescript',
        // Swap for reverse lookup
        gsi1pk: 'TAG#typescript',
        gsi1sk: 'POST#123',
      }).dbParams(),
    )
    .execute()
}
