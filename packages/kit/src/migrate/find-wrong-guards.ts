import { type SchemaDefinition, Table } from 'singletable'
import { type Finding, verifyCopies } from 'singletable/streams'
import { GUARD, type Item, type Transport, type Versions } from 'singletable/tools'
import { addCounts, type Counts, NO_COUNTS } from './counts.ts'
import { countsOfFailures, type Failure, type FailureLog } from './failures.ts'

export interface GuardsContext {
  readonly transport: Transport
  readonly tableName: string
  readonly versions: Versions
  readonly failures?: FailureLog | undefined
  readonly signal: AbortSignal
}

/**
 * Finds guards without an owner and items without their guards, of the models that the migration
 * names: programs that don't know the newer schema leave them. All items must be migrated. Reads
 * the whole table consistently, and writes nothing.
 */
export async function findWrongGuards(context: GuardsContext): Promise<Counts> {
  const { transport, tableName, versions, failures, signal } = context
  const { before, after, steps } = versions
  const named = new Set(
    steps.flatMap((step) => [
      step.model,
      ...(step.kind === 'renameModel' ? [step.to] : []),
      ...(step.kind === 'splitModel' || step.kind === 'mergeModel' ? [step.into].flat() : []),
    ]),
  )
  const hasGuards = [before, after].some(({ models }) =>
    [...named].some((name) => (models.get(name)?.derivedItems?.unique.length ?? 0) > 0),
  )
  let counts = NO_COUNTS
  if (!hasGuards) return counts
  const { separator } = after.params
  const prefixes = [...named].map((name) => `${[GUARD.word, name].join(separator)}${separator}`)
  const isNamed = ({ entity, key }: Finding): boolean =>
    entity === undefined
      ? Object.values(key).some((text) => prefixes.some((each) => String(text).startsWith(each)))
      : named.has(entity)
  const definition: SchemaDefinition = after.definition
  const verification = verifyCopies(
    new Table({ name: tableName, schema: definition, client: transport }),
    {
      signal,
      onFinding(finding) {
        if (!finding.kind.startsWith('unique-') || !isNamed(finding)) return
        const { key, entity, message: reason } = finding
        const failure: Failure = { key: storedKey(key), entity, step: undefined, reason }
        counts = addCounts(counts, countsOfFailures([failure]))
        failures?.add(failure)
      },
    },
  )
  await verification.catch((error: unknown) => {
    // Interrupted: what was found so far is reported.
    if (!signal.aborted) throw error
  })
  return counts
}

function storedKey(key: Finding['key']): Item {
  return Object.fromEntries(
    Object.entries(key).map(([name, value]) => {
      if (typeof value === 'string') return [name, { S: value }]
      if (value instanceof Uint8Array) return [name, { B: Buffer.from(value).toString('base64') }]
      return [name, { N: String(value) }]
    }),
  )
}
