import { countOf } from '../../../text/counts.ts'
import type { DeclaredPattern } from '../../design/declared-pattern.ts'
import type { Rule } from '../rule.ts'

const WRITES = ['create', 'put', 'update']
const READS = ['get', 'query', 'batchGet', 'transactGet', 'scan', 'check']

export const noWritePath: Rule = {
  code: 'P07',
  name: 'no-write-path',
  severity: 'warning',
  source: 'schema',
  title: 'Patterns read an entity and none writes it, or the reverse.',
  explanation: `Patterns are the whole of what the table is for. An entity that is read and never written is empty, or is written by code that nobody sees here; one that is written and
never read is paid for without use, or its question is missing from the list.

  wrong   patterns: { writePost: { op: 'create', entity: 'Post' }, tags: { op: 'query', entity: 'Tag', by: ['postId'] } }
  right   also tagPost: { op: 'create', entity: 'Tag' }

The rule looks at schemas that declare both reads and writes; where only reads are declared, writes are simply not written down. A copy is written with its model, and what "then" fetches is
read.`,
  *check({ patterns, models }) {
    if (!patterns.some((each) => isWrite(each)) || !patterns.some((each) => isRead(each))) return
    for (const { name, source, copy } of models) {
      if (copy !== undefined) continue
      // Whoever reads a copy reads what was written of its model.
      const names = models.filter((each) => each.source === source).map((each) => each.name)
      const about = patterns.filter(({ entities }) => entities.some((one) => names.includes(one)))
      const fetched = patterns.filter((pattern) => names.includes(targetOf(pattern) ?? ''))
      const writes = about.filter(isWrite).length
      const reads = new Set([...about.filter(isRead), ...fetched]).size
      if (reads > 0 && writes === 0) {
        yield {
          message: `${name} is read by ${countOf(reads, 'pattern')} and written by none.`,
          fix: `declare what writes it, as in create${name}: { op: 'create', entity: '${name}' }`,
          place: { model: name },
          edits: [
            {
              path: ['patterns', `create${name}`],
              code: `{ op: 'create', entity: '${name}' }`,
            },
          ],
        }
      }
      if (writes > 0 && reads === 0) {
        yield {
          message: `${name} is written by ${countOf(writes, 'pattern')} and read by none.`,
          fix: 'declare what reads it, or remove what nobody asks for',
          place: { model: name },
        }
      }
    }
  },
}

function isWrite({ definition }: DeclaredPattern): boolean {
  return WRITES.includes(definition.op)
}

function isRead({ definition }: DeclaredPattern): boolean {
  return READS.includes(definition.op)
}

function targetOf({ definition }: DeclaredPattern): string | undefined {
  return definition.op === 'query' ? definition.then?.entity : undefined
}
