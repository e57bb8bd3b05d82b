import { checkName, checkOptions, INDEX_OPTIONS } from './check-options.ts'
import type { Index, SchemaParams } from './model.ts'
import type { Place } from './place.ts'
import type { AttributeDefinition, IndexDefinition, SchemaDefinition } from './schema-definition.ts'

/** DynamoDB's limit for each side of a key of several attributes. */
const KEY_PARTS_MAX = 4

/**
 * All indexes by name, the primary one first; where that can't be read, with one that suits the
 * first model.
 */
export function compileIndexes(
  definition: SchemaDefinition,
  params: SchemaParams,
  schema: Place,
): ReadonlyMap<string, Index> {
  const { primary, ...others } = definition.indexes
  if (primary === undefined) {
    schema
      .at('indexes')
      .report('there is no primary index', "add primary: { hash: 'pk', sort: 'sk' }")
  }
  const indexes = new Map<string, Index>()
  const add = (made: Omit<Index, 'keyNames'>): void => {
    const { hash, sort } = indexes.get('primary') ?? made
    const keyNames = new Set([...hash, ...sort, ...made.hash, ...made.sort])
    indexes.set(made.name, { ...made, keyNames: [...keyNames] })
  }
  const all: [string, IndexDefinition][] = [['primary', primary], ...Object.entries(others)]
  for (const [name, index] of all) {
    const place = schema.part('index', name)
    const made =
      name === 'primary' && primary === undefined
        ? undefined
        : place.attempt(() => compileIndex(name, index, { definition, params, place }))
    if (made) add(made)
    else place.markFaulty(`index ${name}`)
    if (made === undefined && name === 'primary') {
      const [hash = 'pk', ...sort] = Object.keys(
        Object(Object(Object.values(definition.models)[0]).key),
      )
      const substitute = { hash: [hash], sort: sort.slice(0, 1), project: 'all' } as const
      add({ name, type: 'primary', ...substitute })
    }
  }
  return indexes
}

function compileIndex(
  name: string,
  index: IndexDefinition,
  given: {
    readonly definition: SchemaDefinition
    readonly params: SchemaParams
    readonly place: Place
  },
): Omit<Index, 'keyNames'> {
  const { definition, params, place } = given
  checkOptions(index, INDEX_OPTIONS, place)
  const { type = 'global', project = 'all' } = index
  if (!/^[\w.-]{3,255}$/.test(name)) {
    place.report(
      `DynamoDB does not accept the index name "${name}"`,
      'use 3 to 255 of the characters a-z A-Z 0-9 _ . -',
    )
  }
  const hash = [index.hash ?? []].flat()
  const sort = [index.sort ?? []].flat()
  const isPrimary = name === 'primary'
  const isLocal = type === 'local'
  const partsMax = isPrimary || isLocal ? 1 : KEY_PARTS_MAX
  if (!isLocal && type !== 'global')
    place.report(`its type is "${type}"`, "use 'global' or 'local'")
  if (hash.length === 0 || hash.length > partsMax || sort.length > partsMax) {
    place.refuse(
      `its hash has ${hash.length} attributes and its sort ${sort.length}`,
      `name one attribute for each, or in a global index up to ${KEY_PARTS_MAX}`,
      { rule: 'I10' },
    )
  }
  for (const attribute of [...hash, ...sort]) {
    checkName(attribute, place)
    if (attribute === params.typeField) {
      place.refuse(`"${attribute}" can't be a key attribute`, 'choose another name')
    }
  }
  const { primary } = definition.indexes
  if (
    isLocal &&
    !place.isFaulty('index primary') &&
    !(hash[0] === primary.hash && primary.sort && sort.length > 0)
  ) {
    place.refuse(
      'a local index has the primary hash and a sort of its own',
      `write hash: '${primary.hash}' and sort, or leave out type`,
    )
  }
  return {
    name,
    type: isPrimary ? 'primary' : isLocal ? type : 'global',
    hash,
    sort,
    project:
      project === 'all' || project === 'keys'
        ? project
        : projected(project, definition, params, place),
  }
}

/**
 * The stored names of projected attributes, with what reading needs in addition: the type, and the
 * time to live.
 */
function projected(
  project: readonly string[],
  definition: SchemaDefinition,
  params: SchemaParams,
  place: Place,
): readonly string[] {
  const timestamps = params.timestamps ? { createdAt: undefined, updatedAt: undefined } : {}
  const all = [
    timestamps,
    ...Object.values(definition.models).map((model) => model?.attributes),
  ].flatMap((attributes) => Object.entries<AttributeDefinition | undefined>(attributes ?? {}))
  const names = Array.isArray(project) ? project : []
  const unknown = names.filter((name) => !all.some(([known]) => known === name))
  if (names.length === 0 || unknown.length > 0) {
    place.report(
      unknown.length > 0
        ? `no model has ${unknown.map((name) => `"${name}"`).join(', ')}, which it projects`
        : 'its projection is empty',
      "use 'all', 'keys' or a list of attributes",
    )
  }
  const unstored = all.find(([name, each]) => names.includes(name) && each?.stored === false)
  if (unstored) {
    place.report(
      `it projects "${unstored[0]}", which is not stored`,
      `project what it is computed from: ${[unstored[1]?.from].flat().join(', ')}`,
    )
  }
  const stored = new Set([params.typeField])
  for (const [name, attribute] of all) {
    if (names.includes(name) || attribute?.ttl) stored.add(attribute?.map ?? name)
  }
  return [...stored]
}
