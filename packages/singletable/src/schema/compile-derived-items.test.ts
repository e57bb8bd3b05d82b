import { describe, expect, test } from 'vitest'
import { DefinitionError } from '../errors/definition-error.ts'
import { compileSchema } from '../plan/compile-schema.ts'
import type { ModelDefinition, SchemaDefinition } from './schema-definition.ts'

const text = { type: String } as const
const id = { type: String, required: true } as const

/** A schema of these models. */
function schema(
  models: { [name: string]: unknown },
  more: Partial<SchemaDefinition> = {},
): SchemaDefinition {
  return {
    indexes: { primary: { hash: 'pk', sort: 'sk' }, gsi: { hash: 'gpk', sort: 'gsk' } },
    // Some of them are wrong on purpose.
    models: models as { [name: string]: ModelDefinition },
    ...more,
  }
}

function refusal(definition: SchemaDefinition): string {
  try {
    compileSchema(definition)
  } catch (error) {
    if (error instanceof DefinitionError) return error.message
    throw error
  }
  throw new Error('the schema was accepted')
}

const post = (more: object) => ({
  Post: {
    key: { pk: 'POST#${postId}', sk: 'POST' },
    attributes: { postId: id, user: text, slug: text, at: { type: Date }, likes: { type: Number } },
    ...more,
  },
})

describe('copies for each element', () => {
  const tagged = (copy: object, tags: object = { type: Set, items: text }) => ({
    Post: {
      key: { pk: 'POST#${postId}', sk: 'POST' },
      attributes: { postId: id, slug: text, tags },
      copies: { TagPost: { each: 'tags', ...copy } },
    },
  })
  const key = { pk: 'TAG#${tag}', sk: 'POST#${postId}' }

  test('have the element as an attribute, which is named by the placeholder or by as', () => {
    for (const copy of [{ key }, { key, as: 'tag' }]) {
      const model = compileSchema(schema(tagged(copy))).models.get('TagPost')!
      expect([...model.attributes.keys()]).toEqual(['postId', 'slug', 'tags', 'tag'])
      expect(model.source?.derivedItems?.copies[0]).toMatchObject({
        each: { list: { name: 'tags' }, element: { name: 'tag' } },
        determinedBy: ['tags', 'postId'],
      })
    }
  })

  test.each([
    [
      'a name that nothing has',
      { each: 'tag', key },
      '"tag" is not an attribute of "Post" (did you mean "tags"?)',
    ],
    [
      'an attribute without elements',
      { each: 'slug', key },
      '"slug" has no elements that a key can be made of',
    ],
    ['as without each', { each: undefined, as: 'tag', key }, 'it has as without each'],
    [
      'no placeholder for the element',
      { key: { pk: 'TAG', sk: 'POST#${postId}' } },
      'none of its templates has an element of "tags"',
    ],
    [
      'two placeholders that are not attributes',
      { key: { pk: 'TAG#${tag}', sk: 'POST#${post}' } },
      'its templates have ${tag} and ${post}, and one of them is an element of "tags"',
    ],
    [
      'an element with the name of an attribute',
      { as: 'slug', key: { pk: 'TAG#${slug}', sk: 'POST#${postId}' } },
      '"slug" is an attribute of "Post"',
    ],
    [
      'an element that is in the key of an index only',
      { key: { pk: 'ALL', sk: 'COPY#${postId}' }, index: { gpk: 'TAG#${tag}', gsk: '${postId}' } },
      'all elements would have the same copy',
    ],
    [
      'a key without that of the item',
      { key: { pk: 'TAG#${tag}', sk: 'TAG' } },
      'two items of "Post" could have the same copy',
    ],
    [
      'a key that meets another',
      { key: { pk: 'POST#${tag}', sk: 'POST' } },
      '"Post" and "TagPost" can have the same primary key',
    ],
  ])('are refused with %s', (_, copy, message) => {
    expect(refusal(schema(tagged(copy)))).toContain(message)
  })

  test('are refused where elements are objects', () => {
    const tags = { type: Array, items: { type: Object } }
    expect(refusal(schema(tagged({ key }, tags)))).toContain(
      `"tag" is of a type that can't be in a key`,
    )
  })
})

