import { defineSchema, type SchemaDefinition, Table, type Transport } from 'singletable'
import { createEngine } from 'singletable/engine'
import { compileSchema } from 'singletable/tools'
import { describe, expect, test } from 'vitest'
import { blogSchema } from '../../../examples/blog/schema.ts'
// What the command computes; the package exports no functions for it.
import { iamPolicy, type Policy } from '../../../packages/kit/src/infra/iam.ts'
import { parseScope } from '../../../packages/kit/src/infra/iam-leading-keys.ts'
import { everythingSchema } from './everything-schema.ts'

/** The rights that a request needs, as AWS counts them: `action` on the table or `action@index`. */
function rightsOf(operation: string, request: unknown): readonly string[] {
  const { IndexName, TransactItems = [] } = request as {
    IndexName?: string
    TransactItems?: readonly object[]
  }
  if (operation === 'TransactGetItems') return ['GetItem']
  if (operation !== 'TransactWriteItems') {
    return [IndexName === undefined ? operation : `${operation}@${IndexName}`]
  }
  return TransactItems.flatMap((item) => Object.keys(item)).map((action) =>
    action === 'ConditionCheck' ? 'ConditionCheckItem' : `${action}Item`,
  )
}

function grantsOf({ Statement }: Policy): ReadonlySet<string> {
  return new Set(
    Statement.flatMap(({ Action, Resource }) => {
      const [, index] = Resource.split('/index/')
      return Action.map((action) => action.replace('dynamodb:', '') + (index ? `@${index}` : ''))
    }),
  )
}

test('the policy of the blog grants what its patterns send, and nothing else', async () => {
  const engine = createEngine()
  const sent = new Set<string>()
  const client: Transport = {
    send(operation, request, options) {
      for (const right of rightsOf(operation, request)) sent.add(right)
      return engine.send(operation, request, options)
    },
  }
  const table = new Table({ name: 'Blog', schema: blogSchema, client })
  await table.create()
  sent.clear()
  const { patterns } = table
  await patterns.register({ username: 'ann', name: 'Ann', email: 'ann@example.com' })
  await patterns.getUser({ username: 'ann' })
  const postId = 'p1'
  await patterns.writePost({ username: 'ann', postId, title: 'One' })
  await patterns.postsByUser({ username: 'ann' })
  await patterns.userFeed({ username: 'ann' })
  await patterns.publishedPosts({ published: false })
  await patterns.commentsOnPost({ postId })
  await patterns.commentsByUser({ username: 'ann' })
  await patterns.tagsOfPost({ postId })
  await table.entities.PostTag.put({ postId, tag: 'x', username: 'ann', title: 'One' }).execute()
  await patterns.postsWithTag({ tag: 'x' })
  await patterns.comment({
    author: { username: 'ann' },
    comment: { postId, username: 'ann', content: 'hm' },
    count: { username: 'ann', postId, comments: 1 },
  })
  await patterns.session({ token: 't' })
  const grants = grantsOf(iamPolicy(compileSchema(blogSchema), { table: 'Blog' }))
  expect([...sent].sort()).toEqual([...grants].sort())
})

describe('within a scope', () => {
  const policy = (scope: string, definition: SchemaDefinition = everythingSchema): string =>
    JSON.stringify(
      iamPolicy(compileSchema(definition), {
        table: 'Every',
        patterns: ['getPost'],
        scope: parseScope(scope),
      }),
    )

  test('a value stands for itself, also where IAM would read it as a pattern', () => {
    expect(policy('tenantId=a*?$')).toContain('"TENANT#a${*}${?}${$}#USER#*"')
  })

  test('a variable of IAM stays one', () => {
    expect(policy('tenantId=${aws:userid}')).toContain('"TENANT#${aws:userid}#USER#*"')
  })

  test('a value that no key can have is refused', () => {
    expect(() => policy('tenantId=a#USER')).toThrow()
  })

  test('an attribute that is not at the head of the keys is refused', () => {
    expect(() => policy('username')).toThrow("can't be limited to username")
  })
})

test('a scope allows reads of a model with a unique value, whose guards only writes touch', async () => {
  const definition = defineSchema({
    indexes: { primary: { hash: 'pk', sort: 'sk' } },
    models: {
      User: {
        key: { pk: 'TENANT#${tenantId}', sk: 'USER#${userId}' },
        attributes: {
          tenantId: { type: String, required: true },
          userId: { type: String, required: true },
          email: { type: String, required: true, unique: true },
        },
      },
    },
    patterns: {
      getUser: { op: 'get', entity: 'User', by: ['tenantId', 'userId'] },
      putUser: { op: 'put', entity: 'User' },
    },
  })
  const options = { table: 'Users', scope: { attribute: 'tenantId', value: 'acme' } }
  const schema = compileSchema(definition)
  const { Statement } = iamPolicy(schema, { ...options, patterns: ['getUser'] })
  expect(JSON.stringify(Statement)).toContain('TENANT#acme')
  expect(() => iamPolicy(schema, options)).toThrow('unique in the whole table')
})
