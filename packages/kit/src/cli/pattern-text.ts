import type { PatternPlan } from 'singletable/tools'
import type { PatternAnswer, PatternReport } from '../dev/run-pattern.ts'
import { countOf } from '../text/counts.ts'
import { type Colors, oneLine } from '../text/terminal-text.ts'
import { cutText, padText, textColumns } from '../text/text-columns.ts'
import { printCell } from '../text/typed-values.ts'
import { wrapText } from '../text/wrap-text.ts'
import { reportFailure } from './failure-report.ts'

type KeyCondition = NonNullable<PatternPlan['key']>[string]

export interface PatternTextOptions {
  readonly colors: Colors
  readonly width: number
  /** Shows everything in full, however wide it is. */
  readonly wide: boolean
}

const ROWS_MAX = 2
/**
 * Longer sentences are cut; values without spaces may be ids, which must stay whole to be copied.
 */
const PROSE_CHARACTERS_MAX = 18
const GAP = '  '

/** Patterns with their plans and answers, a few aligned lines for each. */
export function printPatterns(
  reports: readonly PatternReport[],
  { colors, width, wide }: PatternTextOptions,
): string {
  const nameWidth = Math.max(...reports.map(({ name }) => textColumns(name)))
  const verbWidth = Math.max(...reports.map(({ plan }) => textColumns(verbOf(plan))))
  const indent = ' '.repeat(nameWidth + GAP.length)
  const room = Math.max(30, width - indent.length)
  return reports
    .map((report) => {
      const { name, plan } = report
      const head = `${colors.bold(padText(name, nameWidth))}${GAP}${colors.cyan(padText(verbOf(plan), verbWidth))}`
      const planRoom = room - verbWidth - GAP.length
      const planned = wrap(planPhrases(plan), planRoom)
      const planIndent = ' '.repeat(nameWidth + verbWidth + 2 * GAP.length)
      const [first = '', ...more] = planned
      return [
        `${head}${GAP}${first}`.trimEnd(),
        ...more.map((line) => planIndent + line),
        ...outcomeLines(report, colors, { room, wide }).map((line) => indent + line),
      ].join('\n')
    })
    .join('\n')
}

/** How many patterns there are, and what became of them. */
export function printSummary(reports: readonly PatternReport[], colors: Colors): string {
  const count = (test: (report: PatternReport) => boolean): number => reports.filter(test).length
  const failed = count(({ outcome }) => outcome.kind === 'failed')
  const isElsewhere = ({ plan }: PatternReport): boolean => plan.op === 'none'
  const parts: [number, string][] = [
    [count(({ outcome }) => outcome.kind === 'answered'), 'answered'],
    [count(({ outcome }) => outcome.kind === 'nothing'), 'without items to answer'],
    [
      count((report) => report.outcome.kind === 'plan' && !isElsewhere(report)),
      'planned and not run',
    ],
    [count(isElsewhere), 'answered elsewhere'],
  ]
  const text = parts.flatMap(([number, what]) => (number > 0 ? [`${number} ${what}`] : []))
  const all = countOf(reports.length, 'pattern')
  return [all, ...text, ...(failed > 0 ? [colors.red(`${failed} failed`)] : [])].join(' · ')
}

function verbOf({ op, index, service }: PatternPlan): string {
  if (op === 'none') return service ?? ''
  // What is read and written by key is so in the primary index.
  return op === 'Query' && index !== null ? `${op} ${index}` : op
}

/** The key condition first, then what else is special about it. */
function planPhrases(plan: PatternPlan): readonly string[] {
  const { order, limit, filter, consistency, alsoReads, requests, then, reason } = plan
  return [
    keyText(plan),
    ...(order === 'desc' ? ['descending'] : []),
    ...(limit === null ? [] : [`limit ${limit}`]),
    ...(filter === null ? [] : [`filter ${printCell(filter)}`]),
    ...(consistency === 'strong' ? ['strong'] : []),
    ...(then === undefined ? [] : [`then ${then} by key`]),
    ...(alsoReads.length > 0 ? [`also reads ${alsoReads.join(', ')}`] : []),
    ...(requests > 1 && then === undefined ? [`${requests} requests`] : []),
    ...(reason === undefined ? [] : [reason]),
    ...Object.entries(plan.steps ?? {}).map(
      ([step, { op, entities, each }]) =>
        `${step}: ${op} ${entities.join(', ')}${each ? ', for each of a list' : ''}`,
    ),
  ].filter((phrase) => phrase !== '')
}

/** `pk = USER#${username}, sk begins with POST#` */
function keyText({ key }: PatternPlan): string {
  return Object.entries(key ?? {})
    .map(([attribute, condition]) => {
      const isEither = 'between' in condition && condition.else !== undefined
      return isEither
        ? `${attribute} begins with ${condition.else?.beginsWith}, or a range`
        : `${attribute} ${keyConditionText(condition)}`
    })
    .join(', ')
}

