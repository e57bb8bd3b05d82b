import { type ParseArgsConfig, parseArgs } from 'node:util'
import { UsageError } from './usage-error.ts'

/** An option as it is declared once: parsing, help and completion of shells are made of it. */
export interface OptionSpecification {
  /** Without the dashes. */
  readonly name: string
  readonly short?: string
  /** A name that it had before, and that is still understood. */
  readonly formerly?: string
  /** The name of its value, such as `file`; a flag has none. */
  readonly value?: string
  /** Can be given several times. */
  readonly repeatable?: boolean
  /** The values there are; others are refused. */
  readonly choices?: readonly string[]
  /** What shells offer as its value: paths, or names that the schema has. */
  readonly completes?: 'file' | 'directory' | SchemaNames
  /** Its value can be several names with commas between them. */
  readonly isList?: boolean
  readonly text: string
}

/** Names that shells look up, by a run of `completion names`. */
export type SchemaNames = 'pattern' | 'entity' | 'index' | 'rule'

export interface OptionGroup {
  /** Such as "Where the table is". */
  readonly title: string
  readonly options: readonly OptionSpecification[]
}

export interface ArgumentSpecification {
  /** As the usage shows it: `<pattern>`, `[key=value…]`. */
  readonly name: string
  readonly text: string
  /** The option that it is short for. */
  readonly option?: string
  /** The words it can be. */
  readonly choices?: readonly string[]
  /** Names that the schema has. */
  readonly completes?: SchemaNames
}

export interface CommandSpecification {
  /** What is typed after `singletable`: `query`, `table create`. */
  readonly name: string
  readonly summary: string
  readonly arguments?: readonly ArgumentSpecification[]
  readonly groups: readonly OptionGroup[]
  /** What the help says after the options. */
  readonly notes?: readonly string[]
  /** What it ends with, where that is not as with other commands. */
  readonly exitCodes?: string
  /** Commands that are typed after its name; it has no arguments or options of its own then. */
  readonly subcommands?: readonly CommandSpecification[]
}

/** What was typed, by the names of the declared options. */
export interface Parameters {
  readonly positionals: readonly string[]
  /** The value of an option, or undefined if it was not given. */
  text(name: string): string | undefined
  /** All values of a repeatable option. */
  values(name: string): readonly string[]
  /** Whether a flag was given. */
  flag(name: string): boolean
  /**
   * The environment of the project's config that was chosen, and whether it asks before a command
   * writes.
   */
  readonly environment?: { readonly name: string; readonly confirm: boolean } | undefined
}

/** Every command has these. */
export const COMMON_OPTIONS: OptionGroup = {
  title: 'What it prints',
  options: [
    { name: 'json', text: 'print JSON, for programs; errors too' },
    { name: 'wide', text: 'show full values, even if they are wider than the terminal' },
    { name: 'no-color', text: 'no colours (the same as the variable NO_COLOR)' },
    { name: 'help', short: 'h', text: 'show this help' },
  ],
}

const EXIT_CODES =
  'Exit codes: 0 success, 1 failure, 2 invalid arguments, 3 the schema or the connection is not available.'

/** All options of a command, the common ones at the end. */
export function optionsOf(specification: CommandSpecification): readonly OptionSpecification[] {
  return [...specification.groups, COMMON_OPTIONS].flatMap(({ options }) => options)
}

/**
 * Reads what was typed; refuses options that are not declared and values that are none of an
 * option's.
 */
