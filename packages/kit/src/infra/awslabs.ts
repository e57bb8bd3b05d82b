import { createTableRequest, type Pattern, planPattern, type Schema } from 'singletable/tools'
import type { ExampleCall, Examples } from '../examples/example-calls.ts'

/**
 * The file that the DynamoDB server of awslabs for AI assistants validates models by,
 * `dynamodb_data_model.json`: the table, items, and each access pattern as a command of the AWS
 * CLI.
 */
export function awslabsModel(schema: Schema, table: string, examples: Examples): object {
  const request = createTableRequest(schema, table)
  return {
    // Without settings that a local DynamoDB doesn't know.
    tables: [
      {
        TableName: table,
        AttributeDefinitions: request.AttributeDefinitions,
        KeySchema: request.KeySchema,
        ...(request.GlobalSecondaryIndexes && {
          GlobalSecondaryIndexes: request.GlobalSecondaryIndexes,
        }),
        ...(request.LocalSecondaryIndexes && {
          LocalSecondaryIndexes: request.LocalSecondaryIndexes,
        }),
        BillingMode: request.BillingMode,
        ...(request.ProvisionedThroughput && {
          ProvisionedThroughput: request.ProvisionedThroughput,
        }),
      },
    ],
    items: { [table]: examples.items.map(({ item }) => ({ PutRequest: { Item: item } })) },
    access_patterns: [...schema.patterns.values()].map((pattern) =>
      patternEntry(pattern, table, examples.calls.get(pattern.name)),
    ),
  }
}

function patternEntry(pattern: Pattern, table: string, example: ExampleCall | undefined): object {
  const { name, definition } = pattern
  const { index, op, reason, service } = planPattern(pattern)
  const why =
    service === undefined
      ? (reason ?? 'No example of it could be made.')
      : `${service} answers it: ${reason}`
  return {
    pattern: name,
    description: definition.title ?? definition.note ?? name,
    table: op === 'none' ? null : table,
    index: index === 'primary' ? null : index,
    dynamodb_operation: example?.operation ?? op,
    ...(example ? { implementation: printCommand(example) } : { reason: why }),
  }
}

/** The AWS CLI reads pages by itself, and calls their size and number so. */
const RENAMED = new Map([['Limit', 'max-items']])

/** A request as a command of the AWS CLI. */
export function printCommand({ operation, request }: ExampleCall): string {
  const options = Object.entries(request).flatMap(([name, value]) => {
    if (value === undefined) return []
    const option = RENAMED.get(name) ?? kebabCase(name)
    if (typeof value === 'boolean') return [`--${value ? '' : 'no-'}${option}`]
    return [`--${option} ${quoted(typeof value === 'object' ? JSON.stringify(value) : `${value}`)}`]
  })
  return ['aws dynamodb', kebabCase(operation), ...options].join(' ')
}

/** `TransactWriteItems` as `transact-write-items`. */
function kebabCase(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()
}

/** For a shell. */
function quoted(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
