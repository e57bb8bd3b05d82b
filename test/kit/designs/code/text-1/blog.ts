import type { Table } from 'singletable'
import type { BlogSchema } from '../../../../reference/blog-schema.ts'

/** What the first reference text does in code. */
export async function readBlog(table: Table<typeof BlogSchema>): Promise<unknown> {
  const comments = await table.entities.Comment.query()
    .where((attr, op) => op.eq(attr.postId, 'POST#123'))
    .execute()
  const posts = await table.entities.Post.scan()
    .where((attr, op) => op.eq(attr.username, 'alice'))
    .execute()
  return [comments, posts]
}

/** Meant to write a tag under both of its keys; it is one item. */
export async function tagTwice(table: Table<typeof BlogSchema>): Promise<void> {
  await table
    .transactWrite()
    .addPut(table.entities.PostTag.put({ postId: '123', tag: 'typescript' }).dbParams())
    .addPut(
      table.entities.PostTag.put({
        postId: '123',
        tag: 'typescript',
        gsi1pk: 'TAG#typescript',
        gsi1sk: 'POST#123',
      } as { postId: string; tag: string }).dbParams(),
    )
    .execute()
}
