import { expect } from 'vitest'
import { type Conformance, conformance } from './conformance.ts'

const NO_TAGS = 'DynamoDB Local has no tags at all: it answers UnknownOperationException.'

async function tableArn(t: Conformance, members: object = {}): Promise<string> {
  const TableName = await t.table({ ...members })
  return (await t.send('DescribeTable', { TableName })).Table.TableArn
}

async function tagsOf(t: Conformance, ResourceArn: string): Promise<Record<string, string>> {
  const { Tags } = await t.send('ListTagsOfResource', { ResourceArn })
  return Object.fromEntries(Tags.map((tag: { Key: string; Value: string }) => [tag.Key, tag.Value]))
}

function tags(count: number, from = 0): object[] {
  return Array.from({ length: count }, (_, position) => ({
    Key: `key${from + position}`,
    Value: 'value',
  }))
}

conformance('Tags', (define) => {
  const test = (name: string, body: (t: Conformance) => Promise<void>): void =>
    define.engineOnly(name, NO_TAGS, body)
  const refused = (name: string, Tags: unknown, message: string): void =>
    test(name, async (t) => {
      const ResourceArn = await tableArn(t)
      await t.fails('TagResource', { ResourceArn, Tags }, 'ValidationException', message)
    })

  test('a table has no tags at first', async (t) => {
    expect(await tagsOf(t, await tableArn(t))).toEqual({})
  })
  test('a tag is added, changed and removed', async (t) => {
    const ResourceArn = await tableArn(t)
    await t.send('TagResource', { ResourceArn, Tags: [{ Key: 'a', Value: '1' }] })
    await t.send('TagResource', {
      ResourceArn,
      Tags: [
        { Key: 'a', Value: '2' },
        { Key: 'b', Value: '' },
      ],
    })
    expect(await tagsOf(t, ResourceArn)).toEqual({ a: '2', b: '' })
    await t.send('UntagResource', { ResourceArn, TagKeys: ['a', 'never there'] })
    expect(await tagsOf(t, ResourceArn)).toEqual({ b: '' })
  })
  test('tagging and untagging answer nothing', async (t) => {
    const ResourceArn = await tableArn(t)
    expect(await t.send('TagResource', { ResourceArn, Tags: tags(1) })).toEqual({})
    expect(await t.send('UntagResource', { ResourceArn, TagKeys: ['key0'] })).toEqual({})
  })
  test('a tag may be called __proto__', async (t) => {
    const ResourceArn = await tableArn(t)
    const Tags = [{ Key: '__proto__', Value: 'polluted' }]
    await t.send('TagResource', { ResourceArn, Tags })
    expect((await t.send('ListTagsOfResource', { ResourceArn })).Tags).toEqual(Tags)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
  test('tags outlive a change of the table', async (t) => {
    const ResourceArn = await tableArn(t, { Tags: tags(2) })
    await t.send('UpdateTable', { TableName: ResourceArn, TableClass: 'STANDARD' })
    expect(Object.keys(await tagsOf(t, ResourceArn))).toEqual(['key0', 'key1'])
  })
  for (const count of [49, 50]) {
    test(`${count} tags are accepted`, async (t) => {
      const ResourceArn = await tableArn(t)
      await t.send('TagResource', { ResourceArn, Tags: tags(count) })
      expect(Object.keys(await tagsOf(t, ResourceArn))).toHaveLength(count)
    })
  }
  refused(
    '51 tags are refused',
    tags(51),
    'Number of Tags exceed the current limit for the provided ResourceArn',
  )
  test('a 51st tag is refused', async (t) => {
    const ResourceArn = await tableArn(t, { Tags: tags(50) })
    await t.fails(
      'TagResource',
      { ResourceArn, Tags: tags(1, 50) },
      'ValidationException',
      'Number of Tags exceed the current limit for the provided ResourceArn',
    )
    expect(Object.keys(await tagsOf(t, ResourceArn))).toHaveLength(50)
  })
  test('a tag can still be changed on a table that has 50', async (t) => {
    const ResourceArn = await tableArn(t, { Tags: tags(50) })
    await t.send('TagResource', { ResourceArn, Tags: [{ Key: 'key7', Value: 'new' }] })
    expect((await tagsOf(t, ResourceArn)).key7).toBe('new')
  })
  refused('no tags are refused', [], 'Atleast one Tag needs to be provided as Input.')
  refused(
    'an empty key is refused',
    [{ Key: '', Value: 'x' }],
    'The Tag Key provided is invalid, Key: ',
  )
  refused(
    'a key of 129 characters is refused',
    [{ Key: 'k'.repeat(129), Value: 'x' }],
    `The Tag Key provided is invalid, Key: ${'k'.repeat(129)}`,
  )
  refused(
    'a value of 257 characters is refused',
    [{ Key: 'k', Value: 'v'.repeat(257) }],
    `The Tag Value provided is invalid, Value: ${'v'.repeat(257)}`,
  )
  test('a key of 128 and a value of 256 characters are accepted', async (t) => {
    const ResourceArn = await tableArn(t)
    const Tags = [{ Key: 'k'.repeat(128), Value: 'v'.repeat(256) }]
    await t.send('TagResource', { ResourceArn, Tags })
    expect((await t.send('ListTagsOfResource', { ResourceArn })).Tags).toEqual(Tags)
  })
  refused(
    'a tag without a value is refused',
    [{ Key: 'k' }],
    'The Tag Value provided is invalid, Value: null',
  )
  refused(
    "a key of AWS's own is refused",
    [{ Key: 'aws:x', Value: 'x' }],
    'Tag Key cannot be prefixed with aws:, Key: aws:x',
  )
  refused(
    'a key that comes twice is refused',
    [
      { Key: 'k', Value: '1' },
      { Key: 'k', Value: '2' },
    ],
    'Duplicate Tag Keys provided as input: Duplicate Tag Key found k',
  )
  test('no keys to remove are refused', async (t) => {
    const ResourceArn = await tableArn(t)
    await t.fails(
      'UntagResource',
      { ResourceArn, TagKeys: [] },
      'ValidationException',
      'Atleast one Tag Key needs to be provided as Input.',
    )
  })
  test('a request without an ARN is refused', async (t) => {
    await t.fails(
      'ListTagsOfResource',
      {},
      'ValidationException',
      "1 validation error detected: Value null at 'resourceArn' failed to satisfy constraint: Member must not be null",
    )
  })
  test('an ARN that does not begin with arn: is refused', async (t) => {
    await t.fails(
      'ListTagsOfResource',
      { ResourceArn: 'table/x' },
      'ValidationException',
      "One or more parameter values were invalid: ARNs must start with 'arn:': table/x",
    )
  })
  test('an ARN of no table is refused', async (t) => {
    const ResourceArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/ab'
    await t.fails(
      'ListTagsOfResource',
      { ResourceArn },
      'ValidationException',
      `Invalid TableArn: Invalid ResourceArn provided as input ${ResourceArn}`,
    )
  })
  test('an ARN of an index is refused', async (t) => {
    const ResourceArn = `${await tableArn(t)}/index/byG`
    await t.fails(
      'TagResource',
      { ResourceArn, Tags: tags(1) },
      'ValidationException',
      `One or more parameter values were invalid: Invalid resource arn provided, only table or stream is accepted. Provided resource arn: ${ResourceArn}`,
    )
  })
  test('an ARN of 1284 characters is refused', async (t) => {
    const ResourceArn = `arn:${'x'.repeat(1280)}`
    await t.fails(
      'ListTagsOfResource',
      { ResourceArn },
      'ValidationException',
      /Member must have length less than or equal to 1283$/,
    )
  })
  test('tagging a table that is not there finds none', async (t) => {
    const ResourceArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/missing'
    await t.fails(
      'TagResource',
      { ResourceArn, Tags: tags(1) },
      'ResourceNotFoundException',
      `Requested resource not found: ResourcArn: ${ResourceArn} not found`,
    )
  })
  test('listing the tags of a table that is not there is denied', async (t) => {
    const ResourceArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/missing'
    await t.fails(
      'ListTagsOfResource',
      { ResourceArn },
      'AccessDeniedException',
      `User: arn:aws:iam::000000000000:root is not authorized to perform: dynamodb:ListTagsOfResource on resource: ${ResourceArn}`,
    )
  })
})