export function parseParameters(
  specification: CommandSpecification,
  parameters: readonly string[],
): Parameters {
  const declared = optionsOf(specification)
  const options: NonNullable<ParseArgsConfig['options']> = {}
  for (const { name, formerly, short, value, repeatable } of declared) {
    const type = value === undefined ? 'boolean' : 'string'
    const multiple = repeatable === true
    options[name] = { type, multiple, ...(short !== undefined && { short }) }
    if (formerly !== undefined) options[formerly] = { type, multiple }
  }
  const seeHelp = `see singletable ${specification.name} --help`
  let parsed: { values: Record<string, unknown>; positionals: string[] }
  try {
    parsed = parseArgs({ args: [...parameters], options, allowPositionals: true })
  } catch (error) {
    // The first sentence of Node's message says what is wrong; the rest is advice for other
    // programs.
    const text = error instanceof Error ? error.message : String(error)
    const sentence = text.split('. ')[0]?.replace(/\.$/, '') ?? ''
    const [, ambiguous] =
      /^Option '(?:-\w, )?--([\w-]+).*' argument is ambiguous/.exec(sentence) ?? []
    if (ambiguous !== undefined) {
      const given = parameters[parameters.indexOf(`--${ambiguous}`) + 1] ?? ''
      throw new UsageError(
        `--${ambiguous} has no value: "${given}" looks like another option.`,
        `write --${ambiguous}=${given} if that is its value`,
      )
    }
    const [, unknown] = /^Unknown option '(-.*)'/.exec(sentence) ?? []
    const word = unknown?.replace(/^-+/, '')
    const holder = declared.find(({ choices }) => word !== undefined && choices?.includes(word))
    if (holder) throw new UsageError(`${sentence}.`, `use --${holder.name} ${word}`)
    const known = declared.map((option) => `--${option.name}`)
    throw new UsageError(
      `${sentence}.`,
      seeHelp,
      unknown === undefined ? undefined : { word: unknown, known },
    )
  }
  const values = new Map(Object.entries(parsed.values))
  for (const { name, formerly } of declared) {
    const value = formerly === undefined ? undefined : values.get(formerly)
    if (value !== undefined && !values.has(name)) values.set(name, value)
  }
  const valuesOf = (name: string): readonly string[] =>
    [values.get(name) ?? []].flat().filter((value) => typeof value === 'string')
  for (const { name, choices } of declared) {
    const wrong = choices && valuesOf(name).find((value) => !choices.includes(value))
    if (wrong !== undefined) {
      const known = choices ?? []
      throw new UsageError(`--${name} is "${wrong}".`, `use one of ${known.join(', ')}`, {
        word: wrong,
        known,
      })
    }
  }
  for (const [at, { option }] of (specification.arguments ?? []).entries()) {
    const word = parsed.positionals[at]
    if (option === undefined || word === undefined) continue
    if (values.has(option)) {
      throw new UsageError(`"${word}" and --${option} can't be combined.`, `leave --${option} out`)
    }
    values.set(option, word)
  }
  const isHelp = values.get('help') === true
  const isShort = specification.arguments?.every(({ option }) => option !== undefined) ?? true
  const first = isShort ? parsed.positionals[specification.arguments?.length ?? 0] : undefined
  if (first !== undefined && !isHelp) {
    throw new UsageError(`Unexpected argument "${first}".`, seeHelp)
  }
  return {
    positionals: parsed.positionals,
    text: (name) => valuesOf(name).at(-1),
    values: valuesOf,
    flag: (name) => values.get(name) === true,
  }
}

/** A whole number among the options, within bounds. */
export function wholeNumber(
  parameters: Parameters,
  name: string,
  { min = 0, max }: { readonly min?: number; readonly max: number },
): number | undefined {
  const text = parameters.text(name)
  if (text === undefined) return undefined
  if (/^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text)
  throw new UsageError(`--${name} is "${text}".`, `give a whole number from ${min} to ${max}`)
}

/** What `--help` prints. */
export function helpText(specification: CommandSpecification): string {
  const { name, summary, groups, notes = [], subcommands } = specification
  const head = `singletable ${name}: ${summary}`
  if (subcommands) {
    const rows = subcommands.map((each): Row => [each.name, each.summary])
    return [
      `${head}\n`,
      `Usage: singletable ${name} <${subcommands.map((each) => each.name.split(' ').at(-1)).join('|')}> [options]\n`,
      `Commands:\n${layOut(rows)}\n`,
      `Each has its own --help.`,
    ].join('\n')
  }
  const given = specification.arguments ?? []
  const words = given.map((each) => each.name)
  // After the dashes comes another command, with options of its own.
  const isLast = words.some((word) => word.startsWith('-- '))
  const order = isLast ? ['[options]', ...words] : [...words, '[options]']
  const usage = ['Usage: singletable', name, ...order]
  const sections = [head, usage.join(' ')]
  const lefts = [
    ...given.map((each) => each.name.length),
    ...optionsOf(specification).map((option) => signature(option).length),
  ]
  const width = Math.max(...lefts.filter((length) => length <= LEFT_COLUMNS_MAX))
  if (given.length > 0) {
    sections.push(
      layOut(
        given.map((each): Row => [each.name, each.text]),
        width,
      ),
    )
  }
  for (const { title, options } of [...groups, COMMON_OPTIONS]) {
    const rows = options.map((option): Row => [signature(option), option.text])
    sections.push(`${title}:\n${layOut(rows, width)}`)
  }
  return [...sections, ...notes, specification.exitCodes ?? EXIT_CODES].join('\n\n')
}

/** A wider signature gets a line of its own, so that the descriptions stay near the left. */
const LEFT_COLUMNS_MAX = 40

type Row = readonly [string, string]

function signature({ name, short, value, choices }: OptionSpecification): string {
  const shown = choices ? choices.join('|') : value
  return `${short ? `-${short}, ` : ''}--${name}${value === undefined ? '' : ` <${shown}>`}`
}

function layOut(rows: readonly Row[], given?: number): string {
  const width = given ?? Math.max(...rows.map(([left]) => left.length))
  const margin = ' '.repeat(width + 4)
  return rows
    .map(([left, right]) => {
      const gap = left.length > width ? `\n${margin}` : ' '.repeat(width + 2 - left.length)
      return `  ${left}${gap}${right.replaceAll('\n', `\n${margin}`)}`
    })
    .join('\n')
}
