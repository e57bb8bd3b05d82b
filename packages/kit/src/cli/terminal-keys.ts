import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The keys that are pressed while a long command runs. */
export interface Keys {
  /** Calls back at each key; the result ends that, and gives the terminal back as it was. */
  onKey(callback: (key: string) => void): () => void
}

/** What keys are read from: standard input, if it is a terminal. */
export interface KeyInput {
  setRawMode(isRaw: boolean): unknown
  on(event: 'data', callback: (data: Buffer | string) => void): unknown
  off(event: 'data', callback: (data: Buffer | string) => void): unknown
  resume(): unknown
  pause(): unknown
}

/** The parts of `process` that this needs. */
export interface KeyProcess {
  readonly pid: number
  on(event: 'exit' | 'SIGCONT', callback: () => void): unknown
  off(event: 'exit' | 'SIGCONT', callback: () => void): unknown
  kill(pid: number, signal: NodeJS.Signals): unknown
}

const ESCAPE = '\u001b'
/** What the terminal does itself unless keys are read one by one: Ctrl-C, Ctrl-Z and Ctrl-\. */
const SIGNAL_KEYS: ReadonlyMap<string, NodeJS.Signals> = new Map([
  ['\u0003', 'SIGINT'],
  ['\u001a', 'SIGTSTP'],
  ['\u001c', 'SIGQUIT'],
])

/** The keys of a terminal, one by one and without Enter. Ctrl-C stays what it is. */
export function terminalKeys(
  input: KeyInput,
  {
    host = process as KeyProcess,
    isForeground = isForegroundProcess,
  }: { readonly host?: KeyProcess; readonly isForeground?: () => boolean } = {},
): Keys {
  return {
    onKey(callback) {
      let isRaw = false
      const setRaw = (isWanted: boolean): void => {
        if (isRaw === isWanted) return
        isRaw = isWanted
        try {
          input.setRawMode(isWanted)
        } catch {
          // The terminal is gone, and nobody presses keys there.
        }
        if (isWanted) input.resume()
        else input.pause()
      }
      // A process in the background that asks for keys would be stopped by the terminal.
      const begin = (): void => setRaw(isForeground())
      const restore = (): void => setRaw(false)
      const read = (data: Buffer | string): void => {
        const text = data.toString()
        // Arrows and the like.
        if (text.startsWith(ESCAPE)) return
        for (const key of text) {
          const signal = SIGNAL_KEYS.get(key)
          if (signal === undefined) callback(key)
          else {
            if (signal !== 'SIGINT') restore()
            host.kill(host.pid, signal)
          }
        }
      }
      input.on('data', read)
      // Listening starts reading, which is for `begin` to decide.
      input.pause()
      host.on('exit', restore)
      if (process.platform !== 'win32') host.on('SIGCONT', begin)
      begin()
      return () => {
        input.off('data', read)
        host.off('exit', restore)
        host.off('SIGCONT', begin)
        restore()
      }
    },
  }
}

/** Whether the terminal gives its keys to this process, and not to one in front of it. */
function isForegroundProcess(): boolean {
  if (process.platform === 'win32') return true
  const [group, foreground] = terminalGroups()
  return group !== undefined && group === foreground
}

/** The process group of this process, and the one that the terminal gives its keys to. */
function terminalGroups(): readonly string[] {
  try {
    if (process.platform === 'linux') {
      // The name of the program, in brackets, may contain blanks. See proc(5).
      const [, , group = '', , , foreground = ''] = readFileSync('/proc/self/stat', 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      return [group, foreground]
    }
    const asked = ['-o', 'pgid=,tpgid=', '-p', String(process.pid)]
    return spawnSync('ps', asked, { encoding: 'utf8' }).stdout.trim().split(/\s+/)
  } catch {
    return []
  }
}
