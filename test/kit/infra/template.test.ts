import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { BLOG, EVERYTHING, runInfra } from './run-infra.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'singletable-template-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function compare(template: string, ...parameters: readonly string[]) {
  writeFileSync(path.join(directory, 'template.yaml'), template)
  const blog = ['--schema', BLOG, '--table', 'Blog']
  return runInfra(['diff', ...blog, '--from', 'template.yaml', ...parameters], { directory })
}

/** As people write them: comments, short functions, anchors, block scalars, flow collections. */
const HAND_WRITTEN = `
AWSTemplateFormatVersion: '2010-09-09'
Description: |
  The table of the blog: posts, users
  and what belongs to them.
Parameters:
  Stage: { Type: String, Default: dev }
  Protected: { Type: String }
Conditions:
  IsProd: !Equals [!Ref Stage, prod]
Resources:
  Role:
    Type: AWS::IAM::Role
    Properties:
      AssumeRolePolicyDocument: !Sub |
        {"Resource": "arn:\${AWS::Partition}:iam::\${AWS::AccountId}:root"}
  BlogTable: # The only one.
    Type: AWS::DynamoDB::Table
    DeletionPolicy: !If [IsProd, Retain, Delete]
    Properties:
      TableName: !Sub '\${Stage}-blog'
      BillingMode: PAY_PER_REQUEST
      AttributeDefinitions:
        - &pk { AttributeName: pk, AttributeType: S }
        - { AttributeName: sk, AttributeType: S }
        - { AttributeName: gsi1pk, AttributeType: S }
        - { AttributeName: gsi1sk, AttributeType: S }
      KeySchema:
        - { AttributeName: pk, KeyType: HASH }
        - { AttributeName: sk, KeyType: RANGE }
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: yes }
      DeletionProtectionEnabled: !Ref Protected
      SSESpecification: !If [IsProd, { SSEEnabled: true }, !Ref AWS::NoValue]
Outputs:
  Arn:
    Value: !GetAtt BlogTable.Arn
    Export: { Name: !Join ['-', [!Ref Stage, arn]] }
`

test('a template that a person wrote is compared, and what it leaves to the deployment is reported', async () => {
  const { code, printed, complaints } = await compare(HAND_WRITTEN)
  expect(printed).toContain('The table "Blog" (template.yaml) differs from the schema:')
  expect(printed).toContain('Not compared, because it is not stated there: encryption, protection.')
  expect(printed).not.toContain('point-in-time')
  expect(complaints).toContain('read with the defaults of its parameters: Stage = "dev".')
  expect(code).toBe(1)
})

test('the text ${a} is a text in a template of CloudFormation', async () => {
  const every = ['--schema', EVERYTHING, '--table', 'every-thing']
  const file = path.join(import.meta.dirname, '__golden__/everything-cfn.yaml')
  expect(await runInfra(['diff', ...every, '--from', file])).toMatchObject({ code: 0 })
})

test('what infra cfn, sam and serverless write is what the schema says', async () => {
  for (const target of ['cfn', 'sam', 'serverless']) {
    const blog = ['--schema', BLOG, '--table', 'Blog']
    const { printed } = await runInfra([target, ...blog])
    expect(await compare(printed)).toMatchObject({
      code: 0,
      printed: 'The table "Blog" (template.yaml) matches the schema.',
    })
  }
})

const table = (name: string, keys = '[{ AttributeName: pk, KeyType: HASH }]'): string =>
  `{ Type: AWS::DynamoDB::Table, Properties: { TableName: ${name}, KeySchema: ${keys}, AttributeDefinitions: [{ AttributeName: pk, AttributeType: N }] } }`

test('one of several tables is chosen by its name or its logical id', async () => {
  const several = `Resources:\n  One: ${table('!Ref X')}\n  Two: ${table('!Ref Y')}`
  expect((await compare(several)).complaints).toContain('pass --resource, one of: One, Two')
  expect((await compare(several, '--resource', 'Two')).printed).toContain('is (pk:N), not')
  expect((await compare(several, '--resource', 'Three')).complaints).toContain('logical id "Three"')
  const named = `Resources:\n  One: ${table('!Ref X')}\n  Two: ${table('Blog')}`
  expect((await compare(named)).printed).toContain('is (pk:N), not')
})

test('a value of keys or indexes that the template does not determine is named', async () => {
  const keys = await compare(
    `Resources:\n  One: ${table('Blog', '[{ AttributeName: !Ref Key, KeyType: HASH }]')}`,
  )
  expect(keys).toMatchObject({ code: 1 })
  expect(keys.complaints).toContain('KeySchema depends on !Ref Key, which the template does not')
  const index = HAND_WRITTEN.replace(
    'PointInTime',
    'GlobalSecondaryIndexes:\n        - !If [IsProd, {}, {}]\n      PointInTime',
  )
  expect((await compare(index)).complaints).toContain('GlobalSecondaryIndexes depends on !If')
})

test('Serverless has its parts in a list and variables of its own', async () => {
  const parts = `resources:\n  - Outputs: {}\n  - Resources:\n      One: ${table("'${self:custom.table}'")}`
  expect((await compare(parts)).printed).toContain('is (pk:N), not')
})

test('a global table, as CDK writes it, has its settings in its regions', async () => {
  const { printed } = await compare(`Resources:
  Table:
    Type: AWS::DynamoDB::GlobalTable
    Properties:
      KeySchema: [{ AttributeName: pk, KeyType: HASH }, { AttributeName: sk, KeyType: RANGE }]
      AttributeDefinitions: [{ AttributeName: pk, AttributeType: S }, { AttributeName: sk, AttributeType: S }]
      BillingMode: PAY_PER_REQUEST
      Replicas:
        - Region: !Ref AWS::Region
          DeletionProtectionEnabled: true
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true }
`)
  expect(printed).not.toMatch(/protection|recovery|billing|primary key/)
})

test.each([
  ['Resources: [', 'at line 1'],
  ['a: b\na: c', 'Map keys must be unique at line 2'],
  ['{"Resources": {}', "can't be read"],
  ['Resources: {}', 'has no AWS::DynamoDB::Table'],
  [
    'Resources: { T: { Type: AWS::DynamoDB::Table, Properties: { KeySchema: 5 } } }',
    "can't be read",
  ],
  ['', 'has no AWS::DynamoDB::Table'],
])('the template %j is refused', async (text, message) => {
  const { code, complaints } = await compare(text)
  expect(complaints).toContain(message)
  expect(code).toBe(1)
})
