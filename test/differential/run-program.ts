import type { Item } from 'singletable/engine'
import { engineTarget, RefereeUnavailable, type Target } from '../conformance/targets.ts'
import { type AllowedDifference, allowedBy, type Disagreement } from './allowed-differences.ts'
import { closingDisagreement } from './closing-checks.ts'
import { comparable } from './comparable.ts'
import { designAfter } from './design-after.ts'
import { makeAlike } from './make-alike.ts'
import { outcomeOf } from './outcome.ts'
import { type Program, type Step, TABLE } from './program.ts'
import type { Sides } from './sides.ts'
import { createTableRequest } from './table-design.ts'

export interface ProgramResult {
  /** Steps done on both sides. */
  readonly operations: number
  readonly allowed: readonly AllowedDifference[]
  /** The disagreements that no rule allows. */
  readonly differences: readonly Difference[]
  /** Why the referee could not be asked to the end. */
  readonly givenUp?: string
}

export interface Difference extends Disagreement {
  readonly place: number
}

const WRITES = new Set([
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchWriteItem',
  'TransactWriteItems',
  'ExecuteStatement',
])

/** Runs a program on a fresh engine and on a fresh table of the referee, comparing answer by answer
 * and the tables at the end. */
export async function runProgram(
  program: Program,
  local: Target,
  createEngine: () => Promise<Target> = engineTarget,
): Promise<ProgramResult> {
  const TableName = freshTableName()
  const engine = await createEngine()
  try {
    await Promise.all(
      [engine, local].map((target) =>
        target.send('CreateTable', createTableRequest(program.table, TableName)),
      ),
    )
    return await runSteps(program, { engine, local, TableName })
  } catch (error) {
    if (!(error instanceof RefereeUnavailable)) throw error
    return { operations: 0, allowed: [], differences: [], givenUp: error.message }
  } finally {
    await engine.close()
    await local.send('DeleteTable', { TableName }).catch(() => undefined)
  }
}

async function runSteps(program: Program, sides: Sides): Promise<ProgramResult> {
  const allowed: AllowedDifference[] = []
  const differences: Difference[] = []
  const judge = (disagreement: Disagreement, place: number): void => {
    const rule = allowedBy(disagreement)
    if (rule === undefined) differences.push({ ...disagreement, place })
    else allowed.push(rule)
  }
  /** Tokens of transactions that one side alone has done and remembers. */
  const usedByOne = new Set<unknown>()
  let design = program.table
  for (const [place, unnamed] of program.steps.entries()) {
    const step = withoutToken(withTableName(unnamed, sides.TableName), usedByOne)
    const before = await itemsBefore(step, sides.engine)
    const disagreement = await compareStep({ step, design, before }, sides)
    if (disagreement !== undefined) {
      judge(disagreement, place)
      const { engine, local } = disagreement
      const refusedTwice = engine.error && local.error
      if ((engine.error ?? local.error) && !refusedTwice)
        usedByOne.add(step.request.ClientRequestToken)
      // The rest of the program is worth comparing only from equal tables.
      if (WRITES.has(step.operation) && !refusedTwice) await makeAlike(design, sides)
    } else if (before.includes(undefined) && onlyRemoves(step)) {
      // Local makes an item of the key alone where an update that only removes finds none; AWS
      // makes none.
      await makeAlike(design, sides)
    }
    design = await designAfter(design, step, sides)
  }
  const operations = program.steps.length
  const disagreement = await closingDisagreement(design, sides)
  if (disagreement !== undefined) judge(disagreement, operations)
  return { operations, allowed, differences }
}

async function compareStep(
  { step, design, before }: Pick<Disagreement, 'step' | 'design' | 'before'>,
  { engine, local }: Sides,
): Promise<Disagreement | undefined> {
  // Each side gets a request of its own: what one does to it must not reach the other.
  const [own, referee] = await Promise.all([
    outcomeOf(engine, structuredClone(step)),
    outcomeOf(local, step),
  ])
  const equal = comparable(step, design, own) === comparable(step, design, referee)
  return equal ? undefined : { step, design, engine: own, local: referee, before }
}

interface Updating {
  readonly TableName?: string
  readonly Key?: Item
  readonly UpdateExpression?: string
  readonly AttributeUpdates?: Readonly<Record<string, { readonly Action?: string }>>
}

function updatesOf({ operation, request }: Step): Updating[] {
  if (operation === 'UpdateItem') return [request]
  if (operation !== 'TransactWriteItems') return []
  const actions = request.TransactItems as readonly { readonly Update?: Updating }[]
  return actions.flatMap(({ Update }) => Update ?? [])
}

/** The items that the step's updates are about. */
async function itemsBefore(step: Step, engine: Target): Promise<(Item | undefined)[]> {
  const items: (Item | undefined)[] = []
  for (const { TableName, Key } of updatesOf(step)) {
    const read = { operation: 'GetItem', request: { TableName, Key, ConsistentRead: true } }
    items.push((await outcomeOf(engine, read)).pages?.[0]?.Item as Item | undefined)
  }
  return items
}

/** Whether one of the updates neither sets nor adds. */
function onlyRemoves(step: Step): boolean {
  return updatesOf(step).some(({ UpdateExpression, AttributeUpdates }) =>
    UpdateExpression === undefined
      ? Object.values(AttributeUpdates ?? {}).every(({ Action }) => Action === 'DELETE')
      : !/\b(set|add)\b/i.test(UpdateExpression),
  )
}

function withTableName(step: Step, TableName: string): Step {
  return JSON.parse(JSON.stringify(step).replaceAll(TABLE, TableName))
}

function withoutToken(step: Step, tokens: ReadonlySet<unknown>): Step {
  const { ClientRequestToken, ...request } = step.request
  return tokens.has(ClientRequestToken) ? { ...step, request } : step
}

let tables = 0

function freshTableName(): string {
  tables++
  return `d${process.pid}.${tables}`
}
