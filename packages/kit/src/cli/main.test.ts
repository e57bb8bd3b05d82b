import { expect, test } from 'vitest'
import type { Command } from './command.ts'
import { main } from './main.ts'

async function run(
  parameters: readonly string[],
  commands?: readonly Command[],
): Promise<{ code: number; printed: string; complaints: string }> {
  const printed: string[] = []
  const complaints: string[] = []
  const code = await main(
    parameters,
    { print: (text) => printed.push(text), printError: (text) => complaints.push(text) },
    commands,
  )
  return { code, printed: printed.join('\n'), complaints: complaints.join('\n') }
}

const echo: Command = {
  name: 'echo',
  summary: 'repeats its arguments',
  async run(parameters, output) {
    output.print(parameters.join(' '))
    return 7
  },
}

test.each(['--help', '-h', 'help'])('%s prints the usage and the commands', async (option) => {
  const { code, printed, complaints } = await run([option], [echo])
  expect(code).toBe(0)
  expect(printed).toContain('Usage: singletable <command> [options]')
  expect(printed).toContain('  echo  repeats its arguments')
  expect(complaints).toBe('')
})

test('without a command the help is printed', async () => {
  expect(await run([])).toEqual(await run(['--help']))
})

test('--version prints the version of the package alone', async () => {
  const { code, printed } = await run(['--version'])
  expect(code).toBe(0)
  expect(printed).toMatch(/^\d+\.\d+\.\d+$/)
})

test('an unknown command is named in the complaint and ends with 2', async () => {
  expect(await run(['explode'])).toEqual({
    code: 2,
    printed: '',
    complaints: 'singletable: There is no command "explode".\n  fix:    see singletable --help',
  })
})

test('a mistake in the arguments of a command is reported, as JSON if asked', async () => {
  expect((await run(['ecko'], [echo])).complaints).toContain('"ecko" (did you mean "echo"?).')
  const { complaints } = await run(['ecko', '--json'], [echo])
  expect(JSON.parse(complaints)).toEqual({
    error: {
      exitCode: 2,
      message: 'There is no command "ecko" (did you mean "echo"?).',
      fix: 'see singletable --help',
    },
  })
})

test('help before a command is its --help', async () => {
  expect((await run(['help', 'echo'], [echo])).printed).toBe('--help')
})

test('an unknown option is called an option', async () => {
  const { code, complaints } = await run(['--explode'])
  expect(code).toBe(2)
  expect(complaints).toContain('There is no option "--explode"')
})

test('a command gets what follows its name and decides the exit code', async () => {
  const { code, printed } = await run(['echo', 'a', '--help'], [echo])
  expect(code).toBe(7)
  expect(printed).toBe('a --help')
})
