import { describe, expect, test } from 'vitest'
import type { Report } from '../../../packages/kit/src/check/check-design.ts'
import { reportGithub } from '../../../packages/kit/src/check/report/report-github.ts'
import { reportJson } from '../../../packages/kit/src/check/report/report-json.ts'
import { reportSarif } from '../../../packages/kit/src/check/report/report-sarif.ts'
import type { Finding } from '../../../packages/kit/src/check/rules/rule.ts'

const error: Finding = {
  code: 'K01',
  name: 'key-collision',
  severity: 'error',
  message: 'A and B: 100% the same,\nalways.',
  fix: 'rename B',
  place: { model: 'B', index: 'primary' },
}
const inCode: Finding = {
  code: 'P03',
  name: 'scan-or-bypass-in-code',
  severity: 'warning',
  message: 'it scans',
  fix: 'query',
  place: { file: 'src/my file,1.ts', line: 12 },
}
const refused: Finding = { ...error, code: 'SCHEMA_INVALID', name: 'schema-invalid' }
const quiet: Finding = {
  code: 'H01',
  name: 'static-partition',
  severity: 'info',
  message: 'one partition',
  fix: 'shard',
  place: { model: 'Post' },
  suppressed: { reason: 'few posts', until: '2027-06-01' },
}
const report: Report = {
  findings: [error, refused, inCode],
  suppressed: [quiet],
  counts: { error: 2, warning: 1, info: 0 },
  rulesRun: 53,
}

test('github: a command for each finding, with what would end it escaped', () => {
  expect(reportGithub(report, 'src/schema.ts').split('\n')).toEqual([
    '::error file=src/schema.ts,title=K01 key-collision::A and B: 100%25 the same,%0Aalways.%0AFix: rename B',
    '::error file=src/schema.ts,title=SCHEMA_INVALID schema-invalid::A and B: 100%25 the same,%0Aalways.%0AFix: rename B',
    '::warning file=src/my file%2C1.ts,line=12,title=P03 scan-or-bypass-in-code::it scans%0AFix: query',
  ])
})

test('json: findings, suppressed findings, and how many there are', () => {
  expect(JSON.parse(reportJson(report))).toEqual({
    counts: { error: 2, warning: 1, info: 0, suppressed: 1 },
    rulesRun: 53,
    findings: [error, refused, inCode],
    suppressed: [quiet],
  })
})

describe('sarif', () => {
  const log = JSON.parse(reportSarif(report, { version: '1.2.3', schemaFile: 'src/schema.ts' }))
  const [run] = log.runs

  test('is version 2.1.0 with one run of this tool', () => {
    expect(log.version).toBe('2.1.0')
    expect(log.$schema).toMatch(/^https:.*sarif-schema-2\.1\.0\.json$/)
    expect(log.runs).toHaveLength(1)
    expect(run.tool.driver).toMatchObject({ name: 'singletable', version: '1.2.3' })
    expect(run.columnKind).toBe('utf16CodeUnits')
  })

  test('each rule is described once, with what the standard asks for', () => {
    const { rules } = run.tool.driver
    expect(rules.map(({ id }: { id: string }) => id)).toEqual([
      'H01',
      'K01',
      'P03',
      'SCHEMA_INVALID',
    ])
    for (const rule of rules) {
      expect(rule).toEqual({
        id: expect.stringMatching(/./),
        name: expect.stringMatching(/./),
        shortDescription: { text: expect.stringMatching(/./) },
        fullDescription: { text: expect.stringMatching(/./) },
        help: { text: expect.stringMatching(/./) },
        defaultConfiguration: { level: expect.stringMatching(/^(none|note|warning|error)$/) },
      })
    }
  })

  test('each result points to its rule and to a place', () => {
    for (const result of run.results) {
      expect(run.tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId)
      expect(result.level).toMatch(/^(none|note|warning|error)$/)
      expect(result.message.text).toMatch(/./)
      const [{ physicalLocation, logicalLocations }] = result.locations
      expect(physicalLocation.artifactLocation.uri).not.toMatch(/[ \\]|^\//)
      expect(physicalLocation.region.startLine).toBeGreaterThan(0)
      expect(logicalLocations[0].fullyQualifiedName).toMatch(/./)
    }
  })

  test('levels are words of the standard, and suppressed findings have their reason', () => {
    const levels = run.results.map(({ ruleId, level }: { ruleId: string; level: string }) => [
      ruleId,
      level,
    ])
    expect(levels).toEqual([
      ['K01', 'error'],
      ['SCHEMA_INVALID', 'error'],
      ['P03', 'warning'],
      ['H01', 'note'],
    ])
    expect(run.results.map(({ suppressions }: { suppressions?: object }) => suppressions)).toEqual([
      undefined,
      undefined,
      undefined,
      [{ kind: 'inSource', justification: 'few posts' }],
    ])
  })

  test('a finding in code is at its line, with its path as a URI', () => {
    expect(run.results[2].locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'src/my%20file,1.ts', uriBaseId: '%SRCROOT%' },
      region: { startLine: 12 },
    })
  })
})
