import type { TableContext } from '../execute/table-context.ts'
import { keyAttributes } from '../schema/index-keys.ts'
import { CONTROL_TYPE } from '../schema/reserved-items.ts'
import type { Item } from '../values/attribute-value.ts'
import { pause } from '../values/pause.ts'
import { judgeFailure } from '../wire/judge-failure.ts'
import type { OperationName, Operations } from '../wire/operations.ts'
import { ServiceError } from '../wire/service-error.ts'

/** The two strings of a key. */
export interface ControlKey {
  readonly hash: string
  readonly sort: string
}

/** A condition or an update, without what every request has. */
export interface ControlExpressions {
  readonly update?: string
  readonly condition?: string
  readonly names: Readonly<Record<string, string>>
  readonly values?: Item
}

/** Requests on the items that a move keeps in the new table. */
export class ControlItems {
  readonly #context: TableContext

  /** The table must have a partition key and a sort key that are strings. */
  constructor(context: TableContext) {
    this.#context = context
  }

  keyOf(key: ControlKey): Item {
    const [hash = '', sort = ''] = keyAttributes(this.#context.schema.primary)
    return { [hash]: { S: key.hash }, [sort]: { S: key.sort } }
  }

  async get(key: ControlKey): Promise<Item | undefined> {
    const { Item } = await this.#send('GetItem', {
      TableName: this.#context.name,
      Key: this.keyOf(key),
      ConsistentRead: true,
    })
    return Item
  }

  /** False if the condition does not hold. */
  async put(key: ControlKey, values: Item, given?: ControlExpressions): Promise<boolean> {
    const { typeField } = this.#context.schema.params
    const Item = { ...this.keyOf(key), [typeField]: { S: CONTROL_TYPE }, ...values }
    return this.#unlessRefused(
      this.#send('PutItem', {
        TableName: this.#context.name,
        Item,
        ...(given && expressionsOf(given)),
      }),
    )
  }

  /** Undefined if the condition does not hold. An update that adds numbers is never repeated. */
  async update(
    key: ControlKey,
    { update, names, values, condition }: ControlExpressions & { readonly update: string },
    { isRepeatable }: { readonly isRepeatable: boolean },
  ): Promise<Item | undefined> {
    const { typeField } = this.#context.schema.params
    const answer = this.#send(
      'UpdateItem',
      {
        TableName: this.#context.name,
        Key: this.keyOf(key),
        ReturnValues: 'ALL_NEW',
        ...expressionsOf({
          update: update.startsWith('SET ')
            ? update.replace('SET ', 'SET #type = :type, ')
            : `SET #type = :type ${update}`,
          names: { ...names, '#type': typeField },
          values: { ...values, ':type': { S: CONTROL_TYPE } },
          ...(condition !== undefined && { condition }),
        }),
      },
      isRepeatable,
    )
    return (await this.#unlessRefused(answer)) ? (await answer).Attributes : undefined
  }

  /** False if the condition does not hold. */
  async delete(key: ControlKey, given?: ControlExpressions): Promise<boolean> {
    return this.#unlessRefused(
      this.#send('DeleteItem', {
        TableName: this.#context.name,
        Key: this.keyOf(key),
        ...(given && expressionsOf(given)),
      }),
    )
  }

  /** All items of a partition, in the order of their sort keys. */
  async list(hash: string): Promise<readonly { readonly sort: string; readonly item: Item }[]> {
    const [hashName = '', sortName = ''] = keyAttributes(this.#context.schema.primary)
    const found: { readonly sort: string; readonly item: Item }[] = []
    let next: Item | undefined
    do {
      const page = await this.#send('Query', {
        TableName: this.#context.name,
        KeyConditionExpression: '#hash = :hash',
        ExpressionAttributeNames: { '#hash': hashName },
        ExpressionAttributeValues: { ':hash': { S: hash } },
        ConsistentRead: true,
        ...(next && { ExclusiveStartKey: next }),
      })
      for (const item of page.Items ?? []) found.push({ sort: item[sortName]?.S ?? '', item })
      next = page.LastEvaluatedKey
    } while (next !== undefined)
    return found
  }

  async #unlessRefused(answer: Promise<unknown>): Promise<boolean> {
    try {
      await answer
      return true
    } catch (error) {
      if (!(error instanceof ServiceError) || error.name !== 'ConditionalCheckFailedException')
        throw error
      return false
    }
  }

  /** Sends a request, again if its failure passes and a second time does no harm. */
  async #send<TOperation extends OperationName>(
    operation: TOperation,
    request: Operations[TOperation]['request'],
    isRepeatable = true,
  ): Promise<Operations[TOperation]['response']> {
    const { transport, retry, environment } = this.#context
    const once = transport.singleAttempt ?? transport
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await once.send(operation, request)
        retry.giveBack(attempt)
        return response
      } catch (error) {
        const verdict = judgeFailure(error)
        if (verdict !== 'refused' && !(verdict === 'ambiguous' && isRepeatable)) throw error
        if (!retry.takeRetry(attempt)) throw error
        await pause(environment, retry.delayMs(attempt, environment), undefined)
      }
    }
  }
}

function expressionsOf({ update, condition, names, values }: ControlExpressions): object {
  return {
    ...(update !== undefined && { UpdateExpression: update }),
    ...(condition !== undefined && { ConditionExpression: condition }),
    ExpressionAttributeNames: names,
    ...(values && { ExpressionAttributeValues: values }),
  }
}
