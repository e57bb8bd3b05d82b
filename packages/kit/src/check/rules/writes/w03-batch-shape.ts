import type { CodeCall } from '../../evidence/code-facts.ts'
import type { Rule } from '../rule.ts'

/** What a request takes. */
const MAX: { readonly [TKind in CodeCall['kind']]?: number } = {
  'batch-write': 25,
  'batch-get': 100,
}

export const batchShape: Rule = {
  code: 'W03',
  name: 'batch-shape',
  severity: 'error',
  source: 'code',
  title: 'A raw batch has more members than DynamoDB accepts.',
  explanation: `BatchWriteItem takes 25 puts and deletes, BatchGetItem 100 keys; a larger one is refused as a whole. It is easy to count the wrong thing:

  wrong   for (let i = 0; i < orders.length; i += 25) {
            const puts = orders.slice(i, i + 25).flatMap((order) => [summaryOf(order), detailsOf(order)])       // 50 puts
            await client.send(new BatchWriteCommand({ RequestItems: { [TABLE]: puts } }))
          }
  right   await table.batchWrite().put(…)         // any number: it makes batches of 25, and repeats what was not processed

The number comes from literal lists, and from slices and chunks of a constant size with what map and flatMap make of each element.`,
  *check({ code }) {
    for (const { kind, file, line, members } of code?.calls ?? []) {
      const max = MAX[kind]
      if (max === undefined || members === undefined || members <= max) continue
      const what = kind === 'batch-write' ? 'BatchWrite' : 'BatchGet'
      const batch = kind === 'batch-write' ? 'batchWrite' : 'batchGet'
      yield {
        message: `${file}:${line}: ${what} carries ${members} ${kind === 'batch-write' ? 'items' : 'keys'} (max ${max}).`,
        fix: `use table.${batch}() of the library, which takes any number; or make chunks of ${max} of what is sent`,
        place: { file, line },
      }
    }
  },
}
