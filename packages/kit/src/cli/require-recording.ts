import type { Recording } from '../check/evidence/recording.ts'
import { RecordingError, readRecording } from '../recorder/recording-file.ts'
import { EnvironmentError } from './usage-error.ts'

/** What `singletable recorder` wrote into a file that the caller named. */
export function requireRecording(file: string): Recording {
  try {
    return readRecording(file)
  } catch (cause) {
    if (!(cause instanceof RecordingError)) throw cause
    throw new EnvironmentError(
      `The recording can't be used: ${cause.message}.`,
      file,
      'record it again with singletable recorder -- <command…>',
      { cause },
    )
  }
}
