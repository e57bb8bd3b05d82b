import type { Command, CommandOutput } from './command.ts'
import {
  type CommandSpecification,
  type OptionSpecification,
  optionsOf,
  type Parameters,
} from './help.ts'
import { runCommand } from './run-command.ts'
import { loadGivenSchema, SCHEMA_OPTIONS } from './schema-options.ts'
import { EXIT_DONE, UsageError } from './usage-error.ts'

const SHELLS = ['bash', 'zsh', 'fish']

export const COMPLETION_COMMAND: CommandSpecification = {
  name: 'completion',
  summary: 'prints a completion script for a shell',
  arguments: [
    { name: '<bash|zsh|fish>', text: 'the shell', choices: SHELLS },
    {
      name: '[kind]',
      text: 'after the word names: prints the names of the schema that scripts ask for: pattern, entity, index, rule',
    },
  ],
  groups: [SCHEMA_OPTIONS],
  notes: [
    'bash:  source <(singletable completion bash)\nzsh:   source <(singletable completion zsh)\nfish:  singletable completion fish | source',
  ],
}

/** Prints a script that is made of what the commands declare. */
export function runCompletion(
  parameters: readonly string[],
  output: CommandOutput,
  available: readonly Command[],
): Promise<number> {
  return runCommand(COMPLETION_COMMAND, parameters, output, async (given) => {
    const [shell, kind] = given.positionals
    if (shell === 'names' && kind !== undefined) {
      output.print((await namesOf(kind, given, output)).join('\n'))
      return EXIT_DONE
    }
    if (shell === undefined || !SHELLS.includes(shell)) {
      throw new UsageError(
        shell === undefined ? 'The shell is not named.' : `There is no completion for "${shell}".`,
        `use one of ${SHELLS.join(', ')}`,
      )
    }
    const commands = await describeAll(available)
    output.print(shell === 'fish' ? fishScript(commands) : bashScript(commands, shell === 'zsh'))
    return EXIT_DONE
  })
}

async function namesOf(
  kind: string,
  given: Parameters,
  output: CommandOutput,
): Promise<readonly string[]> {
  if (kind === 'rule') {
    const { ALL_RULES } = await import('../check/rules/all-rules.ts')
    return ALL_RULES.map(({ code }) => code)
  }
  const { schema } = await loadGivenSchema(given, output.directory)
  const named = new Map<string, ReadonlyMap<string, unknown>>([
    ['pattern', schema.patterns],
    ['entity', schema.models],
    ['index', schema.indexes],
  ]).get(kind)
  if (named) return [...named.keys()]
  throw new UsageError(`There are no names of "${kind}".`, 'use pattern, entity, index or rule')
}

/** What prints the names that a shell offers. */
function askNames(kind: string): string {
  return `singletable completion names ${kind} 2>/dev/null`
}

/** What can follow the words typed so far. */
interface Completion {
  /** Names of the schema that can follow as well. */
  readonly names?: string | undefined
  /** The words: empty at the beginning, then such as `table create`. */
  readonly path: string
  readonly words: readonly { readonly word: string; readonly text: string }[]
  readonly options: readonly OptionSpecification[]
}

async function describeAll(available: readonly Command[]): Promise<readonly Completion[]> {
  const completions: Completion[] = [
    {
      path: '',
      words: available.map(({ name, summary }) => ({ word: name, text: summary })),
      options: [],
    },
  ]
  for (const command of available) {
    const specification = await command.describe?.()
    if (specification !== undefined) completions.push(...completionsOf(specification))
  }
  return completions
}

function completionsOf(specification: CommandSpecification): readonly Completion[] {
  const { name, subcommands } = specification
  if (subcommands) {
    const words = subcommands.map((each) => ({
      word: each.name.slice(name.length + 1),
      text: each.summary,
    }))
    return [{ path: name, words, options: [] }, ...subcommands.flatMap(completionsOf)]
  }
  const words = (specification.arguments ?? []).flatMap(({ choices = [] }) =>
    choices.map((word) => ({ word, text: '' })),
  )
  const names = specification.arguments?.find(({ completes }) => completes)?.completes
  return [{ path: name, words, options: optionsOf(specification), names }]
}

