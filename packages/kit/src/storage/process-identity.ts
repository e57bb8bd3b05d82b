import { readFileSync, readlinkSync } from 'node:fs'
import { uptime } from 'node:os'

/** Which process this is, among all that have been and will be. */
export interface ProcessIdentity {
  readonly pid: number
  /** When the process began, in ticks since the machine did; empty where the system does not
   * say. */
  readonly started: string
  /** This start of the machine: its id, or where there is none, about when it was. */
  readonly boot: string
  /** Within what the number of the process is unique: containers have their own. */
  readonly namespace: string
}

export function ownIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    started: startedOf(process.pid) ?? '',
    boot: bootOf(),
    namespace: namespaceOf(),
  }
}

/** Whether a process is there. `undefined`: it belongs to another container of this machine, whose
 * processes can't be seen from here. */
export function isRunning(identity: ProcessIdentity): boolean | undefined {
  if (!isSameBoot(identity.boot)) return false
  if (identity.namespace !== namespaceOf()) return undefined
  if (identity.started !== '') return startedOf(identity.pid) === identity.started
  try {
    process.kill(identity.pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Undefined if there is no such process, or nothing is left of it but its number. */
function startedOf(pid: number): string | undefined {
  const stat = readText(`/proc/${pid}/stat`)
  // The name of the program, in brackets, may hold anything.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state === '' || state === 'Z' || state === 'X' ? undefined : fields[STARTED_FIELD]
}

/** The 22nd of all, of which the number, the name and the state have been taken. */
const STARTED_FIELD = 18
/** Clocks are set, and read one after the other. */
const BOOT_TOLERANCE_SECONDS = 60

function bootOf(): string {
  const id = readText('/proc/sys/kernel/random/boot_id').trim()
  return id === '' ? String(Math.round(Date.now() / 1000 - uptime())) : id
}

function isSameBoot(boot: string): boolean {
  const own = bootOf()
  return own === boot || Math.abs(Number(own) - Number(boot)) < BOOT_TOLERANCE_SECONDS
}

function namespaceOf(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
