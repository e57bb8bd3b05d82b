import { checkName, checkOptions, INDEX_OPTIONS, requireObject } from './check-options.ts'
import type { Index, SchemaParams } from './model.ts'
import { refuseSchema } from './refuse-schema.ts'
import type { AttributeDefinition, IndexDefinition, SchemaDefinition } from './schema-definition.ts'

/** DynamoDB's limit for each side of a key of several attributes. */
const KEY_PARTS_MAX = 4

/** All indexes by name, the primary one first. */
export function compileIndexes(
  definition: SchemaDefinition,
  params: SchemaParams,
): ReadonlyMap<string, Index> {
  requireObject(definition.indexes, 'schema, indexes')
  const { primary, ...others } = definition.indexes
  if (primary === undefined) {
    refuseSchema(
      'schema, indexes',
      'there is no primary index',
      "add primary: { hash: 'pk', sort: 'sk' }",
    )
  }
  const indexes = new Map<string, Index>()
  const all: [string, IndexDefinition][] = [['primary', primary], ...Object.entries(others)]
  for (const [name, index] of all) {
    const where = `schema, index "${name}"`
    const refuse = (isWrong: boolean, what: string, fix: string): void => {
      if (isWrong) refuseSchema(where, what, fix)
    }
    checkOptions(index, INDEX_OPTIONS, where)
    const { type = 'global', project = 'all' } = index
    const hash = [index.hash ?? []].flat()
    const sort = [index.sort ?? []].flat()
    const isPrimary = name === 'primary'
    const isLocal = type === 'local'
    const partsMax = isPrimary || isLocal ? 1 : KEY_PARTS_MAX
    refuse(!isLocal && type !== 'global', `its type is "${type}"`, "use 'global' or 'local'")
    refuse(
      hash.length === 0 || hash.length > partsMax || sort.length > partsMax,
      `its hash has ${hash.length} attributes and its sort ${sort.length}`,
      `name one attribute for each, or in a global index up to ${KEY_PARTS_MAX}`,
    )
    refuse(
      isLocal && !(hash[0] === primary.hash && primary.sort && sort.length > 0),
      'a local index has the primary hash and a sort of its own',
      `write hash: '${primary.hash}' and sort, or leave out type`,
    )
    for (const attribute of [...hash, ...sort]) {
      checkName(attribute, where)
      refuse(
        attribute === params.typeField,
        `"${attribute}" can't be a key attribute`,
        'choose another name',
      )
    }
    indexes.set(name, {
      name,
      type: isPrimary ? 'primary' : type,
      hash,
      sort,
      project:
        project === 'all' || project === 'keys'
          ? project
          : projected(project, definition, params, where),
    })
  }
  return indexes
}

/** The stored names of projected attributes, with what reading needs beside them: the type, and the time to live. */
function projected(
  project: readonly string[],
  definition: SchemaDefinition,
  params: SchemaParams,
  where: string,
): readonly string[] {
  const timestamps = params.timestamps ? { createdAt: undefined, updatedAt: undefined } : {}
  const all = [
    timestamps,
    ...Object.values(definition.models).map((model) => model?.attributes),
  ].flatMap((attributes) => Object.entries<AttributeDefinition | undefined>(attributes ?? {}))
  const unknown = project.find((name) => !all.some(([known]) => known === name))
  if (project.length === 0 || unknown !== undefined) {
    refuseSchema(
      where,
      `its projection is empty, or no model has "${unknown}"`,
      "use 'all', 'keys' or a list of attributes",
    )
  }
  const stored = new Set([params.typeField])
  for (const [name, attribute] of all) {
    if (project.includes(name) || attribute?.ttl) stored.add(attribute?.map ?? name)
  }
  return [...stored]
}