/** One script for both: zsh understands bash's way of completion once it is asked to. */
function bashScript(completions: readonly Completion[], isZsh: boolean): string {
  const cases = completions.map(({ path, words, options, names }) => {
    const all = [...words.map(({ word }) => word), ...options.map(({ name }) => `--${name}`)]
    const asked = names === undefined ? '' : `" $(${askNames(names)})"`
    return `    ${quote(path)}) offered=${quote(all.join(' '))}${asked} ;;`
  })
  // The same option can take other values in another command.
  const values = new Map<string, string[]>()
  for (const { path, options } of completions) {
    for (const option of options) {
      const reply = bashReply(option)
      if (reply === undefined) continue
      const places = values.get(reply) ?? []
      values.set(reply, places)
      places.push(quote(`${path} --${option.name}`))
    }
  }
  const paths = completions.filter(({ path }) => path !== '').map(({ path }) => quote(path))
  return [
    ...(isZsh
      ? [
          '(( $+functions[compdef] )) || { autoload -U compinit && compinit; }',
          'autoload -U +X bashcompinit && bashcompinit',
        ]
      : []),
    '_singletable() {',
    '  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"',
    // Not named path: that is $PATH in zsh, and no command would be found.
    '  local typed="" word offered=""',
    '  for word in "${COMP_WORDS[@]:1:$((COMP_CWORD-1))}"; do',
    '    case "${typed:+$typed }$word" in',
    `      ${paths.join('|')}) typed="\${typed:+$typed }$word" ;;`,
    '    esac',
    '  done',
    '  case "$typed $previous" in',
    ...[...values].map(([reply, places]) => `    ${places.join('|')}) ${reply}; return ;;`),
    '  esac',
    '  case "$typed" in',
    ...cases,
    '  esac',
    '  COMPREPLY=($(compgen -W "$offered" -- "$current"))',
    '  [[ ${#COMPREPLY[@]} -gt 0 ]] || COMPREPLY=($(compgen -f -- "$current"))',
    '}',
    'complete -F _singletable singletable',
  ].join('\n')
}

/** What sets the values of an option; undefined for one without a value. */
function bashReply({ choices, completes, value, isList }: OptionSpecification): string | undefined {
  const reply = (what: string): string => `COMPREPLY=($(compgen ${what} -- "$current"))`
  if (choices) return reply(`-W ${quote(choices.join(' '))}`)
  if (completes === 'file') return reply('-f')
  if (completes === 'directory') return reply('-d')
  if (completes && isList) {
    // What comes before the last comma stays in front of each name.
    return `COMPREPLY=($(compgen -P "\${current%"\${current##*,}"}" -W "$(${askNames(completes)})" -- "\${current##*,}"))`
  }
  if (completes) return reply(`-W "$(${askNames(completes)})"`)
  return value === undefined ? undefined : 'COMPREPLY=()'
}

function fishScript(completions: readonly Completion[]): string {
  const lines = completions.flatMap(({ path, words, options, names }) => {
    const seen = path.split(' ').filter((word) => word !== '')
    const condition =
      seen.length === 0
        ? '__fish_use_subcommand'
        : seen.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ')
    const start = `complete -c singletable -n ${quote(condition)}`
    return [
      ...(names === undefined ? [] : [`${start} -f -a ${quote(`(${askNames(names)})`)}`]),
      ...words.map(({ word, text }) => `${start} -f -a ${quote(word)} -d ${quote(text)}`),
      ...options.map(({ name, short, value, choices, completes, isList, text }) => {
        const parts = [`${start} -l ${name}`]
        if (short) parts.push(`-s ${short}`)
        const isPath = completes === 'file' || completes === 'directory'
        if (value !== undefined) parts.push(isPath ? '-r -F' : '-x')
        if (completes && !isPath) {
          const names = askNames(completes)
          const asked = isList ? `__fish_complete_list , ${quote(names)}` : names
          parts.push(`-a ${quote(`(${asked})`)}`)
        }
        if (choices) parts.push(`-a ${quote(choices.join(' '))}`)
        return `${parts.join(' ')} -d ${quote(text.replaceAll('\n', ' '))}`
      }),
    ]
  })
  return lines.join('\n')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
