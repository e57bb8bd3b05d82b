import { statSync } from 'node:fs'
import path from 'node:path'
import type { Recording } from '../../check/evidence/recording.ts'
import { coverageOf } from '../../recorder/coverage.ts'
import { RecordingError, readRecording } from '../../recorder/recording-file.ts'
import type { PatternRun, PatternRuns } from './contract.ts'
import type { StudioSource } from './studio-source.ts'

/** Which patterns were run: by recorded tests, here, and by other programs. */
export function runsOf({ connection, calls, schema }: StudioSource): PatternRuns {
  const { recording: file, programs } = connection
  const { view, recording } = readFile(file)
  const recorded = new Map(
    recording
      ? coverageOf(schema, recording).run.map(({ pattern, requests }) => [pattern, requests])
      : [],
  )
  const patterns = [...schema.patterns.keys()].map(
    (pattern): PatternRun => ({
      pattern,
      recorded: recorded.get(pattern) ?? null,
      studio: calls.figures(pattern) ?? null,
      programs: programs?.figures(pattern) ?? null,
    }),
  )
  return {
    recording: view,
    isShared: programs !== undefined,
    patterns: patterns.filter((each) => each.recorded ?? each.studio ?? each.programs),
  }
}

/** Read each time: tests may have been recorded meanwhile. */
function readFile(file: string | undefined): {
  readonly view: PatternRuns['recording']
  readonly recording?: Recording
} {
  const stats = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })
  if (file === undefined || stats === undefined) return { view: null }
  const view = { file: path.basename(file), at: stats.mtime.toISOString(), problem: null }
  try {
    return { view, recording: readRecording(file) }
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error
    return { view: { ...view, problem: error.message } }
  }
}
