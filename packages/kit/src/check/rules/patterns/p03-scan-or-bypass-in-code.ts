import type { Design } from '../../design/design.ts'
import type { CodeCall } from '../../evidence/code-facts.ts'
import type { Rule } from '../rule.ts'

export const scanOrBypassInCode: Rule = {
  code: 'P03',
  name: 'scan-or-bypass-in-code',
  severity: 'warning',
  source: 'code',
  title: 'Code scans the table, or queries it without the schema.',
  explanation: `The declared patterns are what the document shows, the cost is computed from and \`check --run\` exercises. Code that scans, or sends its own queries through the AWS
SDK, is in none of these: nobody sees what it reads, and a change of a key breaks it silently.

  wrong   await client.send(new ScanCommand({ TableName: 'Blog', FilterExpression: 'username = :u', … }))
  right   await table.patterns.postsByUser({ username: 'alice' })

The rule reads the project's TypeScript and JavaScript files, without tests. The SDK's queries may be in a folder named db, as the one place that knows them; scans may not. A scan of an
entity with a declared scan pattern is known, and is not reported.

If it is intended, give the reason on the line or the line before:
  // singletable-check P03: nightly export`,
  *check(design) {
    for (const call of design.code?.calls ?? []) {
      if (!isBypass(call, design)) continue
      const { file, line, kind, model } = call
      yield {
        message: `${file}:${line} reads the table outside the declared patterns: ${call.text}`,
        fix:
          kind === 'scan'
            ? "query by a key and declare it under patterns; if it has to read everything, declare op: 'scan' with its reason"
            : 'declare it under patterns and call table.patterns.…, which takes the same keys from the schema',
        place: { file, line, model },
      }
    }
  },
}

function isBypass({ kind, through, model, file }: CodeCall, { patterns }: Design): boolean {
  if (kind === 'query') return through === 'sdk' && !file.split('/').slice(0, -1).includes('db')
  if (kind !== 'scan') return false
  const declared = patterns.filter((each) => each.definition.op === 'scan')
  return !(
    through === 'library' &&
    declared.some(
      ({ entities }) => entities.length === 0 || (model !== undefined && entities.includes(model)),
    )
  )
}
