import { keyFromItem } from '../schema/index-keys.ts'
import type { Model, Schema } from '../schema/model.ts'
import type { Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { marshalParams } from './native-params.ts'
import type { WritePlan } from './plan.ts'
import { refuseInput } from './refuse-input.ts'

const VERBS = { Put: 'put', Update: 'update', Delete: 'delete', ConditionCheck: 'check' } as const

/**
 * The plan of a request in the form of the SDK's DocumentClient that was made by hand, or changed after `dbParams()` gave it. It is sent as it is:
 * whoever writes it answers for index keys and conditions. Its key tells the model.
 */
export function planForeignWrite(
  action: keyof typeof VERBS,
  params: object,
  schema: Schema,
  place: string,
): WritePlan {
  const request = marshalParams(params, place)
  // What marshalParams gives under these names is a map of attribute values or nothing.
  const item = (action === 'Put' ? request.Item : request.Key) as Item | undefined
  const key = item && keyFromItem(schema.primary, item)
  const model = key && [...schema.models.values()].find((each) => hasKey(each, key))
  if (key === undefined || model === undefined) {
    return refuseInput(
      [{ path: [action === 'Put' ? 'Item' : 'Key'], message: 'has no key of any model' }],
      place,
      'give a key as a model of this table makes it',
    )
  }
  return {
    kind: 'write',
    verb: VERBS[action],
    model,
    // The request has the members its author gave; DynamoDB refuses what is missing.
    action: { [action]: request } as unknown as WritePlan['action'],
    key,
    expects: { exists: false, absent: false, version: undefined, where: true },
    idempotent: false,
    output: undefined,
    returns: 'nothing',
  }
}

function hasKey({ primary }: Model, key: Item): boolean {
  return [...primary.hash, ...primary.sort].every(({ name, template }) => {
    const text = getOwn(key, name)?.S
    return text !== undefined && template?.match(text) !== undefined
  })
}
