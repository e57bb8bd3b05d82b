import { type Item, keyAttributes, type Schema } from 'singletable/tools'
import { MigrationError } from './migration-error.ts'

const PREFIX = '_KIT'

/** The key of an item that the command keeps for itself, made of words. */
export function controlKey(schema: Schema, ...words: readonly string[]): Item {
  const [hash = '', sort] = keyAttributes(schema.primary)
  for (const name of keyAttributes(schema.primary)) {
    if (schema.keyTypes.get(name) === 'S') continue
    throw new MigrationError(
      `"${name}" of the primary key is not a string, so the journal of migrations can't be kept in this table.`,
      'schema, primary index',
      'migrate such a table with code of your own',
    )
  }
  const [first = '', ...rest] = words
  if (sort === undefined) return { [hash]: { S: [PREFIX, ...words].join('#') } }
  return {
    [hash]: { S: `${PREFIX}#${first}` },
    [sort]: { S: rest.length > 0 ? rest.join('#') : PREFIX },
  }
}
