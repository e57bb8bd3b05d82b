import path from 'node:path'
import { checkDesign, type Report } from '../check/check-design.ts'
import { type Design, readDesign } from '../check/design/design.ts'
import { unexercisedOf } from '../check/evidence/exercise.ts'
import { reportGithub } from '../check/report/report-github.ts'
import { reportJson } from '../check/report/report-json.ts'
import { reportPretty } from '../check/report/report-pretty.ts'
import { reportSarif } from '../check/report/report-sarif.ts'
import { ALL_RULES } from '../check/rules/all-rules.ts'
import {
  DESCRIPTIONS,
  explainRule,
  findRule,
  nearestRule,
  SOURCE_OPTIONS,
} from '../check/rules/explain-rule.ts'
import { PRESETS } from '../check/rules/presets.ts'
import { cacheFolder } from '../schema-file/cache-folder.ts'
import { keepPositions } from '../schema-file/kept-positions.ts'
import { loadDefinition } from '../schema-file/load-schema.ts'
import { locateSchema } from '../schema-file/locate-schema.ts'
import { countOf } from '../text/counts.ts'
import { textColumns } from '../text/text-columns.ts'
import { reflow } from '../text/wrap-text.ts'
import { CHECK_COMMAND } from './check-options.ts'
import type { CommandOutput } from './command.ts'
import { gatherEvidence } from './gather-evidence.ts'
import { type Parameters, wholeNumber } from './help.ts'
import { packageVersion } from './package-version.ts'
import { printTable } from './print-table.ts'
import { runCommand } from './run-command.ts'
import { colorsFor, printText, widthOf } from './terminal.ts'
import { EXIT_DONE, EXIT_FAILED, UsageError } from './usage-error.ts'

export { CHECK_COMMAND } from './check-options.ts'

const WARNINGS_MAX = 1_000_000
const UNEXERCISED_MAX = 1_000_000

/** Checks a design with all rules and reports the findings. */
export function runCheck(parameters: readonly string[], output: CommandOutput): Promise<number> {
  return runCommand(CHECK_COMMAND, parameters, output, async (given) => {
    const word = given.text('explain')
    if (word !== undefined) return explain(word, given, output)
    if (given.flag('rules')) return listRules(given, output)
    const maxWarnings = wholeNumber(given, 'max-warnings', { max: WARNINGS_MAX })
    const allowed = wholeNumber(given, 'allow-unexercised', { max: UNEXERCISED_MAX })
    if (allowed !== undefined && !given.flag('run')) {
      throw new UsageError('--allow-unexercised is for --run.', 'add --run')
    }
    const only = chosenCodes(given)
    const now = output.now?.() ?? Date.now()
    const today = new Date(now).toISOString().slice(0, 10)
    const loaded = await loadDefinition(given.text('schema'), {
      directory: output.directory,
      exportName: given.text('export'),
    })
    const bare = readDesign(loaded.definition, { now })
    const { evidence, exitCode, exerciseMs, isStopped } = await gatherEvidence(bare, {
      given,
      output,
      loaded,
      today,
    })
    // The rules alone can take a second, and whoever stops the run does not wait for them.
    if (isStopped && exitCode !== undefined) return exitCode
    const design: Design = { ...bare, ...evidence }
    const preset = PRESETS.find((name) => name === given.text('preset'))
    const place = { ...loaded, directory: output.directory ?? process.cwd() }
    // While the command itself is changed, nothing of an earlier version is used.
    const folder = import.meta.url.endsWith('.ts') ? undefined : cacheFolder()
    const locate = locateSchema(place)
    const kept = folder === undefined ? locate : keepPositions(place, folder, locate)
    const report = checkDesign(design, { preset, today, only, locate: kept })
    const text = printed(report, design, { given, output, file: loaded.file, exerciseMs })
    if (text !== '') output.print(text)
    const { error, warning } = report.counts
    if (error > 0) return EXIT_FAILED
    if (maxWarnings !== undefined && warning > maxWarnings) {
      output.printError(
        `singletable check: there are more warnings than the ${maxWarnings} that are allowed.`,
      )
      return EXIT_FAILED
    }
    const unexercised = design.exercise ? unexercisedOf(design.exercise).length : 0
    if (unexercised > (allowed ?? 0) && exitCode === undefined) {
      output.printError(
        `singletable check: ${countOf(unexercised, 'pattern')} could not be run${allowed === undefined ? '' : `, more than the ${allowed} allowed`}; --allow-unexercised ${unexercised} accepts that.`,
      )
      return EXIT_FAILED
    }
    return exitCode ?? EXIT_DONE
  })
}

