import {
  type ModelDefinition,
  type Pattern,
  planPattern,
  readSchema,
  type Schema,
  type SchemaReading,
  type Transport,
} from 'singletable/tools'
import type { SeedItem } from '../../seed/make-items.ts'
import { UnseedableError } from '../../seed/make-value.ts'
import { createRandom, seededEnvironment } from '../../seed/seeded-random.ts'
import type { Exercise, PatternExercise } from '../evidence/exercise.ts'
import type { ExerciseCase } from './exercise-case.ts'
import { exerciseKeyed } from './exercise-keyed.ts'
import { ExerciseLog } from './exercise-log.ts'
import { exerciseQuery } from './exercise-query.ts'
import { exerciseScan } from './exercise-scan.ts'
import { ExerciseTable } from './exercise-table.ts'
import { exerciseTransaction } from './exercise-transaction.ts'
import { exerciseWrite } from './exercise-write.ts'
import { ItemMaker } from './item-maker.ts'
import { NotRunError } from './not-run-error.ts'

export interface ExerciseOptions {
  /** The same seed gives the same items. */
  readonly seed?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((done: number, total: number, pattern: string) => void) | undefined
  /** Items of the project, whose values are used where none can be made. */
  readonly fixtures?: readonly SeedItem[] | undefined
  /** Is between each table and its engine, for tests that need a failure. */
  readonly around?: ((transport: Transport) => Transport) | undefined
}

/**
 * Runs every access pattern of a schema, each on a fresh engine with sample data: items that match,
 * items that nearly do, and items of all other models. It compares what the pattern gives with the
 * items that are stored, and what it consumes with what the schema expects.
 */
export async function exercisePatterns(
  reading: SchemaReading,
  options: ExerciseOptions = {},
): Promise<Exercise> {
  const { seed = 1, signal, onProgress } = options
  const schema = soundSchema(reading)
  const exercised: PatternExercise[] = []
  const patterns = [...(schema?.patterns.values() ?? [])]
  for (const [position, pattern] of patterns.entries()) {
    signal?.throwIfAborted()
    onProgress?.(position, patterns.length, pattern.name)
    if (schema) exercised.push(await exercisePattern(pattern, { ...options, seed, schema }))
  }
  return { patterns: exercised, seed }
}

/** The schema without models that have mistakes, and without what depends on them. */
export function soundSchema({ schema, issues }: SchemaReading): Schema | undefined {
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
  const plan = planPattern(pattern)
  const openTable = (nowMs?: number): Promise<ExerciseTable> =>
    ExerciseTable.open({ schema, maker, seed, nowMs, around })
  try {
    await exercise({ pattern, plan, maker, log, openTable })
  } catch (error) {
    if (error instanceof NotRunError) {
      const isElsewhere = pattern.definition.op === 'external'
      return { ...log.result(error.message), ...(isElsewhere && { elsewhere: true }) }
    }
    if (!(error instanceof UnseedableError)) throw error
    return log.result(
      `${error.message}: list valid values as examples: [...] in the schema, or give items of your own with --fixtures`,
    )
  }
  return log.result()
}

async function exercise(each: ExerciseCase): Promise<void> {
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
