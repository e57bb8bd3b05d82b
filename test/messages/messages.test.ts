import path from 'node:path'
import { SingletableError } from 'singletable'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { CALLS, CONNECTIONS, fill, NAMES, SCHEMAS, VALUES } from './mistakes.ts'

/** Every message that a newcomer is likely to meet, whole, so that a change of any of them is read
 * by somebody. */
const GROUPS = { CONNECTIONS, NAMES, VALUES, CALLS, SCHEMAS }
const GOLDEN = path.join(import.meta.dirname, '__golden__')

beforeAll(async () => {
  for (const name of Object.keys(process.env)) {
    if (name.startsWith('AWS_')) vi.stubEnv(name, undefined)
  }
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
  vi.stubEnv('AWS_CONFIG_FILE', '/nonexistent')
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nonexistent')
  await fill()
})

afterAll(() => {
  vi.unstubAllEnvs()
})

test.each(Object.keys(GROUPS) as (keyof typeof GROUPS)[])(
  'what %s say: what went wrong, where, and a fix',
  async (group) => {
    const strings: string[] = []
    for (const [name, mistake] of Object.entries(GROUPS[group])) {
      const error = await errorOf(mistake)
      if (!SingletableError.is(error))
        throw new Error(`${name}: not an error of ours`, { cause: error })
      const { what, where, fix, message } = error
      for (const part of [what, where, fix]) expect(part, name).toMatch(/\w{2}/)
      expect(message, name).not.toMatch(/\[object|try again later/)
      // Lists of all options grow with the library.
      const shown = message
        .replace(/\n +more: .*/, '')
        .replace(/((?:\w+, ){4})(?:\w+, ){3}.*/g, '$1…')
      strings.push(`## ${name}\n\n${shown}\n`)
    }
    await expect(strings.join('\n')).toMatchFileSnapshot(
      path.join(GOLDEN, `${group.toLowerCase()}.txt`),
    )
  },
)

test('a value is shown shortened, and not at all if it is hidden', async () => {
  const long = await errorOf(VALUES['a long string that is not in the enum']!)
  expect(String(long)).toContain(`"${'y'.repeat(40)}"… (500 characters)`)
  expect(String(await errorOf(VALUES['a hidden value of another type']!))).not.toContain('12345678')
  expect(String(await errorOf(VALUES['a hidden value that is not valid']!))).not.toContain('secret')
})

async function errorOf(mistake: () => unknown): Promise<unknown> {
  try {
    const given = await mistake()
    return new Error(`it gave ${JSON.stringify(given)}`)
  } catch (error) {
    return error
  }
}
