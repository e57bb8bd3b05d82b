import {
  type ModelDefinition,
  type Pattern,
  planPattern,
  readSchema,
  type Schema,
  type Transport,
} from 'singletable/tools'
import type { Design } from '../../packages/kit/src/check/design/design.ts'
import { ItemMaker } from '../../packages/kit/src/check/exercise/item-maker.ts'
import { NotRunError } from '../../packages/kit/src/check/exercise/not-run-error.ts'
import type { SeedItem } from '../../packages/kit/src/seed/make-items.ts'
import { UnseedableError } from '../../packages/kit/src/seed/make-value.ts'
import { createRandom, seededEnvironment } from '../../packages/kit/src/seed/seeded-random.ts'
import type { Exercise, PatternExercise } from './exercise.ts'
import type { ExerciseCase } from './exercise-case.ts'
import { exerciseKeyed } from './exercise-keyed.ts'
import { ExerciseLog } from './exercise-log.ts'
import { exerciseQuery } from './exercise-query.ts'
import { exerciseScan } from './exercise-scan.ts'
import { ExerciseTable, NOW_MS } from './exercise-table.ts'
import { exerciseTransaction } from './exercise-transaction.ts'
import { exerciseWrite } from './exercise-write.ts'

export interface ExerciseOptions {
  /** The same seed gives the same items. */
  readonly seed?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((done: number, total: number, pattern: string) => void) | undefined
  /** Items of the project, whose values are used where none can be generated. */
  readonly fixtures?: readonly SeedItem[] | undefined
  /** Is between each table and its engine, for those who want to see an exercise fail. */
  readonly around?: ((transport: Transport) => Transport) | undefined
}

/**
 * Runs every access pattern of a design, each on a fresh engine, with items that match, items that
 * nearly do, and items of all other entities that can be in the same partition; and compares what
 * it gives and what it costs with what its declaration says.
 */
export async function exercisePatterns(
  design: Design,
  options: ExerciseOptions = {},
): Promise<Exercise> {
  const { seed = 1, signal, onProgress } = options
  const schema = soundSchema(design)
  const exercises: PatternExercise[] = []
  if (schema === undefined) return { patterns: exercises, seed }
  const patterns = [...schema.patterns.values()]
  for (const [position, pattern] of patterns.entries()) {
    signal?.throwIfAborted()
    onProgress?.(position, patterns.length, pattern.name)
    exercises.push(await exercisePattern(pattern, { ...options, seed, schema }))
  }
  return { patterns: exercises, seed }
}

/** The schema without models that have mistakes, and without what depends on them. */
function soundSchema({ schema, issues }: Design): Schema | undefined {
  if (schema === undefined || issues.length === 0) return schema
  const faulty = new Set(issues.map(({ subject }) => subject.model))
  const { definition } = schema
  const isSound = ([name, { copies }]: readonly [string, ModelDefinition]): boolean =>
    [name, ...Object.keys(copies ?? {})].every((each) => !faulty.has(each))
  const models = Object.fromEntries(Object.entries(definition.models).filter(isSound))
  return readSchema({ ...definition, models }).schema
}

async function exercisePattern(
  pattern: Pattern,
  options: ExerciseOptions & { readonly seed: number; readonly schema: Schema },
): Promise<PatternExercise> {
  const { schema, seed, signal, fixtures = [], around } = options
  const log = new ExerciseLog(pattern.name, signal)
  const random = createRandom(seed)
  const maker = new ItemMaker(random, seededEnvironment(random), fixtures)
  const each: ExerciseCase = {
    pattern,
    plan: planPattern(pattern),
    maker,
    log,
    async openTable(nowMs = NOW_MS) {
      const table = new ExerciseTable({ schema, maker, nowMs, seed, around })
      await table.open()
      return table
    },
  }
  try {
    await runCase(each)
  } catch (error) {
    if (error instanceof NotRunError) return log.toExercise(error.message)
    if (error instanceof UnseedableError) {
      return log.toExercise(
        `${error.message}: declare an enum or a default for it, or give items of your own by --fixtures`,
      )
    }
    throw error
  }
  return log.toExercise()
}

async function runCase(each: ExerciseCase): Promise<void> {
  const { definition } = each.pattern
  switch (definition.op) {
    case 'query':
      return exerciseQuery(each, definition)
    case 'get':
    case 'batchGet':
    case 'transactGet':
      return exerciseKeyed(each, definition)
    case 'scan':
      return exerciseScan(each)
    case 'transact':
      return exerciseTransaction(each)
    case 'external':
      throw new NotRunError(`${definition.service} answers it: ${definition.reason}`)
    case 'check':
      throw new NotRunError('A check is a step of a transaction')
    default:
      return exerciseWrite(each, definition)
  }
}
