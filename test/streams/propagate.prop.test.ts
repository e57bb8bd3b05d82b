import fc from 'fast-check'
import { ItemNotFoundError, OutcomeUnknownError, SingletableError } from 'singletable'
import { pollStream, propagateCopies } from 'singletable/streams'
import { expect, test } from 'vitest'
import { copyTable } from './copy-table.ts'
import { hasty } from './stream-table.ts'

const RUNS = Number(process.env.PROPERTY_RUNS ?? 25)

const user = fc.constantFrom('u1', 'u2')
const id = fc.constantFrom('1', '2', '3')
const name = fc.constantFrom('Ann', 'Bea', 'Cis', 'Dot')

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('rename' as const), user, name }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('comment' as const), id, user, name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('relink' as const), id, user }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('post' as const), id, user }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('note' as const), id, name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('uncomment' as const), id }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rotate' as const) }) },
  // Handlers start again from the last checkpoint, or from the beginning, which gives them old
  // records once more.
  { weight: 2, arbitrary: fc.record({ do: fc.constant('kill' as const), again: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('fault' as const),
      kind: fc.constantFrom('before', 'after', 'throttle', 'conflict'),
      seed: fc.nat(1000),
    }),
  },
)

test('whatever happens, in the end every copy is what its source is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { engine, table, streamArn, checkpoints, run } = await copyTable()
      const { User, Comment, Post, Note } = table.entities
      for (const username of ['u1', 'u2']) await User.put({ username, name: 'Zoe' }).execute()
      const handler = () => propagateCopies(table, { onError: () => {} })
      let controller = new AbortController()
      const start = () => [
        // Two at the same time, as when an old process has not quite ended.
        ...[0, 1].map(() =>
          pollStream({
            source: engine,
            streamArn,
            checkpoints,
            handler: handler(),
            environment: hasty,
            signal: controller.signal,
            onFailure: () => 'retry',
            batchSize: 3,
          }),
        ),
      ]
      let pollers = start()
      // Faults may end a write of ours; what was written counts, whichever it is.
      const attempt = async (write: () => Promise<unknown>): Promise<void> => {
        try {
          await write()
        } catch (error) {
          const expected =
            error instanceof OutcomeUnknownError ||
            error instanceof ItemNotFoundError ||
            (SingletableError.is(error) &&
              /THROTTLED|SERVICE_FAILED|CONDITION|VERSION|EXISTS/.test(error.code))
          if (!expected) throw error
        }
      }
      for (const each of steps) {
        if (each.do === 'rename') {
          await attempt(() =>
            User.update({ username: each.user }).set({ name: each.name }).execute(),
          )
        } else if (each.do === 'comment') {
          const comment = {
            postId: 'p',
            commentId: each.id,
            username: each.user,
            userName: each.name,
          }
          await attempt(() => Comment.put(comment).execute())
        } else if (each.do === 'relink') {
          const key = { postId: 'p', commentId: each.id }
          await attempt(() => Comment.update(key).set({ username: each.user }).execute())
        } else if (each.do === 'post') {
          await attempt(() => Post.put({ postId: each.id, author: each.user }).execute())
        } else if (each.do === 'note') {
          await attempt(() =>
            Note.put({ postId: each.id, noteId: 'n', byline: each.name }).execute(),
          )
        } else if (each.do === 'uncomment') {
          await attempt(() => Comment.delete({ postId: 'p', commentId: each.id }).execute())
        } else if (each.do === 'rotate') await engine.rotateShards(streamArn)
        else if (each.do === 'fault') {
          const scope = { table: table.name, probability: 0.3, count: 10, seed: each.seed }
          if (each.kind === 'throttle') engine.faults.add({ kind: 'throttle', ...scope })
          else if (each.kind === 'conflict') engine.faults.add({ kind: 'conflict', ...scope })
          else engine.faults.add({ kind: 'error', when: each.kind as 'before', ...scope })
        } else {
          controller.abort()
          await Promise.all(pollers)
          if (each.again) await checkpoints.save(streamArn, { shards: {} })
          controller = new AbortController()
          pollers = start()
        }
      }
      engine.faults.clear()
      controller.abort()
      await Promise.all(pollers)
      await run(handler())

      const names = new Map(
        (await User.scan().execute()).map((item) => [item.username, item.name] as const),
      )
      for (const comment of await Comment.scan().execute()) {
        expect(comment.userName).toBe(names.get(comment.username))
      }
      for (const post of await Post.scan().execute()) {
        expect(post.authorName).toBe(names.get(post.author ?? ''))
        const note = await Note.get({ postId: post.postId, noteId: 'n' }).execute()
        if (note) expect(note.byline).toBe(post.authorName)
      }
      await engine.close()
    }),
    { numRuns: RUNS },
  )
})
