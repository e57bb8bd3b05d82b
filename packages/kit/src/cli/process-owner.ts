import { hostname, userInfo } from 'node:os'

/** Who this process is, for the messages of others: `ada@laptop, process 4711`. */
export function processOwner(): string {
  return `${userInfo().username}@${hostname()}, process ${process.pid}`
}
