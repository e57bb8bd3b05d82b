import { describe, expect, test } from 'vitest'
import { BLOG, EVERYTHING, PROVISIONED, runInfra } from './run-infra.ts'

const ENDS: ReadonlyMap<string, string> = new Map([
  ['sdk', 'ts'],
  ['cfn', 'yaml'],
  ['sam', 'yaml'],
  ['serverless', 'yaml'],
  ['cdk', 'ts'],
  ['terraform', 'tf'],
  // Their packages are not there to be compiled with; the other modules are compiled with all
  // tests.
  ['sst', 'ts.txt'],
  ['pulumi', 'ts.txt'],
  ['workbench', 'json'],
])

const PLACE = ['--region', 'eu-west-1', '--account', '123456789012']

const schemas = [
  { name: 'blog', file: BLOG, table: 'Blog', omit: [] },
  { name: 'provisioned', file: PROVISIONED, table: 'Counters', omit: [] },
  {
    name: 'everything',
    file: EVERYTHING,
    table: 'every-thing',
    omit: ['--omit', 'byTournament', '--omit', 'lsi1'],
  },
]

describe.each(schemas)('the table of $name', ({ name, file, table, omit }) => {
  const write = async (...parameters: readonly string[]): Promise<string> => {
    const given = [...parameters, '--schema', file, '--table', table]
    const { code, printed, complaints } = await runInfra(given)
    expect(complaints).toBe('')
    expect(code).toBe(0)
    return `${printed}\n`
  }
  const golden = (text: string, label: string, end: string): Promise<void> =>
    expect(text).toMatchFileSnapshot(`__golden__/${name}-${label}.${end}`)

  test.each([...ENDS])('written for %s is as it was', async (target, end) => {
    // The Serverless Framework would take the tag of everything for a variable, and SST has no
    // fixed capacity.
    if (target === 'serverless' && name === 'everything') return
    if (target === 'sst' && name === 'provisioned') return
    const isWorkbench = target === 'workbench'
    await golden(await write(target, ...(isWorkbench ? omit : [])), target, end)
  })

  test('written for the older construct of CDK is as it was', async () => {
    await golden(await write('cdk', '--construct', 'v1'), 'cdk-v1', 'ts')
  })

  test('written as JSON for CloudFormation is as it was', async () => {
    await golden(await write('cfn', '--json'), 'cfn', 'json')
  })

  test('has a policy that is as it was', async () => {
    await golden(await write('iam', ...PLACE), 'iam', 'json')
  })
})

test('a policy within a scope is as it was', async () => {
  const patterns = ['writePost', 'getPost', 'likePost', 'postsOfTenant']
  const parameters = ['iam', ...PLACE, '--schema', EVERYTHING, '--table', 'every-thing']
  const chosen = patterns.flatMap((name) => ['--pattern', name])
  const { printed } = await runInfra([...parameters, ...chosen, '--scope', 'tenantId'])
  await expect(`${printed}\n`).toMatchFileSnapshot('__golden__/everything-iam-scope.json')
})

test('SST is refused what it has no words for', async () => {
  const run = await runInfra(['sst', '--schema', PROVISIONED, '--table', 'Counters'])
  expect(run.code).toBe(1)
  expect(run.complaints).toContain('SST always turns point-in-time recovery on')
})

test('Serverless is distinguished from its variables', async () => {
  const run = await runInfra(['serverless', '--schema', EVERYTHING, '--table', 'every-thing'])
  expect(run.code).toBe(1)
  expect(run.complaints).toContain('takes for a variable of its own')
})
