import type { Rule } from '../rule.ts'

export const droppedCall: Rule = {
  code: 'W07',
  name: 'dropped-call',
  severity: 'error',
  source: 'code',
  title: 'A call is built but never sent.',
  explanation: `A builder sends its request when it is awaited. A statement that only makes one does nothing, and nothing reports it:

  wrong   table.entities.User.put({ username: 'alice' })
  right   await table.entities.User.put({ username: 'alice' })

The rule sees statements whose value is discarded. A call that runs in parallel with others still has to be awaited: const put = User.put(…).execute(), and await put later.
With types, typescript-eslint's no-floating-promises finds the same.`,
  *check({ code }) {
    for (const { file, line, call } of code?.dropped ?? []) {
      yield {
        message: `${file}:${line}: ${call}() is never sent.`,
        fix: 'await it',
        place: { file, line },
      }
    }
  },
}
