import {
  CONTROL_TYPE,
  type Item,
  keyAttributes,
  type Schema,
  type Transport,
} from 'singletable/tools'

/** The new table of a copy, and the name of the copy, of which a table can have several. */
export interface CopyPlace {
  readonly transport: Transport
  readonly tableName: string
  readonly schema: Schema
  readonly name: string
}

/** The key of an item that the copy keeps for itself. */
export function copyKey({ schema }: CopyPlace, hashText: string, sortText: string): Item {
  const [hash = '', sort = ''] = keyAttributes(schema.primary)
  return { [hash]: { S: hashText }, [sort]: { S: sortText } }
}

/** By this readers of the table see that an item is not theirs. */
export function copyType({ schema }: CopyPlace): Item {
  return { [schema.params.typeField]: { S: CONTROL_TYPE } }
}
