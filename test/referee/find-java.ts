import { spawnSync } from 'node:child_process'
import path from 'node:path'

const JAVA_VERSION_MIN = 17

/** The command of a Java that can run DynamoDB Local, or `undefined`. */
export function findJava(): string | undefined {
  const candidates = ['java']
  const home = process.env.JAVA_HOME
  if (home) candidates.unshift(path.join(home, 'bin', 'java'))
  return candidates.find((command) => {
    const answer = spawnSync(command, ['-version'], { encoding: 'utf8' })
    return answer.status === 0 && javaMajorVersion(answer.stderr) >= JAVA_VERSION_MIN
  })
}

/** The major version in what `java -version` prints; 0 when there is none. Java 8 called itself
 * 1.8. */
export function javaMajorVersion(output: string): number {
  const match = /version "(?:1\.)?(\d+)/.exec(output)
  return match ? Number(match[1]) : 0
}