describe('sums', () => {
  const summed = (total: object) =>
    schema({
      Order: {
        key: { pk: 'ORDER#${orderId}', sk: 'ORDER' },
        attributes: { orderId: id, total: { type: Number, ...total } },
      },
      Line: {
        key: { pk: 'ORDER#${orderId}', sk: 'LINE#${lineId}' },
        attributes: {
          orderId: id,
          lineId: id,
          amount: { type: Number },
          price: { type: 'decimal' },
          secret: { type: Number, hidden: true },
          name: text,
        },
      },
    })

  test('say what they add up, in short or in full', () => {
    for (const sums of ['Line.amount', { of: 'Line.amount', when: { name: 'x' } }]) {
      const { models } = compileSchema(summed({ sums }))
      expect(models.get('Line')!.derivedItems!.counters).toMatchObject([
        { parent: { name: 'Order' }, sums: { name: 'amount' } },
      ])
    }
  })

  test.each([
    ['no attribute', { sums: 'Line' }, '"Line" names no model and attribute'],
    ['a model that is not there', { sums: 'Lines.amount' }, 'there is no model "Lines"'],
    [
      'an attribute that is not there',
      { sums: 'Line.amounts' },
      '"amounts" is not an attribute of "Line"',
    ],
    ['text', { sums: 'Line.name' }, '"name" is not a number'],
    ['another type', { sums: 'Line.price' }, '"total" is of another type than "price"'],
    ['what is hidden', { sums: 'Line.secret' }, '"secret" is hidden, and the sum would show it'],
    ['a count as well', { sums: 'Line.amount', counts: 'Line' }, 'it has counts as well'],
    ['a default', { sums: 'Line.amount', default: 1 }, 'a sum is a number that starts at 0'],
    [
      'minima',
      { min: 'Line.amount' },
      `"min" can't be kept by transactions: when the smallest value changes or goes, only a query finds the next one`,
    ],
    [
      'maxima',
      { maxima: { of: 'Line.amount' } },
      'make the value the sort key of an index, and query it with limit(1) in descending order',
    ],
    [
      'averages',
      { average: 'Line.amount' },
      'declare an attribute with counts and one with sums, and divide',
    ],
  ])('are refused with %s', (_, total, message) => {
    expect(refusal(summed(total))).toContain(message)
  })
})

