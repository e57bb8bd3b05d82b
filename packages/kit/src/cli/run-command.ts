import type { CommandOutput } from './command.ts'
import { withConfig } from './config-options.ts'
import { describeFailure, printFailure } from './failure-report.ts'
import { type CommandSpecification, helpText, type Parameters, parseParameters } from './help.ts'
import { refuseWord } from './refuse-word.ts'
import { printText } from './terminal.ts'
import { EXIT_DONE, EXIT_USAGE } from './usage-error.ts'

/**
 * Carries out one command: its help, or its action with what was typed; every error becomes text,
 * or JSON, and an exit code.
 */
export async function runCommand(
  specification: CommandSpecification,
  parameters: readonly string[],
  output: CommandOutput,
  action: (given: Parameters) => Promise<number>,
): Promise<number> {
  try {
    const given = parseParameters(specification, parameters)
    if (!given.flag('help')) return await action(await withConfig(specification, given, output))
    printText(output, helpText(specification))
    return EXIT_DONE
  } catch (error) {
    const report = describeFailure(error)
    output.progress?.('')
    // Read off the words themselves, because what failed may be the reading of them.
    const isJson = parameters.includes('--json')
    output.printError(
      isJson
        ? JSON.stringify({ error: report })
        : `singletable ${specification.name}: ${printFailure(report)}`,
    )
    return report.exitCode
  }
}

/** Of a command with subcommands: the one that the first word names. */
export async function runSubcommand(
  specification: CommandSpecification,
  parameters: readonly string[],
  output: CommandOutput,
  actions: ReadonlyMap<string, (rest: readonly string[]) => Promise<number>>,
): Promise<number> {
  const [name, ...rest] = parameters
  if (name === undefined || /^(-h|--help|help)$/.test(name)) {
    printText(output, helpText(specification))
    return name === undefined ? EXIT_USAGE : EXIT_DONE
  }
  const action = actions.get(name)
  if (action) return action(rest)
  return refuseWord(output, parameters, {
    what: 'command',
    word: name,
    after: specification.name,
    known: [...actions.keys()],
    fix: `use ${specification.name} with one of ${[...actions.keys()].join(', ')}`,
  })
}
