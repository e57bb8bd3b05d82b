import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { BLOG, EVERYTHING, PROVISIONED, runInfra } from './run-infra.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'singletable-infra-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const blog = ['--schema', BLOG, '--table', 'Blog']
const golden = path.join(import.meta.dirname, '__golden__')

test('--check passes for what --out has written, and shows the lines that differ', async () => {
  const wrote = await runInfra(['cfn', ...blog, '--out', 'table.yaml'], { directory })
  expect(wrote).toMatchObject({ code: 0, printed: '' })
  const check = ['cfn', ...blog, '--check', 'table.yaml']
  expect((await runInfra(check, { directory })).code).toBe(0)
  const file = path.join(directory, 'table.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replace('PAY_PER_REQUEST', 'PROVISIONED'))
  const changed = await runInfra(check, { directory })
  expect(changed.code).toBe(1)
  expect(changed.complaints).toContain(
    '@@ line 9 @@\n  -       BillingMode: PROVISIONED\n  +       BillingMode: PAY_PER_REQUEST\n',
  )
})

test('a file that is not there can not be checked', async () => {
  const run = await runInfra(['cfn', ...blog, '--check', 'missing.yaml'], { directory })
  expect(run.code).toBe(3)
})

test('a template leads to the schema step by step, and the last step is the whole text', async () => {
  const later = path.join(import.meta.dirname, 'provisioned-later-schema.ts')
  const to = ['--schema', later, '--table', 'Counters']
  const from = ['--from', path.join(golden, 'provisioned-cfn.yaml')]
  const asked = await runInfra(['cfn', ...to, ...from])
  expect(asked.code).toBe(2)
  expect(asked.complaints).toContain('Step 1/4 changes stream, billing, protection.')
  expect(asked.complaints).toContain('Step 2/4 creates the index "byName".')
  expect(asked.complaints).toContain('Step 3/4 deletes the index "byOwner".')
  const first = await runInfra(['cfn', ...to, ...from, '--step', '2/4'])
  expect(first.printed).toContain('byName')
  expect(first.printed).toContain('ProjectionType: ALL')
  const last = await runInfra(['cfn', ...to, ...from, '--step', '4/4'])
  expect(last.printed).toBe((await runInfra(['cfn', ...to])).printed)
  const wrong = await runInfra(['cfn', ...to, ...from, '--step', '1/3'])
  expect(wrong).toMatchObject({ code: 2 })
})

test('another primary key is refused: it needs another table', async () => {
  const from = ['--from', path.join(golden, 'provisioned-cfn.json')]
  const run = await runInfra(['cfn', ...blog, ...from, '--step', '1/1'])
  expect(run.code).toBe(1)
  expect(run.complaints).toContain(
    'No update can do this: the primary key is (id:S), not (pk:S | sk:S)',
  )
})

test.each([
  [['cfn', '--schema', BLOG], 'The name of the table is missing.'],
  [['azure', ...blog], 'There is no "azure".'],
  [[], 'The target is missing.'],
  [['cfn', ...blog, '--step', '1/2'], '--step needs to know the current table.'],
  [['terraform', ...blog, '--from', 'live'], 'terraform needs no steps'],
  [['cfn', ...blog, '--import', 'x.json'], 'cfn has nothing to import.'],
])('infra %j is refused with exit code 2', async (parameters, text) => {
  const run = await runInfra(parameters)
  expect(run.complaints).toContain(text)
  expect(run.code).toBe(2)
})

test.each([
  [
    ['workbench', '--schema', EVERYTHING, '--table', 'Every'],
    '"byTournament" has several key attributes',
  ],
  [
    ['terraform', '--tf-provider', '5', '--schema', EVERYTHING, '--table', 'Every'],
    '"byTournament" has several key attributes',
  ],
  [['iam', '--schema', EVERYTHING, '--table', 'Every', '--scope', 'tenantId'], '"byTournament"'],
  [['iam', ...blog, '--scope', 'tenantId'], "can't be limited to tenantId"],
])('infra %j is refused with exit code 1', async (parameters, text) => {
  const run = await runInfra(parameters)
  expect(run.complaints).toContain(text)
  expect(run.code).toBe(1)
})

test.each([
  [['cfn', '--schema', BLOG, '--table', 'a*'], '"a*" can\'t be the name of a table.'],
  [['iam', ...blog, '--account', '*:*'], 'is not a valid AWS account'],
  [['iam', ...blog, '--pattern', 'none'], 'The schema has no pattern "none"'],
])('infra %j was typed wrong, with exit code 2', async (parameters, text) => {
  const run = await runInfra(parameters)
  expect(run.complaints).toContain(text)
  expect(run.code).toBe(2)
})

test('extra members are added in the words of each target', async () => {
  writeFileSync(
    path.join(directory, 'cfn.json'),
    '{"KinesisStreamSpecification":{"StreamArn":"arn:x"}}',
  )
  writeFileSync(path.join(directory, 'tf.json'), '{"server_side_encryption":{"enabled":true}}')
  const cfn = await runInfra(['cfn', ...blog, '--extra', 'cfn.json'], { directory })
  expect(cfn.printed).toContain('      KinesisStreamSpecification:\n        StreamArn: arn:x')
  const terraform = await runInfra(['terraform', ...blog, '--extra', 'tf.json'], { directory })
  expect(terraform.printed).toContain('  server_side_encryption {\n    enabled = true\n  }')
})

test("a model of Workbench becomes a draft with the schema's keys and attributes", async () => {
  const file = path.join(golden, 'blog-workbench.json')
  const draft = await runInfra(['workbench', '--import', file, '--out', 'draft.ts'], { directory })
  expect(draft.code).toBe(0)
  const back = await runInfra([
    'sdk',
    '--schema',
    path.join(directory, 'draft.ts'),
    '--table',
    'Blog',
  ])
  expect(back.printed.match(/AttributeName: '\w+', AttributeType: 'S'/g)).toHaveLength(4)
  const text = readFileSync(path.join(directory, 'draft.ts'), 'utf8')
  expect(text).toContain("key: { pk: 'USER#${username}', sk: 'POST#${postId}' }")
})

test('cloudformation is another word for cfn', async () => {
  const { code, printed } = await runInfra(['cloudformation', ...blog])
  expect(code).toBe(0)
  expect(printed).toBe((await runInfra(['cfn', ...blog])).printed)
})

test('--help names every target and option', async () => {
  const { code, printed } = await runInfra(['--help'])
  expect(code).toBe(0)
  for (const word of [
    'terraform',
    'workbench',
    '--check',
    '--step',
    '--scope',
    '--ignore',
    '--extra',
  ]) {
    expect(printed).toContain(word)
  }
})

test('a table of Terraform is blocks that close and one argument a line', async () => {
  for (const file of [BLOG, EVERYTHING, PROVISIONED]) {
    const { printed } = await runInfra(['terraform', '--schema', file, '--table', 'Blog'])
    let depth = 0
    for (const line of printed.split('\n')) {
      const text = line.trim()
      if (text === '}') depth -= 1
      expect(line, line).toBe(text === '' ? '' : `${'  '.repeat(depth)}${text}`)
      if (text.endsWith('{')) {
        expect(text).toMatch(/^(\w+( "\w+")* \{|\w+ += \{)$/)
        depth += 1
      } else if (text !== '' && text !== '}') {
        expect(text).toMatch(
          /^("[^"]+"|\w+) += ("([^"\\]|\\.)*"|\d+|true|false|\[("[^"]*"(, )?)+\])$/,
        )
      }
    }
    expect(depth).toBe(0)
  }
})

test('Workbench gets sample items in every facet, under the keys of its model', async () => {
  const { printed } = await runInfra([
    'workbench',
    '--schema',
    'test/kit/rides/schema.ts',
    '--table',
    'Rides',
  ])
  const [{ TableFacets }] = JSON.parse(printed).DataModel
  for (const { FacetName, TableData, KeyAttributeAlias } of TableFacets) {
    expect(TableData.length, FacetName).toBeGreaterThan(0)
    const [start] = KeyAttributeAlias.PartitionKeyAlias.split('<')
    for (const item of TableData) expect(item.pk.S.startsWith(start), FacetName).toBe(true)
  }
})
