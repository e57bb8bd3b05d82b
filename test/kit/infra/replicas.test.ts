import { App, Stack } from 'aws-cdk-lib'
import { DefinitionError, defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { notesTable } from './__golden__/replicas-cdk.ts'
import { replicasSchema } from './replicas-schema.ts'
import { runInfra } from './run-infra.ts'
import { strongSchema } from './strong-schema.ts'

const named = (name: string) => [
  ...['--schema', `${import.meta.dirname}/${name}-schema.ts`],
  ...['--table', 'Notes'],
]

const targets = [
  ['cfn', 'yaml'],
  ['cdk', 'ts'],
  ['terraform', 'tf'],
  ['pulumi', 'ts.txt'],
  ['sst', 'ts.txt'],
  ['sdk', 'ts'],
] as const

describe('replicas', () => {
  test.each(targets)('are written for %s', async (target, end) => {
    for (const name of ['replicas', 'strong']) {
      // An alias is known to some targets only.
      if (name === 'replicas' && ['terraform', 'pulumi', 'sst'].includes(target)) {
        const run = await runInfra([target, ...named(name)])
        expect(run.complaints).toContain('takes the encryption key by its ARN')
      } else {
        const { printed, complaints } = await runInfra([target, ...named(name)])
        expect(complaints).toBe('')
        await expect(`${printed}\n`).toMatchFileSnapshot(`__golden__/${name}-${target}.${end}`)
      }
    }
  })

  test('are those of the CDK in CloudFormation', async () => {
    const app = new App({ analyticsReporting: false })
    notesTable(new Stack(app, 'S', { env: { region: 'eu-west-1', account: '123456789012' } }))
    const { Resources } = app.synth().getStackByName('S').template
    type Replica = { readonly Region: unknown }
    type Resource = { Type: string; Properties: { Replicas: Replica[]; [name: string]: unknown } }
    const found = Object.values<Resource>(Resources)[0]!
    const { printed } = await runInfra(['cfn', ...named('replicas')])
    const wanted = Object.values<Resource>(parse(printed).Resources)[0]!
    expect(found.Type).toBe(wanted.Type)
    for (const name of Object.keys(wanted.Properties)) {
      if (name === 'Replicas') continue
      expect(found.Properties[name], name).toEqual(wanted.Properties[name])
    }
    const others = ({ Properties }: Resource): unknown =>
      Properties.Replicas.filter(({ Region }) => /^eu-(c|west-2)/.test(String(Region))).map(
        // The CDK looks up the key of each region by itself.
        ({ SSESpecification: _, ...replica }: Replica & { SSESpecification?: unknown }) => replica,
      )
    expect(others(found)).toEqual(others(wanted))
  })

  test('in a template are as the schema says, and others are not', async () => {
    for (const [from, text] of [
      ['strong', 'matches the schema'],
      ['replicas', 'replicas are eu-central-1, eu-west-2, not eu-central-1, strongly consistent'],
    ] as const) {
      const file = `${import.meta.dirname}/__golden__/${from}-cfn.yaml`
      const { printed } = await runInfra(['diff', '--from', file, ...named('strong')])
      expect(printed).toContain(text)
    }
  })

  test('of a strongly consistent table are not written for the older construct', async () => {
    const run = await runInfra(['cdk', '--construct', 'v1', ...named('strong')])
    expect(run.complaints).toContain('has no strong consistency between regions')
  })

  test('are created with the table, and infra diff compares them', async () => {
    const engine = createEngine()
    await new Table({ name: 'Notes', schema: replicasSchema, client: engine }).create()
    const { Table: shown } = await engine.send('DescribeTable', { TableName: 'Notes' })
    expect(shown.Replicas?.map(({ RegionName }) => RegionName)).toEqual([
      'eu-central-1',
      'eu-west-2',
    ])
    expect(shown.GlobalSecondaryIndexes?.[0]).toMatchObject({
      OnDemandThroughput: { MaxReadRequestUnits: 50, MaxWriteRequestUnits: 20 },
      WarmThroughput: { ReadUnitsPerSecond: 12_500 },
    })
    const other = await runInfra(['diff', ...named('strong')], { transport: engine })
    expect(other.printed).toContain(
      'replicas are eu-central-1, eu-west-2, not eu-central-1, strongly consistent, with the witness eu-west-2',
    )

    const strong = createEngine()
    await new Table({ name: 'Notes', schema: strongSchema, client: strong }).create()
    const { Table: second } = await strong.send('DescribeTable', { TableName: 'Notes' })
    expect(second).toMatchObject({
      MultiRegionConsistency: 'STRONG',
      GlobalTableWitnesses: [{ RegionName: 'eu-west-2' }],
    })
  })

  test('that no table can have are mistakes of the schema', () => {
    const issuesOf = (table: object): string => {
      try {
        defineSchema({ ...replicasSchema, table } as never)
        new Table({
          name: 'Notes',
          schema: { ...replicasSchema, table } as never,
          client: createEngine(),
        })
      } catch (error) {
        if (error instanceof DefinitionError) return error.message
        throw error
      }
      return ''
    }
    const stream = 'new-and-old'
    expect(issuesOf({ stream, replicas: ['eu-central-1'] })).toBe('')
    for (const [table, text] of [
      [{ replicas: ['eu-central-1'] }, "replicas need the stream 'new-and-old'"],
      [{ stream, replicas: 'eu-central-1' }, 'it is not a list of regions'],
      [{ stream, replicas: ['Virginia'] }, '"Virginia" is not the name of a region'],
      [{ stream, replicas: ['eu-central-1', 'eu-central-1'] }, '"eu-central-1" is there twice'],
      [{ replicas: ['eu-central-1'], multiRegionConsistency: 'strong' }, 'takes three regions'],
      [{ stream, replicas: ['eu-central-1'], witness: 'eu-west-3' }, 'only strong consistency has'],
      [{ multiRegionConsistency: 'strong' }, 'multiRegionConsistency needs replicas'],
      [
        { stream, replicas: ['eu-central-1'], encryption: { kmsKey: 'x' } },
        'belongs to one region',
      ],
      [
        {
          stream,
          replicas: ['eu-central-1'],
          billing: { readCapacityUnits: 1, writeCapacityUnits: 1 },
        },
        'replicas need a table on demand',
      ],
      [{ warmThroughput: { indexes: { byNam: {} } } }, 'did you mean "byName"'],
      [{ onDemandThroughput: { indexes: { byName: {} } } }, 'it has no members'],
      [{ onDemandThroughput: { indexes: 7 } }, 'not an object'],
    ] as const) {
      expect(issuesOf(table), JSON.stringify(table)).toContain(text)
    }
  })
})
