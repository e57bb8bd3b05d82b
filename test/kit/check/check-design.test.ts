import type { LintDefinition } from 'singletable/tools'
import { describe, expect, test } from 'vitest'
import { checkDesign, type Report } from '../../../packages/kit/src/check/check-design.ts'
import { readDesign } from '../../../packages/kit/src/check/design/design.ts'
import { NO_CODE } from '../../../packages/kit/src/check/evidence/code-facts.ts'
import type { Evidence } from '../../../packages/kit/src/check/evidence/evidence.ts'
import type { PresetName } from '../../../packages/kit/src/check/rules/presets.ts'
import { designOf, keyed } from './fixtures/key-fixtures.ts'

const TODAY = '2026-11-16'
const text = { type: String, required: true } as const

const metric = keyed('METRICS#${resource}', '${at}', { at: { type: Date, required: true } })

interface Options {
  readonly lint?: { readonly [code: string]: LintDefinition }
  readonly today?: string
  readonly preset?: PresetName
  readonly only?: readonly string[]
  readonly evidence?: Evidence
}

/** Two models whose sort keys have no prefix, which K05 reports. */
function check({ lint = {}, today = TODAY, preset, only, evidence }: Options = {}): Report {
  const design = readDesign(
    {
      indexes: { primary: { hash: 'pk', sort: 'sk' } },
      models: { Metric: metric, Log: keyed('LOGS#${resource}', '${at}', metric.attributes) },
      lint,
    },
    evidence,
  )
  return checkDesign(design, { today, preset, only })
}

function codes({ findings }: Report): readonly string[] {
  return findings.map(({ code, place }) => [code, place.model].filter(Boolean).join(' '))
}

describe('reasons in lint', () => {
  test('without any, findings count', () => {
    const report = check({ only: ['K05'] })
    expect(codes(report)).toEqual(['K05 Log', 'K05 Metric'])
    expect(report.counts).toEqual({ error: 0, warning: 2, info: 0 })
  })

  test('a reason suppresses all findings of a rule, and is reported with them', () => {
    const report = check({ lint: { K05: { off: 'nothing else will ever be there' } } })
    expect(codes(report)).not.toContain('K05 Log')
    expect(report.suppressed.filter(({ code }) => code === 'K05')).toMatchObject([
      { place: { model: 'Log' }, suppressed: { reason: 'nothing else will ever be there' } },
      { place: { model: 'Metric' }, suppressed: { reason: 'nothing else will ever be there' } },
    ])
  })

  test.each([
    ['Metric', ['K05 Log']],
    ['Metric.sk', ['K05 Log']],
    [['Metric', 'Log'], []],
    ['primary', []],
  ])('at %j it is about those alone', (at, left) => {
    const report = check({ lint: { K05: { off: 'meant', at } }, only: ['K05'] })
    expect(codes(report)).toEqual(left)
  })

  test.each([
    ['2026-11-15', ['L01', 'K05 Log', 'K05 Metric']],
    ['2026-11-16', []],
    ['2026-11-17', []],
  ])('until %s', (until, expected) => {
    const found = codes(check({ lint: { K05: { off: 'until the launch', until } } }))
    expect(found.filter((code) => /^(K05|L)/.test(code)).sort()).toEqual([...expected].sort())
  })

  test('one that has expired is reported with its reason', () => {
    const { findings } = check({ lint: { K05: { off: 'until the launch', until: '2025-01-01' } } })
    expect(findings.find(({ code }) => code === 'L01')).toMatchObject({
      severity: 'warning',
      message: 'lint.K05 ("until the launch") was valid until 2025-01-01; K05 counts again.',
    })
  })

  test.each([
    [{ X99: { off: 'why' } }, 'lint.X99 names no rule'],
    [{ K5: { off: 'why' } }, 'lint.K5 names no rule (did you mean "K05"?).'],
    [{ K05: { off: ' ' } }, 'lint.K05 gives no reason.'],
    [
      { K05: { off: 'why', until: 'summer' } },
      'lint.K05 is valid until "summer", which is not a date.',
    ],
    [
      { K05: { off: 'why', until: '2026-02-30' } },
      'lint.K05 is valid until "2026-02-30", which is not a date.',
    ],
    // The types forbid these, but a schema may come from JavaScript.
    [{ K05: null as never }, 'lint.K05 gives no reason.'],
    [{ K05: { off: 'why', at: 7 as never } }, 'lint.K05 has an "at" that names nothing.'],
  ])('%j suppresses nothing, and that is reported', (lint, message) => {
    const { findings, suppressed } = check({ lint })
    expect(findings.find(({ code }) => code === 'L02')?.message).toContain(message)
    expect(suppressed).toEqual([])
    expect(findings.filter(({ code }) => code === 'K05')).toHaveLength(2)
  })

  test('one that suppresses nothing is reported, unless its rule could not run', () => {
    const unused = (options: Options): readonly string[] =>
      check(options)
        .findings.filter(({ code }) => code === 'L03')
        .map(({ message }) => message)
    expect(unused({ lint: { K01: { off: 'old', at: 'Post' } } })).toEqual([
      'lint.K01 ("old") suppresses nothing at Post: K01 finds nothing there.',
    ])
    expect(unused({ lint: { W03: { off: 'old' } } })).toEqual([])
    expect(unused({ lint: { W03: { off: 'old' } }, evidence: { code: NO_CODE } })).toHaveLength(1)
    expect(unused({ lint: { K01: { off: 'old' } }, preset: 'legacy' })).toEqual([])
  })
})

