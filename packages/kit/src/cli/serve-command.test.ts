import { expect, test } from 'vitest'
import { runServe } from './serve-command.ts'
import type { Stops } from './stops.ts'

/** Nothing stops what should never start. */
const never: Stops = { onSignal: () => () => {}, exit: () => {} }

async function refusal(
  ...parameters: readonly string[]
): Promise<{ code: number; complaints: string; printed: string }> {
  const printed: string[] = []
  const complaints: string[] = []
  const output = {
    print: (text: string) => void printed.push(text),
    printError: (text: string) => void complaints.push(text),
  }
  const code = await runServe(parameters, output, never)
  return { code, complaints: complaints.join('\n'), printed: printed.join('\n') }
}

test('--help names every option', async () => {
  const { code, printed } = await refusal('--help')
  expect(code).toBe(0)
  for (const option of [
    'port',
    'host',
    'data',
    'durability',
    'region',
    'transition-ms',
    'fault',
    'verify-signatures',
    'allow-host',
    'cors-origin',
    'allow-insecure-network',
    'json',
    'help',
  ]) {
    expect(printed).toContain(`--${option}`)
  }
})

test.each([
  [['--nonsense'], "Unknown option '--nonsense'"],
  [['extra'], 'Unexpected argument "extra"'],
  [['--port'], "Option '--port <value>' argument missing"],
  [['--port', 'http'], '--port is "http"'],
  [['--port', '65536'], '--port is "65536"'],
  [['--port', '-1'], '--port'],
  [['--durability', 'os'], '--data is not given'],
  [['--durability', 'never', '--data', 'x'], '--durability is "never"'],
  [['--transition-ms', 'soon'], '--transition-ms is "soon"'],
  [['--region', 'Somewhere!'], 'region'],
  [['--cors-origin', '*'], '"*" is not a web origin'],
  [['--cors-origin', 'http://localhost:1/x'], 'is not a web origin'],
  [['--verify-signatures', 'canary'], '--verify-signatures needs an access key id and a secret'],
  [['--fault', 'nonsense'], 'there is no fault of kind "nonsense"'],
  [['--fault', 'latency'], 'ms is undefined'],
  [['--fault', 'latency:ms=soon'], 'ms is "soon"'],
  [['--fault', 'throttle:colour=red'], 'there is no member "colour"'],
  [['--fault', 'throttle:ms=5'], 'has no member "ms"'],
  [['--fault', 'throttle:operation=Frobnicate'], 'there is no operation "Frobnicate"'],
  [['--fault', 'error:operation=PutItem'], 'when is'],
  [['--host', '0.0.0.0'], 'other machines could read and write everything'],
])('%j is refused with 2', async (parameters, complaint) => {
  const { code, complaints, printed } = await refusal(...parameters)
  expect(complaints).toContain(complaint)
  expect(complaints).toContain('fix:')
  expect(complaints).not.toContain('canary')
  expect(complaints).not.toMatch(/\n\s+at /)
  expect({ code, printed }).toEqual({ code: 2, printed: '' })
})

test('it listens until a signal, and then ends with 0', async () => {
  let signal: ((name: 'SIGINT' | 'SIGTERM') => void) | undefined
  const printed: string[] = []
  const stops: Stops = {
    onSignal: (callback) => {
      signal = callback
      return () => {}
    },
    exit: () => {},
  }
  const output = {
    print: (text: string) => {
      printed.push(text)
      signal?.('SIGTERM')
    },
    printError: () => {},
  }
  expect(await runServe(['--port', '0'], output, stops)).toBe(0)
  expect(printed).toEqual([expect.stringMatching(/^listening on http:\/\/127\.0\.0\.1:\d+$/)])
})
