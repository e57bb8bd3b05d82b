import type { Transport } from 'singletable'
import type { Traffic } from '../dev/traffic.ts'
import type { ChangeCauses } from '../recorder/change-causes.ts'
import type { PatternCalls } from '../recorder/pattern-calls.ts'
import type { LoadedSchema } from '../schema-file/load-schema.ts'

/** Serves the studio next to the engine. */
export type ServeStudio = (options: {
  readonly transport: Transport
  readonly tableName: string
  readonly loaded: LoadedSchema
  /** The folder of the project's migrations. */
  readonly migrations: string
  /** Requests of all programs that use the table. */
  readonly traffic: Traffic
  /** What `singletable recorder` writes. */
  readonly recording: string
  /** Queries of other programs by pattern. */
  readonly programs: PatternCalls
  /** What causes changes of the table. */
  readonly causes: ChangeCauses
  /** Loads the schema again after an edit. */
  readonly reload: () => Promise<LoadedSchema>
  readonly onFault: (line: string) => void
}) => Promise<{ readonly url: string; close(): Promise<void> }>

/** The studio; undefined where its page is not built, as in the sources of this repository. */
export async function findStudio(): Promise<ServeStudio | undefined> {
  const { hasPage, serveStudio } = await import('../studio/serve-studio.ts')
  if (!hasPage()) return undefined
  return (options) =>
    serveStudio({ ...options, place: 'singletable dev', isAws: false, isReadOnly: false })
}
