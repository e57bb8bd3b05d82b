import type { PatternPlan } from 'singletable/tools'
import type { PatternAnswer, PatternReport } from '../dev/run-pattern.ts'
import { countOf } from '../text/counts.ts'
import { type Colors, oneLine } from '../text/terminal-text.ts'
import { cutText, padText, textColumns } from '../text/text-columns.ts'
import { reportFailure } from './failure-report.ts'
import { printCell } from './typed-values.ts'

type KeyCondition = NonNullable<PatternPlan['key']>[string]

export interface PatternTextOptions {
  readonly colors: Colors
  readonly width: number
}

const ROWS_MAX = 2
const VALUE_CHARACTERS_MAX = 18
const GAP = '  '

/** Patterns with their plans and answers, a few aligned lines for each. */
export function printPatterns(
  reports: readonly PatternReport[],
  { colors, width }: PatternTextOptions,
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
        ...outcomeLines(report, colors, room).map((line) => indent + line),
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
      ([step, each]) => `${step}: ${each.op} ${each.entities.join(', ')}`,
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

function outcomeLines(
  { outcome, plan }: PatternReport,
  colors: Colors,
  room: number,
): readonly string[] {
  switch (outcome.kind) {
    case 'plan':
      return []
    case 'nothing':
      return [colors.yellow(`no ${plan.entities.join(' or ')} in the table answers it`)]
    case 'failed': {
      const [message = '', ...more] = reportFailure(outcome.error).message.split('\n')
      const asked = cutText(`${inputText(outcome.input)} ✗ `, room)
      return [`${colors.dim(asked)}${colors.red(message)}`, ...more.map((line) => colors.red(line))]
    }
    default:
      return answerLines(outcome, colors, room)
  }
}

function answerLines(answer: PatternAnswer, colors: Colors, room: number): readonly string[] {
  const { input, groups, consumed, itemsRead, hasMore } = answer
  const counts = [...groups].map(([entity, items]) => `${items.length} ${entity}`)
  const returned = [...groups.values()].flat().length
  const facts = [
    counts.join(', ') || 'nothing',
    ...(itemsRead > returned ? [`${itemsRead} items read`] : []),
    ...(consumed === undefined ? [] : [countOf(consumed, 'unit')]),
    ...(hasMore ? ['more follow'] : []),
  ]
  const asked = inputText(input)
  const arrow = asked === '' ? '→' : ` →`
  const rows = [...groups]
    .flatMap(([entity, items]) => items.map((item) => ({ entity, item })))
    // Of several entities one of each is shown.
    .filter(({ entity }, at, all) =>
      groups.size > 1 ? all.findIndex((each) => each.entity === entity) === at : at < ROWS_MAX,
    )
  return [
    `${colors.dim(cutText(asked, room - 30) + arrow)} ${colors.green(facts.join(', '))}`,
    // An item of nothing but what was asked for has nothing to add.
    ...rows
      .map(({ entity, item }) => rowText(groups.size > 1 ? entity : undefined, item, input))
      .flatMap((text) => (text === '' ? [] : [colors.dim(cutText(text, room))])),
  ]
}

function rowText(
  entity: string | undefined,
  item: Readonly<Record<string, unknown>>,
  input: unknown,
): string {
  // What was asked for is known.
  const known = new Set(Array.isArray(input) ? [] : Object.keys(Object(input)))
  const members = Object.entries(item).filter(([name]) => !known.has(name))
  return [...(entity === undefined ? [] : [entity]), ...members.map(memberText)].join(GAP)
}

function inputText(input: unknown): string {
  const list = Array.isArray(input) ? input : [input]
  return list.map((each) => Object.entries(Object(each)).map(memberText).join(' ')).join(' and ')
}

function memberText([name, value]: readonly [string, unknown]): string {
  const text = oneLine(printCell(value))
  return `${name}=${cutText(/\s/.test(text) ? JSON.stringify(text) : text, VALUE_CHARACTERS_MAX)}`
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
