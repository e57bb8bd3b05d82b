import { batchGetStep, batchWriteStep, transactGetStep, transactWriteStep } from './batch-steps.ts'
import { legacyStep } from './legacy-steps.ts'
import { type Program, type Step, TABLE } from './program.ts'
import { createRandom, type Random } from './random.ts'
import { getStep, queryStep, scanStep } from './read-steps.ts'
import { statementStep } from './statement-steps.ts'
import {
  definitions,
  globalIndex,
  type IndexDesign,
  indexMembers,
  randomTable,
  type TableDesign,
} from './table-design.ts'
import { deleteStep, putStep, updateStep } from './write-steps.ts'

const STEPS_MIN = 50
const STEPS_MORE = 10

type MakeStep = (random: Random, design: TableDesign) => Step

const STEP_WEIGHTS: readonly (readonly [weight: number, make: MakeStep])[] = [
  [16, putStep],
  [26, updateStep],
  [5, deleteStep],
  [6, getStep],
  [14, queryStep],
  [7, scanStep],
  [4, batchWriteStep],
  [3, batchGetStep],
  [9, transactWriteStep],
  [3, transactGetStep],
  [7, legacyStep],
  [5, statementStep],
]

/** The program that follows from a seed. */
export function randomProgram(seed: number): Program {
  const random = createRandom(seed)
  const table = randomTable(random)
  let design = table
  const steps: Step[] = []
  const count = STEPS_MIN + random.below(STEPS_MORE)
  // Items come first, so that the other operations find some.
  for (let place = 0; place < 6; place++) steps.push(putStep(random, design))
  const changeAt = random.chance(0.1) ? 20 + random.below(20) : -1
  while (steps.length < count) {
    if (steps.length === changeAt) {
      const change = indexChange(random, design)
      steps.push(change.step)
      design = change.design
    }
    const previous = steps.at(-1)
    if (previous?.request.ClientRequestToken !== undefined && random.chance(0.4)) {
      steps.push(previous)
    } else {
      steps.push(random.weighted(STEP_WEIGHTS)(random, design))
    }
  }
  return { table, steps }
}

/** Adds a global index to the table or takes one away. */
function indexChange(
  random: Random,
  design: TableDesign,
): { readonly step: Step; readonly design: TableDesign } {
  const globals = design.indexes.filter((index) => !index.local && isIndependent(index, design))
  const dropped = globals.length > 0 && random.chance(0.4) ? random.pick(globals) : undefined
  if (dropped !== undefined) {
    return {
      step: updateTable({ Delete: { IndexName: dropped.name } }),
      design: { ...design, indexes: design.indexes.filter((index) => index !== dropped) },
    }
  }
  const index = globalIndex(random, 'global-9')
  const keys = [...index.partition, ...index.sort]
  return {
    step: updateTable({ Create: indexMembers(index) }, { AttributeDefinitions: definitions(keys) }),
    design: { ...design, indexes: [...design.indexes, index] },
  }
}

/**
 * Whether no other index has a key attribute of this one. DynamoDB Local forgets the definition of
 * such an attribute together with the index, and from then on leaves new items out of the other.
 */
function isIndependent(index: IndexDesign, { indexes }: TableDesign): boolean {
  const names = new Set([...index.partition, ...index.sort].map(({ name }) => name))
  return indexes.every(
    (other) =>
      other === index || ![...other.partition, ...other.sort].some(({ name }) => names.has(name)),
  )
}

function updateTable(change: object, members: object = {}): Step {
  return {
    operation: 'UpdateTable',
    request: { TableName: TABLE, ...members, GlobalSecondaryIndexUpdates: [change] },
  }
}
