import { setTimeout as wait } from 'node:timers/promises'
import { RefereeUnavailable } from '../conformance/targets.ts'
import type { Step } from './program.ts'
import type { Sides } from './sides.ts'
import type { IndexDesign, KeyAttribute, TableDesign } from './table-design.ts'

interface Described {
  readonly AttributeDefinitions: { AttributeName: string; AttributeType: KeyAttribute['type'] }[]
  readonly GlobalSecondaryIndexes?: DescribedIndex[]
}

interface DescribedIndex {
  readonly IndexName: string
  readonly IndexStatus: string
  readonly KeySchema: { AttributeName: string; KeyType: 'HASH' | 'RANGE' }[]
  readonly Projection: { ProjectionType: IndexDesign['projection']; NonKeyAttributes?: string[] }
}

// Now and then DynamoDB Local never ends the deletion of an index.
const POLLS_MAX = 400
const POLL_MS = 5

/** The design after a step: changed by UpdateTable alone, once both sides have finished the
 * change. */
export async function designAfter(
  design: TableDesign,
  step: Step,
  { engine, local, TableName }: Sides,
): Promise<TableDesign> {
  if (step.operation !== 'UpdateTable') return design
  for (let polls = 0; ; polls++) {
    const { Table } = await local.send('DescribeTable', { TableName })
    const indexes = (Table as Described).GlobalSecondaryIndexes ?? []
    if (indexes.every(({ IndexStatus }) => IndexStatus === 'ACTIVE')) break
    if (polls > POLLS_MAX) throw new RefereeUnavailable('an index stays in transition')
    await wait(POLL_MS)
  }
  const { Table } = await engine.send('DescribeTable', { TableName })
  return { ...design, indexes: [...design.indexes.filter(({ local }) => local), ...globals(Table)] }
}

function globals({ AttributeDefinitions, GlobalSecondaryIndexes = [] }: Described): IndexDesign[] {
  return GlobalSecondaryIndexes.map(({ IndexName, KeySchema, Projection }) => {
    const attributes = (role: 'HASH' | 'RANGE'): KeyAttribute[] =>
      KeySchema.filter(({ KeyType }) => KeyType === role).map(({ AttributeName: name }) => ({
        name,
        type:
          AttributeDefinitions.find(({ AttributeName }) => AttributeName === name)?.AttributeType ??
          'S',
      }))
    return {
      name: IndexName,
      local: false,
      partition: attributes('HASH'),
      sort: attributes('RANGE'),
      projection: Projection.ProjectionType,
      included: Projection.NonKeyAttributes ?? [],
    }
  })
}
