import path from 'node:path'
import type { DevReport } from '../dev/dev-session.ts'
import type { PatternReport } from '../dev/run-pattern.ts'
import type { LoadedSchema } from '../schema-file/load-schema.ts'
import { countOf } from '../text/counts.ts'
import { printJson } from '../text/typed-values.ts'
import type { CommandOutput } from './command.ts'
import { printFailure, reportFailure } from './failure-report.ts'
import type { Parameters } from './help.ts'
import { printPatterns, printSummary } from './pattern-text.ts'
import { colorsFor, printText } from './terminal.ts'

/** Prints the events of `dev` for people or for programs. */
export interface DevPrinter {
  /** A schema that is shown; `before` is what was shown before it. */
  report(shown: ShownSchema, before?: DevReport): void
  listening(place: DevPlace): void
  /** The schema can't be used; the previous one stays in use. */
  broken(error: unknown): void
  watching(files: readonly string[]): void
}

export interface ShownSchema {
  readonly tableName: string
  readonly loaded: LoadedSchema
  readonly report: DevReport
  /** How items came to be: `sample data, seed 1`. */
  readonly origin: string
}

export interface DevPlace {
  readonly url: string
  readonly port: number
  /** Where the data is kept; in memory if undefined. */
  readonly data: string | undefined
  /** Where the studio is served, if it is. */
  readonly studio: string | undefined
}

/** The width if the output is not a terminal. */
const WIDTH_DEFAULT = 100
const TITLE_WIDTH = 8

export function devPrinter(given: Parameters, output: CommandOutput): DevPrinter {
  return given.flag('json') ? jsonPrinter(output) : textPrinter(given, output)
}

function textPrinter(given: Parameters, output: CommandOutput): DevPrinter {
  const colors = colorsFor(output, given)
  const width = (output.isTerminal ? output.columns : undefined) ?? WIDTH_DEFAULT
  const relative = (file: string): string => path.relative(output.directory ?? '.', file) || file
  const fact = (title: string, text: string): void =>
    printText(output, `${colors.dim(title.padEnd(TITLE_WIDTH))}  ${text}`)
  return {
    report(shown, before) {
      const { tableName, loaded, report, origin } = shown
      const { created, changes, needsNewTable, seeded, sample, patterns } = report
      output.print(
        `${before ? '\n' : ''}${colors.bold(tableName)} ${colors.dim(`· ${relative(loaded.file)}`)}`,
      )
      if (created) fact('table', `created with ${indexText(loaded)}`)
      for (const change of changes) fact('table', change)
      for (const text of needsNewTable) fact('table', colors.red(`needs to be another: ${text}`))
      if (needsNewTable.length > 0) {
        fact('fix', `start with --reset for a new table with new items, or name another by --table`)
        return
      }
      if (sample) fact('items', itemsText(sample, seeded && origin))
      if (report.keptOlderItems) {
        fact('', colors.yellow('items stored before keep their keys; --reset makes a new table'))
      }
      const shownPatterns = before ? changedPatterns(patterns, before.patterns) : patterns
      if (shownPatterns.length > 0) {
        output.print(
          `\n${printPatterns(shownPatterns, { colors, width, wide: given.flag('wide') })}`,
        )
      }
      const rest = patterns.length - shownPatterns.length
      const note = before && rest > 0 ? ` · ${rest} as before` : ''
      printText(
        output,
        patterns.length === 0
          ? '\nThe schema declares no patterns: name the questions it answers under patterns.'
          : `\n${printSummary(patterns, colors)}${note}`,
      )
    },
    listening({ url, data, studio }) {
      output.print('')
      if (studio !== undefined) fact('studio', colors.green(studio))
      fact('endpoint', `${colors.green(url)} ${colors.dim('· any region and credentials')}`)
      fact('data', data === undefined ? 'in memory, deleted when this ends' : relative(data))
    },
    broken(error) {
      output.printError(`\n${colors.red(printFailure(reportFailure(error)))}`)
      output.printError(colors.dim('the previous schema stays in use'))
    },
    watching(files) {
      const [first = '', ...others] = files
      const more = others.length > 0 ? ` and ${others.length} that it imports` : ''
      fact('watching', `${relative(first)}${more} ${colors.dim('· Ctrl-C ends')}`)
    },
  }
}

function jsonPrinter(output: CommandOutput): DevPrinter {
  const printEvent = (event: string, members: object): void =>
    output.print(printJson({ event, ...members }))
  return {
    report({ tableName, loaded, report }) {
      const { created, changes, needsNewTable, seeded, sample, patterns } = report
      printEvent('table', {
        table: tableName,
        schema: loaded.file,
        created,
        changes,
        needsNewTable,
      })
      if (sample) {
        printEvent('items', {
          seeded: seeded && Object.fromEntries(seeded),
          items: Object.fromEntries(sample.counts),
          unknown: sample.unknown,
          isWhole: sample.isWhole,
        })
      }
      for (const each of patterns) printEvent('pattern', patternJson(each))
    },
    listening: (place) => printEvent('listening', place),
    broken: (error) => printEvent('broken', { error: reportFailure(error) }),
    watching: (files) => printEvent('watching', { files }),
  }
}

const JSON_ITEMS_MAX = 3

function patternJson({ name, plan, outcome }: PatternReport): object {
  const { kind } = outcome
  if (outcome.kind === 'failed') {
    return { name, outcome: kind, input: outcome.input, error: reportFailure(outcome.error), plan }
  }
  if (outcome.kind !== 'answered') return { name, outcome: kind, plan }
  const { input, groups, consumed, requests, itemsRead, hasMore } = outcome
  const counts = Object.fromEntries([...groups].map(([entity, items]) => [entity, items.length]))
  const first = Object.fromEntries(
    [...groups].map(([entity, items]) => [entity, items.slice(0, JSON_ITEMS_MAX)]),
  )
  return { name, outcome: kind, input, counts, consumed, requests, itemsRead, hasMore, first, plan }
}

/** Those that are new, or whose plan or answer is another. */
function changedPatterns(
  patterns: readonly PatternReport[],
  before: readonly PatternReport[],
): readonly PatternReport[] {
  const known = new Map(before.map((report) => [report.name, printJson(patternJson(report))]))
  return patterns.filter((report) => known.get(report.name) !== printJson(patternJson(report)))
}

function indexText({ schema }: LoadedSchema): string {
  return [...schema.indexes.values()]
    .map(({ name, hash, sort }) => `${name} (${[...hash, ...sort].join(', ')})`)
    .join(', ')
}

function itemsText(
  { counts, unknown, isWhole }: NonNullable<DevReport['sample']>,
  origin: string | undefined,
): string {
  const parts = [...counts].flatMap(([entity, count]) => (count > 0 ? [`${count} ${entity}`] : []))
  if (unknown > 0) parts.push(countOf(unknown, 'other'))
  const text = parts.join(', ') || 'none'
  return `${isWhole ? text : `${text}, and more`}${origin === undefined ? '' : ` · ${origin}`}`
}
