import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Design } from '../check/design/design.ts'
import { type CodeFacts, NO_CODE } from '../check/evidence/code-facts.ts'
import type { Evidence } from '../check/evidence/evidence.ts'
import type { Exercise } from '../check/evidence/exercise.ts'
import type { Recording } from '../check/evidence/recording.ts'
import type { LoadedDefinition } from '../schema-file/load-schema.ts'
import type { CommandOutput } from './command.ts'
import { tableNameOf } from './connect-options.ts'
import type { Parameters } from './help.ts'
import { createProgress } from './progress.ts'
import { readBefore } from './read-before.ts'
import { readSample } from './read-sample.ts'
import { interruptible, processStops } from './stops.ts'
import { EnvironmentError, UsageError } from './usage-error.ts'

export interface EvidencePlace {
  readonly given: Parameters
  readonly output: CommandOutput
  readonly loaded: LoadedDefinition
  /** As `2026-11-16`. */
  readonly today: string
}

export interface Gathered {
  readonly evidence: Evidence
  /** How long the patterns ran, if they did. */
  readonly exerciseMs: number | undefined
  /** Of what was ended before it was done. */
  readonly exitCode: number | undefined
  /** The run of the patterns was ended: there is nothing to report. */
  readonly isStopped?: boolean
}

/**
 * Gathers what else the options say is to be looked at. What an option does not name is not loaded.
 */
export async function gatherEvidence(design: Design, place: EvidencePlace): Promise<Gathered> {
  const { given, output, today, loaded } = place
  if (given.text('fixtures') !== undefined && !given.flag('run')) {
    throw new UsageError('--fixtures are for --run.', 'add --run')
  }
  const before = await readBefore(given, output)
  const recording = await readRecorded(place)
  const code = await readProjectCode(design, place)
  const read = await readSample(given, output, {
    tableName: () => tableNameOf(given, loaded),
    today,
  })
  const known: Evidence = { before, recording, code, sample: read?.sample }
  const document = given.flag('docs')
    ? await readDocument({ ...design, ...known }, place)
    : undefined
  const { exercise, exerciseMs, exitCode } = await runPatterns(design, place)
  return {
    evidence: { ...known, document, exercise },
    exerciseMs,
    isStopped: exitCode !== undefined,
    exitCode: read?.exitCode ?? exitCode,
  }
}

async function readRecorded({ given, output }: EvidencePlace): Promise<Recording | undefined> {
  const named = given.text('recording')
  if (named === undefined) return undefined
  const { requireRecording } = await import('./require-recording.ts')
  return requireRecording(path.resolve(output.directory ?? '.', named))
}

/** The code of all directories, with paths from the project. */
async function readProjectCode(
  design: Design,
  { given, output }: EvidencePlace,
): Promise<CodeFacts | undefined> {
  const directories = given.values('code')
  // Code is read by the names of the schema.
  if (directories.length === 0 || design.schema === undefined) return undefined
  const { readCode } = await import('../check/evidence/code/read-code.ts')
  const root = path.resolve(output.directory ?? '.')
  let all = NO_CODE
  for (const named of directories) {
    const directory = path.resolve(root, named)
    if (!existsSync(directory)) {
      throw new EnvironmentError('There is no such directory.', directory, 'name one that has code')
    }
    const facts = inProject(await readCode(directory, design), path.relative(root, directory))
    all = {
      files: all.files + facts.files,
      calls: [...all.calls, ...facts.calls],
      prefixed: [...all.prefixed, ...facts.prefixed],
      updates: [...all.updates, ...facts.updates],
      dropped: [...all.dropped, ...facts.dropped],
      propagates: all.propagates || facts.propagates,
      suppressions: [...all.suppressions, ...facts.suppressions],
      unread: [...all.unread, ...facts.unread],
    }
  }
  for (const { file, reason } of all.unread) {
    output.printError(`singletable check: ${file} ${reason}, and is left out.`)
  }
  if (all.files === 0) {
    output.printError(`singletable check: there is no code in ${directories.join(', ')}.`)
  }
  return all
}

function inProject(facts: CodeFacts, directory: string): CodeFacts {
  const moved = <T extends { readonly file: string }>(list: readonly T[]): readonly T[] =>
    list.map((each) => ({
      ...each,
      file: path.posix.join(directory.split(path.sep).join('/'), each.file),
    }))
  return {
    ...facts,
    calls: moved(facts.calls),
    prefixed: moved(facts.prefixed),
    updates: moved(facts.updates),
    dropped: moved(facts.dropped),
    suppressions: moved(facts.suppressions),
    unread: moved(facts.unread),
  }
}

async function readDocument(
  design: Design,
  { output }: EvidencePlace,
): Promise<Evidence['document']> {
  const { documentFile, readCommittedDocument } = await import('../docs/read-committed-document.ts')
  const directory = path.resolve(output.directory ?? '.')
  const document = await readCommittedDocument(design, directory)
  if (document === undefined) {
    const file = documentFile(directory)
    output.printError(
      existsSync(path.join(directory, file))
        ? `singletable check: ${file} is not compared: it contains a sample or a recording that was not given here, or was not written by singletable docs.`
        : 'singletable check: there is no document to compare with; singletable docs writes one.',
    )
  }
  return document
}

/** Runs the patterns. A signal stops that. */
async function runPatterns(
  design: Design,
  { given, output }: EvidencePlace,
): Promise<{ readonly exercise?: Exercise } & Omit<Gathered, 'evidence'>> {
  const nothing = { exerciseMs: undefined, exitCode: undefined }
  if (!given.flag('run')) return nothing
  const { exercisePatterns } = await import('../check/exercise/exercise-patterns.ts')
  const named = given.text('fixtures')
  const { schema } = design
  const fixtures =
    named === undefined || schema === undefined
      ? undefined
      : await (await import('./read-fixtures.ts')).readFixtures(
          path.resolve(output.directory ?? '.', named),
          { schema },
        )
  const progress = createProgress({ output, unit: 'patterns', title: 'run' })
  const interruption = interruptible(output.stops ?? processStops, () =>
    output.printError('interrupted: not all patterns were run, and nothing is reported'),
  )
  try {
    const exercise = await exercisePatterns(design, {
      fixtures,
      signal: interruption.signal,
      onProgress: (done, total) => progress.update(done, total),
    })
    return { exercise, exerciseMs: progress.end().elapsedMs, exitCode: undefined }
  } catch (error) {
    progress.end()
    if (!interruption.signal.aborted) throw error
    return { ...nothing, exitCode: interruption.exitCode }
  } finally {
    interruption.end()
  }
}
