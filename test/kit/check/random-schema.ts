import fc from 'fast-check'
import type { ModelDefinition, PatternDefinition, SchemaDefinition } from 'singletable/tools'

/** One of each kind that may be in a key, and some next to it. */
const attributes: ModelDefinition['attributes'] = {
  id: { type: String, required: true },
  name: { type: String, required: true },
  free: { type: String, required: true, encode: true },
  kind: { type: String, required: true, enum: ['A', 'B', 'AB'] },
  rank: { type: Number, required: true, pad: 4 },
  real: { type: Number, required: true, encode: true },
  on: { type: Boolean, required: true },
  at: { type: Date, required: true },
  day: { type: Date, required: true, start: '2026-01-01' },
  path: { type: Array, items: { type: String }, required: true },
  note: { type: String },
  likes: { type: Number, default: 0 },
  tags: { type: Set, items: { type: String } },
}

const placeholder = fc.constantFrom(
  '${id}',
  '${name}',
  '${name:lower}',
  '${free}',
  '${kind}',
  '${rank}',
  '${rank:desc}',
  '${real}',
  '${real:desc}',
  '${on}',
  '${at}',
  '${at:desc}',
  '${at:month}',
  '${day:day}',
)
const literal = fc.constantFrom('A', 'B', 'AB')
const segment = fc.oneof({ weight: 1, arbitrary: literal }, { weight: 3, arbitrary: placeholder })
const hash = fc
  .tuple(literal, fc.array(placeholder, { maxLength: 2 }))
  .map((all) => join(all.flat()))
const sort = fc
  .tuple(fc.array(segment, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '', '', '#${path}'))
  .map(([all, path]) => join(all) + path)

function join(segments: readonly string[]): string {
  return segments.join('#')
}

const model = fc.record({
  pk: hash,
  // The id distinguishes items of the same partition.
  sk: sort.map((text) => (text.includes('${path}') ? text : `${text}#\${id}`)),
  gsi1pk: fc.option(hash, { nil: undefined }),
  gsi1sk: sort,
  shards: fc.option(fc.integer({ min: 2, max: 3 }), { nil: undefined }),
  sparse: fc.boolean(),
  copied: fc.boolean(),
})

const options = fc.record({
  prefix: fc.nat({ max: 3 }),
  range: fc.boolean(),
  order: fc.constantFrom('asc' as const, 'desc' as const),
  limit: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
  filter: fc.constantFrom<object | undefined>(
    undefined,
    { likes: { gte: '$least' } },
    { note: { exists: true } },
    { kind: '$wanted' },
    { tags: { contains: '$tag' }, likes: { between: ['$low', '$high'] } },
    { note: { ne: 'x' }, likes: { in: '$list' } },
  ),
  project: fc.boolean(),
})

/** Schemas of a few models that share partitions, with patterns of all kinds; the library refuses
 * some of them. */
export const randomSchema: fc.Arbitrary<SchemaDefinition> = fc
  .tuple(
    fc.array(model, { minLength: 1, maxLength: 3 }),
    fc.array(options, { minLength: 2, maxLength: 2 }),
  )
  .map(([models, asked]) => schemaOf(models, asked))

type ModelParts = typeof model extends fc.Arbitrary<infer T> ? T : never
type Asked = typeof options extends fc.Arbitrary<infer T> ? T : never

function schemaOf(models: readonly ModelParts[], asked: readonly Asked[]): SchemaDefinition {
  const entries = models.map(({ pk, sk, gsi1pk, gsi1sk, shards, sparse, copied }, number) => {
    const name = `M${number}`
    const spread = shards === undefined ? '' : '#${shard}'
    const definition: ModelDefinition = {
      key: { pk: `K${number % 2}#${pk}`, sk: `${number}#${sk}` },
      attributes,
      ...(gsi1pk && { index: { gsi1pk: `${gsi1pk}${spread}`, gsi1sk } }),
      ...(gsi1pk && shards && { shard: { count: shards } }),
      ...(gsi1pk && sparse && { when: { gsi1: { kind: ['A', 'B'] } } }),
      ...(copied && {
        copies: { [`C${number}`]: { key: { pk: `K${number % 2}#${pk}`, sk: `C${number}#${sk}` } } },
      }),
    }
    return [name, definition] as const
  })
  const patterns: { [name: string]: PatternDefinition } = {}
  for (const [name, { key, index = {} }] of entries) {
    const byKey = namesIn(`${key.pk}${key.sk}`)
    patterns[`get${name}`] = { op: 'get', entity: name, by: byKey }
    patterns[`batch${name}`] = { op: 'transactGet', entity: name, by: byKey }
    patterns[`create${name}`] = { op: 'create', entity: name }
    patterns[`put${name}`] = { op: 'put', entity: name }
    patterns[`delete${name}`] = { op: 'delete', entity: name, by: byKey }
    patterns[`scan${name}`] = { op: 'scan', entity: name, reason: 'a test' }
    const rest = ['name', 'kind', 'rank', 'note'].filter((each) => !byKey.includes(each))
    patterns[`update${name}`] = {
      op: 'update',
      entity: name,
      by: byKey,
      set: rest,
      add: ['likes', 'tags'],
    }
    for (const [at, each] of asked.entries()) {
      patterns[`query${name}${at}`] = queryOf(name, undefined, String(key.pk), String(key.sk), each)
      patterns[`copy${name}${at}`] = queryOf(
        `C${name.slice(1)}`,
        undefined,
        String(key.pk),
        String(key.sk),
        each,
      )
      patterns[`index${name}${at}`] = queryOf(
        name,
        'gsi1',
        String(index.gsi1pk),
        String(index.gsi1sk),
        each,
      )
    }
  }
  const [[, first]] = entries as [(typeof entries)[number]]
  patterns.all = {
    op: 'query',
    entity: entries.map(([name]) => name),
    by: namesIn(String(first.key.pk)),
  }
  return {
    indexes: { primary: { hash: 'pk', sort: 'sk' }, gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' } },
    models: Object.fromEntries(entries),
    patterns,
    params: { timestamps: true },
  }
}

/** A query by the partition key and a part of the sort key. */
function queryOf(
  entity: string,
  index: string | undefined,
  hashText: string,
  sortText: string,
  { prefix, range, order, limit, filter, project }: Asked,
): PatternDefinition {
  const partition = namesIn(hashText)
  const sorts = namesIn(sortText).filter((name) => !partition.includes(name))
  const times = [...hashText.matchAll(/\$\{(at|day):/g)].map(([, name = '']) => name)
  const by = [...partition, ...sorts.slice(0, prefix)]
  const [next] = sorts.slice(prefix)
  const [time] = times
  // A bucket of time can be counted up.
  const isTime = range && time !== undefined && times.length === 1
  const fixed = isTime ? by.filter((name) => name !== time) : by
  return {
    op: 'query',
    entity,
    ...(index && { index }),
    by: isTime ? partition.filter((name) => fixed.includes(name)) : fixed,
    ...(isTime ? { range: time } : range && next && { range: next }),
    order,
    ...(limit && { limit }),
    ...(filter && { filter: filter as Record<string, unknown> }),
    ...(project && { project: ['id', 'note', 'at'] }),
  }
}

function namesIn(template: string): string[] {
  const names = [...template.matchAll(/\$\{([^}:]*)/g)].map(([, name = '']) => name)
  return [...new Set(names)].filter((name) => name !== 'shard')
}
