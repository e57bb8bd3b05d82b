import { unitsToRead } from 'singletable/tools'
import type { Design } from '../../design/design.ts'
import type { Rule } from '../rule.ts'

export const scanPattern: Rule = {
  code: 'P02',
  name: 'scan-pattern',
  severity: 'error',
  source: 'schema',
  title: 'A pattern scans the whole table without a reason, or although it has an expected rate.',
  explanation: `A scan reads and bills every item of the table, whatever it is after. That is right for an export at night, and wrong for what users wait for.

  wrong   openTickets: { op: 'scan', entity: 'Ticket', reason: 'few tickets', expect: { rps: 5 } }
  right   index: { gsi1pk: 'OPEN', gsi1sk: 'TICKET#\${number:pad(8)}' }, when: { gsi1: { status: 'open' } }
          openTickets: { op: 'query', entity: 'Ticket', index: 'gsi1', by: [] }

A scan with a "reason" and without a rate is fine. Without a reason the library refuses the pattern, which is an error; a rate is a warning.`,
  *check(design) {
    for (const { name, definition } of design.patterns) {
      if (definition.op !== 'scan') continue
      const { reason, expect } = definition
      const rate = Math.max(expect?.rps ?? 0, expect?.peakRps ?? 0)
      const place = { pattern: name, model: definition.entity }
      const scans = `${name} scans ${extentOf(design)}`
      if (typeof reason !== 'string' || reason === '') {
        yield {
          message: `${scans}, and gives no reason.`,
          fix: 'add a key that answers it, or give a reason why none can',
          place,
        }
      } else if (rate > 0) {
        yield {
          message: `${scans}, ${rate} times a second.`,
          fix: 'add a key that answers it, such as an index that holds only what is asked for; or leave expect.rps out if it is an offline job',
          place,
          severity: 'warning',
        }
      }
    }
  },
}

/** How much one scan reads, as far as it is declared or sampled. */
function extentOf({ definition, sample }: Design): string {
  const stats = Object.values(definition.models ?? {}).flatMap(({ stats }) => stats ?? [])
  const counts = stats.flatMap(({ count }) => count ?? [])
  const items = sample?.itemCount ?? (counts.length > 0 ? sum(counts) : undefined)
  if (items === undefined) return 'the whole table in each call'
  const sized = stats.filter(({ count, itemBytes }) => count && itemBytes)
  const weighed = sum(sized.map(({ count }) => count ?? 0))
  const bytes = sum(sized.map(({ count, itemBytes }) => (count ?? 0) * (itemBytes ?? 0)))
  // What has no declared size is taken to be as large as the rest.
  const units = weighed > 0 ? unitsToRead((bytes / weighed) * items, 'eventual') : undefined
  return `${items} items per call${units === undefined ? '' : ` (≈${units} RRU)`}`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