describe('copies', () => {
  test('become models of their own that know their source', () => {
    const { models } = compileSchema(
      schema(
        post({
          copies: {
            UserPost: { key: { pk: 'USER#${user}', sk: 'POST#${postId}' }, attributes: ['likes'] },
            All: { key: { pk: 'ALL#${postId}', sk: 'ALL' } },
          },
        }),
        { params: { timestamps: true } },
      ),
    )
    expect([...models.keys()]).toEqual(['Post', 'UserPost', 'All'])
    const source = models.get('Post')!
    expect(models.get('UserPost')).toMatchObject({ source, derivedItems: undefined })
    expect([...models.get('UserPost')!.attributes.keys()]).toEqual(['postId', 'user', 'likes'])
    expect([...models.get('All')!.attributes.keys()]).toEqual([
      'postId',
      'user',
      'slug',
      'at',
      'likes',
      'createdAt',
      'updatedAt',
    ])
    expect(source.derivedItems).toMatchObject({ fixed: false })
    expect([...source.derivedItems!.determinedBy]).toEqual(['user', 'postId'])
  })

  test('the time to live is always copied, counters never are', () => {
    const { models } = compileSchema(
      schema({
        Post: {
          key: { pk: 'POST#${postId}', sk: 'POST' },
          attributes: {
            postId: id,
            ends: { type: Date, ttl: true },
            replies: { type: Number, counts: 'Reply' },
          },
          copies: {
            Some: { key: { pk: 'SOME#${postId}', sk: 'SOME' }, attributes: [] },
            All: { key: { pk: 'ALL#${postId}', sk: 'ALL' } },
          },
        },
        Reply: { key: { pk: 'REPLY#${postId}', sk: 'R#${n}' }, attributes: { postId: id, n: id } },
      }),
    )
    expect([...models.get('Some')!.attributes.keys()]).toEqual(['postId', 'ends'])
    expect([...models.get('All')!.attributes.keys()]).toEqual(['postId', 'ends'])
  })

  const copy = (definition: unknown, name = 'Copy') =>
    schema(post({ copies: { [name]: definition } }))

  test.each<[string, SchemaDefinition, string]>([
    [
      'an attribute that does not exist',
      copy({ key: { pk: 'A#${postId}', sk: 'A' }, attributes: ['like'] }),
      'it has "like", which is not an attribute (did you mean "likes"?)',
    ],
    [
      'a placeholder that is not an attribute',
      copy({ key: { pk: 'A#${postId}', sk: '${titel}' } }),
      'its template names "titel", which is not an attribute',
    ],
    [
      'a condition on what is not an attribute',
      copy({ key: { pk: 'A#${postId}', sk: 'A' }, when: { status: 'x' } }),
      'it asks for "status", which is not an attribute',
    ],
    ['an unknown option', copy({ keys: {} }), '"keys" is not an option here (did you mean "key"?)'],
    [
      'the name of a model',
      copy({ key: { pk: 'A#${postId}', sk: 'A' } }, 'Post'),
      'there is a model or another copy of that name',
    ],
    [
      'a key that the source can have',
      copy({ key: { pk: 'POST#${postId}', sk: '${user}' } }),
      'KEYS_MEET: "Post" and "Copy" can have the same primary key',
    ],
    [
      'a key that two items can share',
      copy({ key: { pk: 'USER#${user}', sk: 'POST' } }),
      'two items of "Post" could have the same copy',
    ],
    [
      'a key that has an id only in small letters',
      copy({ key: { pk: 'A#${postId:lower}', sk: 'A' } }),
      'put ${postId} into its key',
    ],
    ['half a key', copy({ key: { pk: 'A#${postId}' } }), 'give templates for pk and sk'],
    [
      'an index key of no index',
      copy({ key: { pk: 'A#${postId}', sk: 'A' }, index: { x: 'A' } }),
      'no index has this attribute',
    ],
  ])('%s is refused', (_, definition, message) => {
    expect(refusal(definition)).toContain(message)
  })

  test('a counter that is chosen is refused', () => {
    const definition = schema({
      Post: {
        key: { pk: 'POST#${postId}', sk: 'POST' },
        attributes: { postId: id, replies: { type: Number, counts: 'Post' } },
        copies: { Copy: { key: { pk: 'A#${postId}', sk: 'A' }, attributes: ['replies'] } },
      },
    })
    expect(refusal(definition)).toContain('"replies" is a counter')
  })

  test('a key of unique attributes is not shared by items', () => {
    const bySlug = { BySlug: { key: { pk: 'SLUG#${slug}', sk: 'SLUG' } } }
    expect(refusal(schema(post({ copies: bySlug })))).toContain('the same copy')
    compileSchema(schema(post({ copies: bySlug, unique: { slug: ['slug'] } })))
    const folded = { slug: { attributes: ['slug'], ignoreCase: true } }
    compileSchema(schema(post({ copies: bySlug, unique: folded })))
    const byLower = { BySlug: { key: { pk: 'SLUG#${slug:lower}', sk: 'SLUG' } } }
    compileSchema(schema(post({ copies: byLower, unique: folded })))
    const exact = { slug: ['slug'] }
    expect(refusal(schema(post({ copies: byLower, unique: exact })))).toContain('the same copy')
  })
})

