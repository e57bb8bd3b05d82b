import { expect, test } from 'vitest'
import { describeFailure } from './failure-report.ts'
import { type CommandSpecification, helpText, parseParameters, wholeNumber } from './help.ts'

const specification: CommandSpecification = {
  name: 'bake',
  summary: 'bakes a cake',
  arguments: [{ name: '<cake>', text: 'which one' }],
  groups: [
    {
      title: 'How',
      options: [
        { name: 'heat', value: 'degrees', text: 'how hot' },
        { name: 'oven', value: 'kind', choices: ['gas', 'wood'], text: 'which oven' },
        { name: 'fruit', value: 'name', repeatable: true, text: 'what is in it' },
        { name: 'fast', short: 'f', text: 'in a hurry' },
      ],
    },
  ],
  notes: ['Eat it warm.'],
}

test('what is declared can be read', () => {
  const given = parseParameters(specification, ['plum', '-f', '--fruit', 'a', '--fruit=b'])
  expect(given.positionals).toEqual(['plum'])
  expect(given.flag('fast')).toBe(true)
  expect(given.flag('json')).toBe(false)
  expect(given.values('fruit')).toEqual(['a', 'b'])
  expect(given.text('heat')).toBeUndefined()
})

test.each([
  [['--cold'], "Unknown option '--cold'."],
  [['--haet', '200'], `Unknown option '--haet' (did you mean "--heat"?).`],
  [['--fog'], "Unknown option '--fog'."],
  [['--oven', 'good'], '--oven is "good" (did you mean "wood"?).'],
  [['--heat'], "Option '--heat <value>' argument missing."],
  [['--oven', 'sun'], '--oven is "sun".'],
  [['--heat', '-3'], '--heat has no value: "-3" looks like another option.'],
])('%s is refused', (parameters, message) => {
  try {
    parseParameters(specification, parameters)
    expect.unreachable()
  } catch (error) {
    expect(describeFailure(error).message).toBe(message)
  }
})

test('an argument can stand for an option, and is refused next to it', () => {
  const short = { ...specification, arguments: [{ name: '[heat]', text: '', option: 'heat' }] }
  expect(parseParameters(short, ['200']).text('heat')).toBe('200')
  expect(() => parseParameters(short, ['200', '--heat', '180'])).toThrow("can't be combined")
  expect(() => parseParameters(short, ['200', '180'])).toThrow('Unexpected argument "180".')
})

test('a word is refused where there are no arguments', () => {
  const { arguments: _, ...without } = specification
  expect(() => parseParameters(without, ['plum'])).toThrow('Unexpected argument "plum".')
})

test.each(['', '-1', '1.5', '0', '301', '1e2'])('the number "%s" is out of bounds', (text) => {
  const given = parseParameters(specification, [`--heat=${text}`])
  expect(() => wholeNumber(given, 'heat', { min: 1, max: 300 })).toThrow('--heat is "')
})

test('the help shows everything that is declared', () => {
  expect(helpText(specification)).toMatchInlineSnapshot(`
    "singletable bake: bakes a cake

    Usage: singletable bake <cake> [options]

      <cake>             which one

    How:
      --heat <degrees>   how hot
      --oven <gas|wood>  which oven
      --fruit <name>     what is in it
      -f, --fast         in a hurry

    What it prints:
      --json             print JSON, for programs; errors too
      --wide             show full values, even if they are wider than the terminal
      --no-color         no colours (the same as the variable NO_COLOR)
      -h, --help         show this help

    Eat it warm.

    Exit codes: 0 success, 1 failure, 2 invalid arguments, 3 the schema or the connection is not available."
  `)
})

test('a long name is on its own line and does not push the rest to the right', () => {
  const long = { name: `<${'word|'.repeat(12)}word>`, text: 'one of them' }
  const lines = helpText({ ...specification, arguments: [long] }).split('\n')
  expect(lines).toContain(`  ${long.name}`)
  expect(lines).toContain('                     one of them')
  expect(lines).toContain('  --heat <degrees>   how hot')
})

test('an option that is a value of another one gets that as its fix', () => {
  try {
    parseParameters(specification, ['--wood'])
    expect.unreachable()
  } catch (error) {
    expect(describeFailure(error).fix).toBe('use --oven wood')
  }
})
