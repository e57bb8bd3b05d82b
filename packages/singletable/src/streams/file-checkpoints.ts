import { SingletableError } from '../errors/singletable-error.ts'
import { getOwn, setOwn } from '../values/own.ts'
import type { Checkpoint, Checkpoints } from './checkpoints.ts'

const FORMAT = 1

interface CheckpointFile {
  readonly format: typeof FORMAT
  readonly streams: { readonly [streamArn: string]: Checkpoint }
}

/**
 * Checkpoints in a JSON file, which is replaced as a whole, so that a crash leaves the one before
 * or the one after. For one process at a time.
 */
export function fileCheckpoints(path: string): Checkpoints {
  return {
    load: async (streamArn) => getOwn((await readFile(path)).streams, streamArn),
    async save(streamArn, checkpoint) {
      // Imported here so that a bundle for other platforms can leave it out.
      const { open, rename } = await import('node:fs/promises')
      const streams = { ...(await readFile(path)).streams }
      setOwn(streams, streamArn, checkpoint)
      const file: CheckpointFile = { format: FORMAT, streams }
      const handle = await open(`${path}.new`, 'w')
      try {
        await handle.writeFile(JSON.stringify(file, undefined, 2))
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(`${path}.new`, path)
    },
  }
}

async function readFile(path: string): Promise<CheckpointFile> {
  const { readFile: read } = await import('node:fs/promises')
  let text: string
  try {
    text = await read(path, 'utf8')
  } catch (error) {
    if (Object(error).code === 'ENOENT') return { format: FORMAT, streams: {} }
    throw error
  }
  try {
    const file = JSON.parse(text) as CheckpointFile
    if (file.format === FORMAT && typeof file.streams === 'object') return file
  } catch {
    // Falls through to the error below, which says what to do.
  }
  throw new SingletableError('CHECKPOINT_INVALID', {
    what: `The file "${path}" holds no checkpoints of this version.`,
    where: 'fileCheckpoints()',
    fix: 'give another path, or delete the file: the poller then starts at its option "from"',
  })
}