/** The report in the format that the options ask for. */
function printed(
  report: Report,
  design: Design,
  {
    given,
    output,
    file,
    exerciseMs,
  }: {
    readonly given: Parameters
    readonly output: CommandOutput
    readonly file: string
    readonly exerciseMs: number | undefined
  },
): string {
  const schemaFile = path
    .relative(output.directory ?? process.cwd(), file)
    .split(path.sep)
    .join('/')
  switch (given.text('format') ?? (given.flag('json') ? 'json' : 'pretty')) {
    case 'json':
      return reportJson(report, design.exercise)
    case 'sarif':
      return reportSarif(report, { version: packageVersion(), schemaFile })
    case 'github':
      return reportGithub(report, schemaFile)
    default:
      return reportPretty(report, {
        colors: colorsFor(output, given),
        columns: output.isTerminal ? output.columns : undefined,
        rules: ALL_RULES.length,
        exercise: design.exercise,
        exerciseMs,
      })
  }
}

function explain(word: string, given: Parameters, output: CommandOutput): number {
  const rule = findRule(word)
  if (rule === undefined) {
    throw new UsageError(
      `There is no rule "${word}"${nearestRule(word)}.`,
      'see singletable check --rules',
    )
  }
  const { code, name, severity, source, title, explanation } = rule
  const text = explainRule(rule)
  const { isTerminal, columns } = output
  output.print(
    given.flag('json')
      ? JSON.stringify({ code, name, severity, source, title, explanation }, undefined, 2)
      : isTerminal && columns !== undefined
        ? reflow(text, columns)
        : text,
  )
  return EXIT_DONE
}

/** A table if there is room for it, else two lines for each rule. */
function listRules(given: Parameters, output: CommandOutput): number {
  if (given.flag('json')) {
    output.print(JSON.stringify(DESCRIPTIONS, ['code', 'name', 'severity', 'source', 'title'], 2))
    return EXIT_DONE
  }
  const colors = colorsFor(output, given)
  const table = printTable(
    ['rule', 'name', 'severity', 'what it finds', 'needs'].map((title) => ({ title })),
    DESCRIPTIONS.map(({ code, name, severity, source, title }) => [
      code,
      name,
      severity,
      title,
      SOURCE_OPTIONS[source],
    ]),
    { colors },
  )
  const { width = Number.POSITIVE_INFINITY } = widthOf(output, given)
  if (table.split('\n').every((line) => textColumns(line) <= width)) output.print(table)
  else {
    for (const { code, name, severity, source, title } of DESCRIPTIONS) {
      const facts = [name, severity, SOURCE_OPTIONS[source]].filter((text) => text !== '')
      printText(output, `${colors.bold(code)}  ${facts.join(' · ')}\n     ${title}`)
    }
  }
  return EXIT_DONE
}

/** The rules that --only names. */
function chosenCodes(given: Parameters): readonly string[] | undefined {
  const words = given
    .text('only')
    ?.split(',')
    .map((word) => word.trim())
  const codes = words?.map((word) => {
    const rule = findRule(word)
    // Errors of the library are selected by their code.
    if (rule === undefined && !/^[A-Z]+(_[A-Z]+)+$/.test(word)) {
      throw new UsageError(
        `--only names "${word}", which is not a rule${nearestRule(word)}.`,
        'name codes, as in --only K01,K03; singletable check --rules lists all',
      )
    }
    return rule?.code ?? word
  })
  return codes
}
