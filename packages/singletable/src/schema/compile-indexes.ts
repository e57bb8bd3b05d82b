import { KEY_ATTRIBUTE_NAME_MAX_BYTES } from '../values/limits.ts'
import { getOwn } from '../values/own.ts'
import { utf8Length } from '../values/utf8.ts'
import { checkName, checkOptions, INDEX_OPTIONS, requireObject } from './check-options.ts'
import type { Index, SchemaParams } from './model.ts'
import { refuseSchema } from './refuse-schema.ts'
import type { IndexDefinition, SchemaDefinition } from './schema-definition.ts'

/** DynamoDB's limit for each side of a key of several attributes. */
const KEY_PARTS_MAX = 4

/** All indexes by name, the primary one first. */
export function compileIndexes(
  definition: SchemaDefinition,
  params: SchemaParams,
): ReadonlyMap<string, Index> {
  const where = 'schema, indexes'
  requireObject(definition.indexes, where)
  const primary = getOwn<IndexDefinition>(definition.indexes, 'primary')
  if (primary === undefined) {
    refuseSchema(where, 'there is no primary index', "add primary: { hash: 'pk', sort: 'sk' }")
  }
  const indexes = new Map([['primary', compileIndex('primary', primary, definition, params)]])
  for (const [name, index] of Object.entries(definition.indexes)) {
    if (name === 'primary') continue
    const compiled = compileIndex(name, index, definition, params)
    const sharesHash = compiled.hash[0] === primary.hash && primary.sort !== undefined
    if (compiled.type === 'local' && !sharesHash) {
      refuseSchema(
        `schema, index "${name}"`,
        'a local index has the hash of a primary index with a sort',
        `write hash: '${primary.hash}', or leave out type: 'local'`,
      )
    }
    indexes.set(name, compiled)
  }
  return indexes
}

function compileIndex(
  name: string,
  index: IndexDefinition,
  definition: SchemaDefinition,
  params: SchemaParams,
): Index {
  const where = `schema, index "${name}"`
  checkOptions(index, INDEX_OPTIONS, where)
  const isPrimary = name === 'primary'
  const { type = 'global', project = 'all' } = index
  if (type !== 'global' && type !== 'local') {
    refuseSchema(where, `its type is "${type}"`, "use 'global' or 'local'")
  }
  const hash = listOf(index.hash)
  const sort = listOf(index.sort)
  const partsMax = !isPrimary && type === 'global' ? KEY_PARTS_MAX : 1
  if (hash.length === 0 || hash.length > partsMax || sort.length > partsMax) {
    refuseSchema(
      where,
      `its hash has ${hash.length} attributes and its sort ${sort.length}`,
      `name one attribute for each, or in a global index up to ${KEY_PARTS_MAX}`,
    )
  }
  if (type === 'local' && sort.length === 0) {
    refuseSchema(where, 'a local index has a sort of its own', 'add sort')
  }
  const attributes = [...hash, ...sort]
  for (const attribute of attributes) {
    checkName(attribute, where)
    if (attribute === params.typeField || utf8Length(attribute) > KEY_ATTRIBUTE_NAME_MAX_BYTES) {
      refuseSchema(where, `"${attribute}" can't be a key attribute`, 'choose another name')
    }
  }
  if (new Set(attributes).size < attributes.length) {
    refuseSchema(where, 'an attribute stands in its key twice', 'name each attribute once')
  }
  return {
    name,
    type: isPrimary ? 'primary' : type,
    hash,
    sort,
    project:
      project === 'all' || project === 'keys'
        ? project
        : projected(project, definition, params, where),
  }
}

/** The stored names of projected attributes, with what reading needs beside them: the type, and the time to live. */
function projected(
  project: readonly string[],
  definition: SchemaDefinition,
  params: SchemaParams,
  where: string,
): readonly string[] {
  if (!Array.isArray(project) || project.length === 0) {
    refuseSchema(where, 'its projection is empty', "use 'all', 'keys' or a list of attributes")
  }
  const stored = new Set([params.typeField])
  const found = new Set(params.timestamps ? ['createdAt', 'updatedAt'] : [])
  for (const name of project) if (found.has(name)) stored.add(name)
  for (const model of Object.values(definition.models)) {
    for (const [name, attribute] of Object.entries(model?.attributes ?? {})) {
      const listed = project.includes(name)
      if (listed) found.add(name)
      if (listed || attribute?.ttl) stored.add(attribute?.map ?? name)
    }
  }
  for (const name of project) {
    if (!found.has(name)) {
      refuseSchema(where, `it projects "${name}", which no model has`, 'name attributes of models')
    }
  }
  return [...stored]
}

function listOf(names: string | readonly string[] | undefined): readonly string[] {
  return names === undefined ? [] : typeof names === 'string' ? [names] : [...names]
}