describe('comments in code', () => {
  const call = { text: 'x.scan()', kind: 'scan', through: 'sdk' } as const
  const evidence = (reason: string, code = 'P03', line = 3): Evidence => ({
    code: {
      ...NO_CODE,
      files: 1,
      calls: [{ ...call, file: 'src/a.ts', line: 3 }],
      suppressions: [{ file: 'src/a.ts', line, code, reason }],
    },
  })

  test('with a reason they keep the finding of their line quiet', () => {
    const report = check({ evidence: evidence('nightly export') })
    expect(codes(report)).not.toContain('P03')
    expect(report.suppressed).toMatchObject([
      { code: 'P03', suppressed: { reason: 'nightly export' } },
    ])
  })

  test.each([
    [evidence(''), ['L02', 'P03']],
    [evidence('why', 'Z01'), ['L02', 'P03']],
    [evidence('why', 'P03', 9), ['L03', 'P03']],
    [evidence('why', 'W04', 9), ['L03', 'P03']],
  ])('without one, without a rule, or for another line they do not', (given, expected) => {
    const found = codes(check({ evidence: given })).filter((code) => /^(P03|L)/.test(code))
    expect([...found].sort()).toEqual(expected)
  })
})

describe('presets', () => {
  const nested = designOf(
    {
      Comment: keyed('POST#${postId}', 'COMMENT#${commentId}'),
      Reaction: keyed('POST#${postId}', 'COMMENT#${commentId}#R#${reactionId}'),
    },
    {
      patterns: {
        save: { op: 'put', entity: 'Comment' },
        reactions: { op: 'query', entity: 'Reaction', by: ['postId', 'commentId'] },
      },
    },
  )
  const severities = (preset: PresetName): object =>
    Object.fromEntries(
      checkDesign(nested, { today: TODAY, preset }).findings.map(({ code, severity }) => [
        code,
        severity,
      ]),
    )

  test('strict takes three rules one level more seriously', () => {
    const recommended = severities('recommended')
    expect(recommended).toMatchObject({ K02: 'info', W05: 'info', P07: 'warning', K07: 'info' })
    expect(severities('strict')).toMatchObject({
      K02: 'warning',
      W05: 'warning',
      P07: 'error',
      K07: 'info',
    })
  })

  test('legacy has the rules on data and change alone', () => {
    expect(severities('legacy')).toEqual({})
  })
})

describe('what the library refuses', () => {
  test('no rule has reported it: it has the code of the library', () => {
    const design = readDesign({
      indexes: { primary: { hash: 'pk', sort: 'sk' } },
      models: {
        User: {
          key: { pk: 'USER#${id}', sk: 'USER' },
          attributes: { id: { type: 'text' as never } },
        },
        Post: keyed('POST#${id}', 'POST'),
      },
      patterns: { getPost: { op: 'get', entity: 'Post', by: ['id'] } },
    })
    const { findings } = checkDesign(design, { today: TODAY })
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([
      {
        code: 'SCHEMA_INVALID',
        name: 'schema-invalid',
        severity: 'error',
        message: expect.stringMatching(/its type is "text".*model "User", attribute "id"/),
        fix: expect.stringContaining('use String'),
        place: { model: 'User', attribute: 'id' },
      },
    ])
  })

  test('a rule has reported it: it is not reported twice, nor are its consequences', () => {
    const design = designOf(
      {
        User: { key: { pk: 'USER#${usernam}', sk: 'USER' }, attributes: { username: text } },
        Setting: keyed('SET#${userId}', '${name}'),
        Avatar: keyed('SET#${userId}', 'AVATAR'),
      },
      {
        patterns: {
          getUser: { op: 'get', entity: 'User', by: ['usernam'] },
          getAvatar: { op: 'get', entity: 'Avatar', by: ['userId'] },
        },
      },
    )
    const errors = checkDesign(design, { today: TODAY }).findings.filter(
      ({ severity }) => severity === 'error',
    )
    expect(errors.map(({ code }) => code)).toEqual(['K01', 'K08'])
  })

  test('a reason in lint does not make it usable: then it comes under the code of the library', () => {
    const design = readDesign({
      indexes: { primary: { hash: 'pk', sort: 'sk' } },
      models: { Setting: keyed('U#${id}', '${name}'), Avatar: keyed('U#${id}', 'AVATAR') },
      lint: { K01: { off: 'they never meet' } },
    })
    const { findings } = checkDesign(design, { today: TODAY })
    expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([
      { code: 'KEYS_MEET' },
    ])
  })

  test('two pairs of models that overlap are both reported, and the rest is checked', () => {
    const design = designOf({
      A: keyed('U#${id}', '${name}'),
      B: keyed('U#${id}', 'B'),
      C: keyed('V#${id}', '${name}'),
      D: keyed('V#${id}', 'D'),
      E: keyed('W#${id}', '${at}'),
    })
    const report = checkDesign(design, { today: TODAY, only: ['K01', 'K05', 'KEYS_MEET'] })
    expect(codes(report)).toEqual(['K01 B', 'K01 D', 'K05 A', 'K05 C', 'K05 E'])
  })
})

test('findings come worst first, then by place and code, and always alike', () => {
  const [one, other] = [check(), check()]
  expect(one.findings).toEqual(other.findings)
  const ranks = one.findings.map(({ severity }) => ['error', 'warning', 'info'].indexOf(severity))
  expect(ranks).toEqual([...ranks].sort((a, b) => a - b))
})
