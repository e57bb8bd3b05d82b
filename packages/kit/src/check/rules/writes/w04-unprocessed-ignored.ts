import type { Rule } from '../rule.ts'

export const unprocessedIgnored: Rule = {
  code: 'W04',
  name: 'unprocessed-ignored',
  severity: 'warning',
  source: 'code',
  title: 'A raw batch ignores unprocessed items.',
  explanation: `A batch succeeds when one of its members does. The others, throttled or too much for one answer, come back as UnprocessedItems (of writes) or UnprocessedKeys (of reads); code that
ignores them loses them without an error.

  wrong   await client.send(new BatchWriteCommand({ RequestItems: { Blog: puts } }))
  right   await table.batchWrite().put(…)         // repeats them, and throws a BatchIncompleteError if some are left

Code counts as looking at them if the same function, or the part of the file outside functions, names UnprocessedItems or UnprocessedKeys.`,
  *check({ code }) {
    for (const { kind, file, line, handlesUnprocessed } of code?.calls ?? []) {
      if ((kind !== 'batch-write' && kind !== 'batch-get') || handlesUnprocessed !== false) continue
      const isWrite = kind === 'batch-write'
      yield {
        message: isWrite
          ? `${file}:${line} ignores UnprocessedItems; throttled writes are lost.`
          : `${file}:${line} ignores UnprocessedKeys; throttled reads are missing from the result.`,
        fix: `use table.${isWrite ? 'batchWrite' : 'batchGet'}() of the library, which repeats them; or send them again until there are none, with increasing pauses`,
        place: { file, line },
      }
    }
  },
}
