import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { memoryCheckpoints, pollStream, type StreamHandler } from 'singletable/streams'
import { hasty, streamOf } from './stream-table.ts'

/** Comments repeat name and picture of their user, under the same names; posts repeat the name of
 * their author; replies repeat the comment. */
export const copySchema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byUser: { hash: 'gsi1pk', sort: 'gsi1sk' },
    byName: { hash: 'gsi2pk', sort: 'gsi2sk', project: 'keys' },
  },
  models: {
    User: {
      key: { pk: 'USER#${username}', sk: 'PROFILE' },
      attributes: {
        username: { type: String, required: true },
        name: { type: String, required: true },
        picture: { type: Uint8Array },
      },
    },
    Comment: {
      key: { pk: 'POST#${postId}', sk: 'COMMENT#${commentId}' },
      index: {
        gsi1pk: 'USER#${username}',
        gsi1sk: 'COMMENT#${commentId}',
        gsi2pk: 'NAME#${userName}',
        gsi2sk: 'COMMENT#${commentId}',
      },
      attributes: {
        postId: { type: String, required: true },
        commentId: { type: String, required: true },
        username: { type: String, required: true },
        userName: { type: String, copyOf: 'User.name' },
        userPicture: { type: Uint8Array, copyOf: 'User.picture' },
        version: { type: Number, version: true },
      },
    },
    Post: {
      key: { pk: 'POST#${postId}', sk: 'POST' },
      index: { gsi2pk: 'AUTHOR#${author}', gsi2sk: 'POST#${postId}' },
      attributes: {
        postId: { type: String, required: true },
        author: { type: String },
        authorName: { type: String, copyOf: { from: 'User.name', by: { username: 'author' } } },
      },
    },
    Note: {
      key: { pk: 'POST#${postId}', sk: 'NOTE#${noteId}' },
      attributes: {
        postId: { type: String, required: true },
        noteId: { type: String, required: true },
        byline: { type: String, copyOf: 'Post.authorName' },
      },
    },
  },
  table: { stream: 'new-and-old' },
  params: { timestamps: true },
})

/** A table with that schema, and what runs its stream's handlers until there is nothing more to
 * do. */
export async function copyTable() {
  const engine = createEngine()
  const table = new Table({
    name: 'Copies',
    schema: copySchema,
    client: engine,
    environment: { ...hasty, now: () => Date.now() },
    retry: { attemptsMax: 3 },
  })
  await table.create()
  const streamArn = await streamOf(engine, 'Copies')
  const checkpoints = memoryCheckpoints()
  const run = (handler: StreamHandler) =>
    pollStream({
      source: engine,
      streamArn,
      checkpoints,
      handler,
      environment: hasty,
      until: 'caught-up',
    })
  return { engine, table, streamArn, checkpoints, run }
}
