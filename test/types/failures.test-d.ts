import {
  defineSchema,
  type Item,
  Table,
  type TransactionFailure,
  type Transport,
} from 'singletable'
import type { Equal, Expect } from './wire-type.ts'

/** Items in failures have the type of their model. What is here is compiled and never run. */

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    User: {
      key: { pk: 'USER#${id}', sk: 'USER' },
      attributes: { id: { type: String, required: true }, name: { type: String, required: true } },
    },
    Post: {
      key: { pk: 'USER#${id}', sk: 'POST#${number}' },
      attributes: {
        id: { type: String, required: true },
        number: { type: String, required: true },
        likes: { type: Number, default: 0 },
      },
    },
  },
  patterns: {
    rename: { op: 'update', entity: 'User', by: ['id'], set: ['name'] },
    leave: { op: 'delete', entity: 'User', by: ['id'] },
    publish: {
      op: 'transact',
      steps: {
        author: { op: 'check', entity: 'User', by: ['id'] },
        post: { op: 'create', entity: 'Post' },
      },
    },
  },
})

type User = Item<typeof schema, 'User'>
type Post = Item<typeof schema, 'Post'>

declare const client: Transport
const table = new Table({ name: 'blog', schema, client })
const scoped = table.scope({ id: 'ann' })
const { User, Post } = table.entities
const key = { id: 'ann' }

/** The item of a write that failed. */
type Failed<TResult> =
  Extract<TResult, { readonly ok: false }> extends { readonly item: infer TItem } ? TItem : never
/** The failures of a transaction. */
type Failures<TResult> =
  Extract<TResult, { readonly ok: false }> extends {
    readonly failures: readonly (infer TFailure)[]
  }
    ? TFailure
    : never

const put = await User.create({ id: 'ann', name: 'Ann' }).returning('NONE').result()
const updated = await User.update(key).set({ name: 'Eve' }).returning('UPDATED_NEW').result()
const deleted = await User.delete(key).mustExist().result()
const renamed = await table.patterns.rename({ id: 'ann', name: 'Eve' }).result()
const left = await table.patterns.leave(key).result()
const written = await table
  .transactWrite([User.check(key), Post.put({ id: 'ann', number: '1' })])
  .result()
const inScope = await scoped.transactWrite([scoped.entities.Post.put({ number: '1' })]).result()
const published = await table.patterns
  .publish({ author: key, post: { id: 'ann', number: '1' } })
  .result()
const publishedInScope = await scoped.patterns
  .publish({ author: {}, post: { number: '1' } })
  .result()
const loose = await table.transactWrite().add(User.check(key)).result()

export type Cases = [
  Expect<Equal<Failed<typeof put>, User | undefined>>,
  Expect<Equal<Failed<typeof updated>, User | undefined>>,
  Expect<Equal<Failed<typeof deleted>, User | undefined>>,
  Expect<Equal<Failed<typeof renamed>, User | undefined>>,
  Expect<Equal<Failed<typeof left>, User | undefined>>,
  Expect<Equal<Failures<typeof loose>, TransactionFailure>>,
  Expect<Equal<Failures<typeof published>, Failures<typeof publishedInScope>>>,
]

export function show(failure: Failures<typeof written>): User | Post | undefined {
  if (failure.entity === 'User') return failure.item satisfies User | undefined
  if (failure.entity === 'Post') return failure.item satisfies Post | undefined
  return undefined
}

export function showStep(failure: Failures<typeof published>): string | number | undefined {
  // @ts-expect-error there is no such step
  if (failure.step === 'pots') return
  // @ts-expect-error it is of a user or of a post
  failure.item?.name
  if (failure.step === 'author') return failure.item?.name
  if (failure.step === 'post') return failure.item?.likes
  return failure.entity === 'Post' ? failure.item?.number : undefined
}

export function showInScope(failure: Failures<typeof inScope>): number | undefined {
  return failure.entity === 'Post' ? failure.item?.likes : undefined
}
