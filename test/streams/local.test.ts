import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams'
import { Table } from 'singletable'
import {
  memoryCheckpoints,
  onChange,
  pollStream,
  propagateCopies,
  verifyCopies,
} from 'singletable/streams'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refereePort } from '../referee/referee-port.ts'
import { copySchema } from './copy-table.ts'

/** The same on streams that are not ours. DynamoDB Local needs Java. */

const port = await refereePort()

describe.skipIf(port === undefined)('on DynamoDB Local through the AWS SDK', () => {
  const settings = {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'streams', secretAccessKey: 'local' },
  }
  const client = new DynamoDBClient(settings)
  const source = new DynamoDBStreamsClient(settings)
  const name = `streams-${process.pid}`
  const table = new Table({ name, schema: copySchema, client })
  beforeAll(() => table.create())
  afterAll(async () => {
    await table.delete()
    client.destroy()
    source.destroy()
  })

  test('changes are read in order, once, and copies follow their source', async () => {
    const { User, Comment } = table.entities
    const checkpoints = memoryCheckpoints()
    const seen: string[] = []
    const handler = onChange(table, {
      User: {
        insert: ({ after }) => seen.push(`new ${after.name}`),
        modify: ({ before, after, changed }) =>
          seen.push(`${before.name} to ${after.name}: ${changed.includes('name')}`),
        remove: ({ before, expired }) => seen.push(`gone ${before.name} ${expired}`),
      },
    })
    const picture = new Uint8Array([1, 2, 255])
    await User.put({ username: 'a', name: 'Ann', picture }).execute()
    await User.update({ username: 'a' }).set({ name: 'Bea' }).execute()
    await User.put({ username: 'b', name: 'Cis' }).execute()
    await User.delete({ username: 'b' }).execute()
    const options = { source, table, checkpoints, until: 'caught-up' } as const
    await pollStream({ ...options, handler })
    // Changes of different items may be in different shards, so only those of one are in order.
    expect(seen.filter((each) => !each.includes('Cis'))).toEqual(['new Ann', 'Ann to Bea: true'])
    expect(seen.filter((each) => each.includes('Cis'))).toEqual(['new Cis', 'gone Cis false'])

    await Comment.put({ postId: 'p', commentId: '1', username: 'a' }).execute()
    await pollStream({ ...options, handler: propagateCopies(table) })
    expect(await Comment.get({ postId: 'p', commentId: '1' }).execute()).toMatchObject({
      userName: 'Bea',
      userPicture: picture,
    })
    await User.update({ username: 'a' }).set({ name: 'Dot' }).execute()
    expect((await verifyCopies(table)).findings.map(({ kind }) => kind)).toEqual(['copy-of-stale'])
    expect(await verifyCopies(table, { repair: true })).toMatchObject({ found: 1, repaired: 1 })
    expect(await Comment.get({ postId: 'p', commentId: '1' }).execute()).toMatchObject({
      userName: 'Dot',
    })
    const before = seen.length
    await pollStream({ ...options, handler })
    expect(seen.slice(before)).toEqual(['Bea to Dot: true'])
  })
})
