import { DefinitionError } from '../errors/definition-error.ts'
import { compileTemplate, type KeyTemplate } from '../template/key-template.ts'
import { keysCanMeet } from '../template/meeting.ts'
import { textCodec } from '../template/text-codec.ts'
import type { Item } from '../values/attribute-value.ts'
import type { Schema } from './model.ts'

/**
 * Items of the library itself, which belong to no model: what their keys begin with, and their
 * type.
 */
export const GUARD = { word: 'UNIQUE', type: '_unique' } as const
export const SEQUENCE = { word: 'SEQUENCE', type: '_sequence' } as const
/** The type of the items that the `singletable` command keeps in the table for itself. */
export const CONTROL_TYPE = '_kit'
export type ReservedItem = typeof GUARD | typeof SEQUENCE

/** The attribute of a guard that holds the key of the item it stands for. */
export const OWNER = '_owner'

/** The attribute of a guard that says by which version of Unicode its text was folded. */
export const FOLDING = '_folding'

/**
 * Parts of a key as text that no other parts have; `undefined` if one of them can't be part of a
 * key.
 */
export function reservedText({ params }: Schema, parts: readonly string[]): string | undefined {
  const { separator } = params
  const { print } = textCodec({
    kind: { type: 'text', encode: true },
    separator,
    next: separator,
    descending: false,
    invalid: (what) => {
      throw new TypeError(what)
    },
  })
  // Empty parts are recognised by the separators around them.
  const strings = parts.map((part) => (part === '' ? part : print(part)))
  return strings.includes(undefined) ? undefined : strings.join(separator)
}

/** The primary key of such an item. */
export function reservedKey({ primary }: Schema, { word }: ReservedItem, text: string): Item {
  const [hash = '', sort] = [...primary.hash, ...primary.sort]
  return sort === undefined ? { [hash]: { S: text } } : { [hash]: { S: text }, [sort]: { S: word } }
}

/** The models that could have the key of such an item, each with what is wrong. */
export function reservedConflicts(
  schema: Schema,
  { word, type }: ReservedItem,
): readonly { readonly model: string; readonly what: string; readonly fix: string }[] {
  const { separator } = schema.params
  const compile = (source: string): KeyTemplate =>
    compileTemplate(source, {
      kindOf: () => ({ type: 'path', encode: true }),
      separator,
      where: 'schema',
    })
  const reserved = [compile(`${word}${separator}\${parts}`), compile(word)]
  return [...schema.models.values()].flatMap(({ name, type: stored, primary }) => {
    const parts = [...primary.hash, ...primary.sort]
    const native = parts.find(({ name: key }) => schema.keyTypes.get(key) !== 'S')
    if (native) {
      return {
        model: name,
        what: `"${native.name}" of the primary key is not a string, so the library can't keep its own items, which unique and sequences need, in this table.`,
        fix: 'leave out unique and sequences, or use a table whose primary key is a string',
      }
    }
    const meets = parts.every(
      ({ template }, at) => !template || keysCanMeet(template, reserved[at]!),
    )
    if (!meets && stored !== type) return []
    return {
      model: name,
      what: `"${name}" can have a key that begins with "${word}${separator}", or the type "${type}", which are reserved for the library's own items.`,
      fix: "begin the model's partition key with another literal text, such as its name",
    }
  })
}

/** Refuses a schema with such a model. */
export function refuseReserved(schema: Schema, item: ReservedItem): void {
  const [conflict] = reservedConflicts(schema, item)
  if (conflict) throw new DefinitionError('KEYS_MEET', { ...conflict, where: 'schema, models' })
}
