import { readFileSync } from 'node:fs'
import path from 'node:path'
import { App, Stack } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { describe, expect, test } from 'vitest'
import { blogTable } from './__golden__/blog-cdk.ts'
import { blogTable as blogTableV1 } from './__golden__/blog-cdk-v1.ts'
import { everyThingTable } from './__golden__/everything-cdk.ts'
import { everyThingTable as everyThingTableV1 } from './__golden__/everything-cdk-v1.ts'
import { countersTable } from './__golden__/provisioned-cdk.ts'
import { countersTable as countersTableV1 } from './__golden__/provisioned-cdk-v1.ts'

type Properties = { readonly [name: string]: unknown }

const tables = [
  { name: 'blog', v1: blogTableV1, v2: blogTable },
  { name: 'everything', v1: everyThingTableV1, v2: everyThingTable },
  { name: 'provisioned', v1: countersTableV1, v2: countersTable },
]

/** The one resource of a type that CDK makes of a function. */
function synthesise(make: (scope: Construct) => unknown, type: string) {
  const app = new App({ analyticsReporting: false })
  make(new Stack(app, 'Stack', { env: { region: 'eu-west-1', account: '123456789012' } }))
  const { Resources } = app.synth().getStackByName('Stack').template
  const found = Object.values<{ Type: string; Properties: Properties }>(Resources).filter(
    ({ Type }) => Type === type,
  )
  expect(found).toHaveLength(1)
  return found[0]!
}

function cloudFormation(name: string): Properties {
  const file = path.join(import.meta.dirname, '__golden__', `${name}-cfn.json`)
  const { Resources } = JSON.parse(readFileSync(file, 'utf8'))
  return Object.values<{ Properties: Properties }>(Resources)[0]!.Properties
}

/** Lists whose order means nothing, in one order. */
function sorted(list: unknown): unknown {
  return Array.isArray(list)
    ? [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    : list
}

function comparable({ AttributeDefinitions, Tags, ...rest }: Properties): Properties {
  return { ...rest, AttributeDefinitions: sorted(AttributeDefinitions), Tags: sorted(Tags) }
}

describe.each(tables)('the table of $name, synthesised by CDK', ({ name, v1, v2 }) => {
  test('is that of infra cfn, as a Table', () => {
    const table = synthesise(v1, 'AWS::DynamoDB::Table')
    const { BillingMode, ...wanted } = comparable(cloudFormation(name))
    const { BillingMode: mode = 'PROVISIONED', ...found } = comparable(table.Properties)
    expect(mode).toBe(BillingMode)
    expect(found).toEqual(wanted)
    expect(table).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' })
  })

  test('has the same keys, indexes and settings as a TableV2', () => {
    const table = synthesise(v2, 'AWS::DynamoDB::GlobalTable')
    const wanted = comparable(cloudFormation(name))
    const found = comparable(table.Properties)
    const { Replicas } = table.Properties as { Replicas: readonly Properties[] }
    const replica = comparable(Replicas[0]!)
    const indexes = (list: unknown) =>
      (list as readonly Properties[] | undefined)?.map(({ IndexName, KeySchema, Projection }) => ({
        IndexName,
        KeySchema,
        Projection,
      }))
    for (const property of [
      'TableName',
      'BillingMode',
      'AttributeDefinitions',
      'KeySchema',
      'LocalSecondaryIndexes',
      'TimeToLiveSpecification',
    ]) {
      expect(found[property], property).toEqual(wanted[property])
    }
    expect(indexes(found.GlobalSecondaryIndexes)).toEqual(indexes(wanted.GlobalSecondaryIndexes))
    expect(found.StreamSpecification).toEqual(wanted.StreamSpecification)
    expect(replica.DeletionProtectionEnabled).toEqual(wanted.DeletionProtectionEnabled)
    expect(replica.PointInTimeRecoverySpecification).toEqual(
      wanted.PointInTimeRecoverySpecification,
    )
    expect(replica.TableClass).toEqual(wanted.TableClass)
    expect(replica.Tags ?? undefined).toEqual(wanted.Tags)
    expect(table).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' })
  })
})