describe('unique', () => {
  const unique = (definition: unknown) => schema(post({ unique: { rule: definition } }))
  test.each<[string, SchemaDefinition, string]>([
    ['no attributes', unique([]), 'it names no attributes'],
    [
      'an unknown attribute',
      unique(['slugs']),
      '"slugs" is not an attribute of "Post" (did you mean "slug"?)',
    ],
    [
      'an unknown option',
      unique({ attributes: ['slug'], ignorecase: true }),
      'did you mean "ignoreCase"',
    ],
    ['no list', unique({}), 'not an object'],
    [
      'a type that has no text',
      schema({
        Post: {
          key: { pk: 'POST#${postId}', sk: 'POST' },
          attributes: { postId: id, tags: { type: Set, unique: true } },
        },
      }),
      '"tags" is of a type that can\'t be unique',
    ],
    [
      'the name of an attribute that is unique itself',
      schema({
        Post: {
          key: { pk: 'POST#${postId}', sk: 'POST' },
          attributes: { postId: id, slug: { type: String, unique: true } },
          unique: { slug: ['postId'] },
        },
      }),
      'there is an attribute of that name that is unique',
    ],
    [
      'a model that could have the keys of guards',
      schema({
        ...post({ unique: { slug: ['slug'] } }),
        Other: {
          key: { pk: '${a}#${b}#${c}#${d}', sk: '${a}' },
          attributes: { a: id, b: id, c: id, d: id },
        },
      }),
      'KEYS_MEET: "Other" can have a key that begins with "UNIQUE#"',
    ],
    [
      'a model that has the type of guards',
      schema({
        ...post({ unique: { slug: ['slug'] } }),
        _unique: { key: { pk: 'X#${a}', sk: 'X' }, attributes: { a: id } },
      }),
      'the type "_unique"',
    ],
  ])('%s is refused', (_, definition, message) => {
    expect(refusal(definition)).toContain(message)
  })

  test("a model with the keys of guards is nobody's business where nothing is unique", () => {
    compileSchema(
      schema({ Other: { key: { pk: 'UNIQUE#${a}', sk: 'UNIQUE' }, attributes: { a: id } } }),
    )
  })
})

describe('counters', () => {
  const counts = (definition: unknown, parent: object = {}, counter: object = {}) =>
    schema({
      User: {
        key: { pk: 'USER#${user}', sk: 'USER' },
        attributes: { user: id, posts: { type: Number, counts: definition, ...counter } },
        ...parent,
      },
      ...post({}),
    })

  test("count items whose attributes have the values of the parent's key", () => {
    const { models } = compileSchema(counts('Post'))
    const [counter] = models.get('Post')!.derivedItems!.counters
    expect(counter).toMatchObject({ parent: models.get('User'), attribute: { name: 'posts' } })
    expect(counter!.links).toEqual(new Map([['user', 'user']]))
    expect(models.get('User')!.derivedItems).toMatchObject({ fixed: true, counters: [] })
    const by = compileSchema(counts({ model: 'Post', by: { user: 'slug' } })).models.get('Post')!
    expect(by.derivedItems!.counters[0]!.links).toEqual(new Map([['user', 'slug']]))
  })

  test.each<[string, SchemaDefinition, string]>([
    ['an unknown model', counts('Pots'), 'there is no model "Pots" (did you mean "Post"?)'],
    [
      'a link that is not an attribute',
      counts({ model: 'Post', by: { user: 'usr' } }),
      '"usr" is not an attribute of "Post"',
    ],
    [
      'a link of an attribute that is not a key',
      counts({ model: 'Post', by: { posts: 'user' } }),
      '"posts" is not an option here',
    ],
    [
      'a link of another type',
      counts({ model: 'Post', by: { user: 'likes' } }),
      'is of another type than "user"',
    ],
    [
      'a condition on what is not an attribute',
      counts({ model: 'Post', when: { x: 1 } }),
      'it asks for "x"',
    ],
    ['an unknown option', counts({ model: 'Post', where: {} }), '"where" is not an option here'],
    [
      'another type than Number',
      counts('Post', {}, { type: String }),
      'a counter is a Number that starts at 0',
    ],
    ['a default', counts('Post', {}, { default: 1 }), 'a counter is a Number that starts at 0'],
    [
      'a template with the counter',
      counts('Post', { index: { gpk: 'USERS', gsk: '${posts:pad(8)}' } }),
      'so no template or condition can have it',
    ],
  ])('%s is refused', (_, definition, message) => {
    expect(refusal(definition)).toContain(message)
  })

  test('a counter can be a key attribute as it is', () => {
    const definition = counts('Post', { attributes: undefined })
    const indexes = { primary: { hash: 'pk', sort: 'sk' }, gsi: { hash: 'board', sort: 'posts' } }
    const attributes = { user: id, board: text, posts: { type: Number, counts: 'Post' } }
    const models = {
      ...definition.models,
      User: { key: { pk: 'USER#${user}', sk: 'USER' }, attributes },
    }
    // The literals are wider than a definition says.
    compileSchema({ indexes, models } as unknown as SchemaDefinition)
  })
})

test('a schema without any of these has no derivedItems', () => {
  const { models } = compileSchema(schema(post({})))
  expect(models.get('Post')!.derivedItems).toBeUndefined()
})
