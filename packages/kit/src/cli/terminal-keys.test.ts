import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { terminalKeys } from './terminal-keys.ts'

/** A terminal that notes its modes, and a process that notes its signals. */
function fakeTerminal({ isForeground = true } = {}) {
  const log: string[] = []
  const input = Object.assign(new EventEmitter(), {
    setRawMode: (isRaw: boolean) => void log.push(isRaw ? 'raw' : 'restored'),
    resume: () => {},
    pause: () => {},
  })
  const host = Object.assign(new EventEmitter(), {
    pid: 7,
    kill: (pid: number, signal: string) => void log.push(`${signal} to ${pid}`),
  })
  const state = { isForeground }
  const keys = terminalKeys(input, { host, isForeground: () => state.isForeground })
  const end = keys.onKey((key) => void log.push(key))
  return { log, input, host, state, end }
}

test('keys are given one by one, and the terminal is as before afterwards', () => {
  const { log, input, host, end } = fakeTerminal()
  input.emit('data', Buffer.from('pq'))
  input.emit('data', '\u001b[15~p')
  end()
  input.emit('data', 'p')
  expect(log).toEqual(['raw', 'p', 'q', 'restored'])
  expect(host.eventNames()).toEqual([])
  end()
  expect(log).toHaveLength(4)
})

test('Ctrl-C remains a signal', () => {
  const { log, input } = fakeTerminal()
  input.emit('data', '\u0003')
  expect(log).toEqual(['raw', 'SIGINT to 7'])
})

test('the end of the process restores the terminal', () => {
  const { log, host } = fakeTerminal()
  host.emit('exit')
  expect(log).toEqual(['raw', 'restored'])
})

test.skipIf(process.platform === 'win32')(
  'a process that is suspended restores the terminal, and reads keys when it is in front again',
  () => {
    const { log, input, host, state } = fakeTerminal()
    input.emit('data', '\u001a')
    expect(log).toEqual(['raw', 'restored', 'SIGTSTP to 7'])
    state.isForeground = false
    host.emit('SIGCONT')
    expect(log).toHaveLength(3)
    state.isForeground = true
    host.emit('SIGCONT')
    expect(log.at(-1)).toBe('raw')
  },
)

test('a process in the background leaves the terminal alone', () => {
  const { log, end } = fakeTerminal({ isForeground: false })
  end()
  expect(log).toEqual([])
})
