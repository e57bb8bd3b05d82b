import { mkdirSync, statSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'

/** Where compiled code is kept: in the temporary folder of this user alone, because what is kept
 * there is run. */
export function cacheFolder(): string | undefined {
  const { uid } = userInfo()
  const folder = path.join(tmpdir(), `singletable-${uid}`)
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true })
    const stats = statSync(folder)
    // Where somebody else could have put something there, nothing is kept.
    const isOwn = stats.uid === uid && (stats.mode & 0o022) === 0
    return isOwn || process.platform === 'win32' ? folder : undefined
  } catch {
    return undefined
  }
}