/** `= USER#${username}`, `begins with POST#` */
export function keyConditionText(condition: KeyCondition): string {
  if ('eq' in condition) return `= ${condition.eq}`
  if ('beginsWith' in condition) return `begins with ${condition.beginsWith}`
  const [from, to] = condition.between.map(readable)
  const without = condition.else
  return `from ${from} to ${to}${without ? `, or begins with ${without.beginsWith}` : ''}`
}

/** The ends of ranges are marked by characters that no terminal can show. */
function readable(text: string): string {
  return text.replaceAll('\u{10FFFF}', '…').replaceAll('\0', '')
}

interface Space {
  /** Columns. */
  readonly room: number
  readonly wide: boolean
}

function outcomeLines(
  { outcome, plan }: PatternReport,
  colors: Colors,
  space: Space,
): readonly string[] {
  switch (outcome.kind) {
    case 'plan':
      return []
    case 'nothing':
      return [colors.yellow(`no ${plan.entities.join(' or ')} in the table answers it`)]
    case 'failed': {
      const [message = '', ...more] = reportFailure(outcome.error).message.split('\n')
      return [
        ...besides(inputText(outcome.input), ' ✗ ', message, colors.red, { colors, ...space }),
        ...more.map((line) => colors.red(line)),
      ]
    }
    default:
      return answerLines(outcome, colors, space)
  }
}

function answerLines(answer: PatternAnswer, colors: Colors, space: Space): readonly string[] {
  const { input, groups, consumed, itemsRead, hasMore } = answer
  const counts = [...groups].map(([entity, items]) => `${items.length} ${entity}`)
  const returned = [...groups.values()].flat().length
  const facts = [
    counts.join(', ') || 'nothing',
    ...(itemsRead > returned ? [`${itemsRead} items read`] : []),
    ...(consumed === undefined ? [] : [countOf(consumed, 'unit')]),
    ...(hasMore ? ['more follow'] : []),
  ]
  const rows = [...groups]
    .flatMap(([entity, items]) => items.map((item) => ({ entity, item })))
    // Of several entities one of each is shown.
    .filter(({ entity }, at, all) =>
      groups.size > 1 ? all.findIndex((each) => each.entity === entity) === at : at < ROWS_MAX,
    )
  return [
    ...besides(inputText(input), ' → ', facts.join(', '), colors.green, { colors, ...space }),
    // An item of nothing but what was asked for has nothing to add.
    ...rows
      .map(({ entity, item }) => rowText(groups.size > 1 ? entity : undefined, item, input, space))
      .flatMap((text) => (text === '' ? [] : [colors.dim(text)])),
  ]
}

/** What was asked and what came of it: in one line if there is room, else one below the other. */
function besides(
  asked: string,
  sign: string,
  result: string,
  paint: (text: string) => string,
  { colors, room, wide }: Space & { readonly colors: Colors },
): readonly string[] {
  const start = asked === '' ? sign.trimStart() : `${asked}${sign}`
  if (wide || textColumns(start + result) <= room) return [`${colors.dim(start)}${paint(result)}`]
  return [
    ...(asked === '' ? [] : wrapText(asked, room).map(colors.dim)),
    `${colors.dim(sign.trimStart())}${paint(result)}`,
  ]
}

function rowText(
  entity: string | undefined,
  item: Readonly<Record<string, unknown>>,
  input: unknown,
  { room, wide }: Space,
): string {
  // What was asked for is known.
  const known = new Set(Array.isArray(input) ? [] : Object.keys(Object(input)))
  const members = Object.entries(item).filter(([name]) => !known.has(name))
  let line = entity ?? ''
  for (const member of members) {
    const joined = [line, memberText(member, wide)].filter((text) => text !== '').join(GAP)
    if (!wide && line !== '' && textColumns(joined) > room - GAP.length - 1) return `${line}${GAP}…`
    line = joined
  }
  return line
}

function inputText(input: unknown): string {
  const list = Array.isArray(input) ? input : [input]
  return list
    .map((each) =>
      Object.entries(Object(each))
        .map((member) => memberText(member, true))
        .join(' '),
    )
    .join(' and ')
}

function memberText([name, value]: readonly [string, unknown], wide: boolean): string {
  const text = oneLine(printCell(value))
  if (!/\s/.test(text)) return `${name}=${text}`
  const quoted = JSON.stringify(text)
  return `${name}=${wide ? quoted : cutText(quoted, PROSE_CHARACTERS_MAX)}`
}

/** Phrases in as few lines as they fit in. */
function wrap(phrases: readonly string[], width: number): readonly string[] {
  const lines: string[] = []
  for (const phrase of phrases) {
    const last = lines.at(-1)
    const joined = `${last} · ${phrase}`
    if (last !== undefined && textColumns(joined) <= width) lines[lines.length - 1] = joined
    else lines.push(phrase)
  }
  return lines
}
