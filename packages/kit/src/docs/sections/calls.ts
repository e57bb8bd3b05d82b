import type { Pattern } from 'singletable/tools'
import type { ExampleCall } from '../../examples/example-calls.ts'
import { showValue } from '../../text/show-value.ts'
import { type Block, code, elementId, link, listed, paragraph, type Section } from '../document.ts'
import type { DocumentSources } from '../document-sources.ts'
import { indexName } from '../index-name.ts'
import { titleOf } from '../pattern-cells.ts'

const LINE_CHARACTERS_MAX = 72

/** How each pattern is called in TypeScript, and the request that DynamoDB gets. */
export function calls({ schema, calls, design }: DocumentSources): Section {
  const all = [...schema.patterns.values()].filter(({ definition }) => definition.op !== 'external')
  const without = all.filter(({ name }) => !calls.has(name))
  const blocks = all.flatMap((pattern): Block[] => {
    const call = calls.get(pattern.name)
    if (call === undefined) return []
    const { name, definition, use } = pattern
    const { requests = 1 } = design.plans.get(name) ?? {}
    return [
      {
        kind: 'call',
        id: callId(name),
        title: titleOf(name, definition),
        line: [
          link(elementId('AP', name), name),
          ...(use && call.operation === 'Query' ? [` · ${indexName(use.index.name)}`] : []),
          ...(requests > 1
            ? [` · the ${isRead(pattern) ? 'first' : 'last'} of ${requests} requests`]
            : []),
        ],
        code: printCall(pattern, call),
        operation: call.operation,
        request: JSON.stringify(call.request, undefined, 2),
      },
    ]
  })
  return {
    id: 'calls',
    title: 'Calls and requests',
    blocks: [
      paragraph(
        blocks.length === 0
          ? 'No pattern of the schema can be called with sample data.'
          : 'Each pattern as a call in TypeScript, with sample data, and the request that it sends.',
      ),
      ...blocks,
      ...(without.length > 0 && blocks.length > 0
        ? [
            paragraph(
              'The sample data has no call for ',
              ...listed(without.map(({ name }) => code(name))),
              '.',
            ),
          ]
        : []),
    ],
  }
}

export function callId(pattern: string): string {
  return elementId('call', pattern)
}

function isRead({ definition: { op } }: Pattern): boolean {
  return /query|scan|[gG]et/.test(op)
}

/** What a call gives by its operation. */
function resultOf({ definition: { op }, models, target }: Pattern): string {
  if (op === 'query' && models.length > 1 && target === undefined) return 'groups'
  return /query|scan|batchGet|transact/.test(op) ? 'items' : 'item'
}

function printCall(pattern: Pattern, { input }: ExampleCall): string {
  const { name } = pattern
  const member = /^[\p{L}_$][\p{L}\d_$]*$/u.test(name) ? `.${name}` : `[${showValue(name)}]`
  const start = `const { ${resultOf(pattern)} } = await table.patterns${member}(`
  return `${start}${showValue(input, { width: LINE_CHARACTERS_MAX, start: start.length })})`
}
