import { didYouMean, type LintDefinition } from 'singletable/tools'
import type { CodeSuppression } from '../evidence/code-facts.ts'
import type { Finding, Place } from './rule.ts'
import { EXPIRED, INVALID, UNUSED } from './suppression-rules.ts'

/** One entry of the schema's `lint`, read. */
interface Suppression {
  readonly code: string
  readonly reason: string
  readonly until: string | undefined
  /** What it is about; everything, if undefined. */
  readonly at: readonly string[] | undefined
}

export interface SuppressionOptions {
  readonly lint: { readonly [code: string]: LintDefinition } | undefined
  /** What comments in the project's code say about its lines. */
  readonly comments?: readonly CodeSuppression[] | undefined
  /** As `2026-11-16`. */
  readonly today: string
  /** All codes there are. */
  readonly known: readonly string[]
  /** Those of the rules that could look at all they need: what they did not find is not there. */
  readonly ran: readonly string[]
}

export interface Suppressed {
  /** What counts, with what there is to say about the suppressions themselves. */
  readonly findings: readonly Finding[]
  readonly suppressed: readonly Finding[]
}

const DAY = /^\d{4}-\d\d-\d\d$/

/** Takes out what the schema's `lint`, or a comment in the code, gives a reason for. */
export function applySuppressions(
  findings: readonly Finding[],
  options: SuppressionOptions,
): Suppressed {
  const inCode = applyComments(findings, options)
  const inSchema = applyLint(inCode.findings, options)
  return {
    findings: [...inSchema.findings, ...inCode.notices],
    suppressed: [...inSchema.suppressed, ...inCode.suppressed],
  }
}

/** Comments such as `// singletable-check P03: nightly export`. */
function applyComments(
  all: readonly Finding[],
  { comments = [], known, ran }: SuppressionOptions,
): Suppressed & { readonly notices: readonly Finding[] } {
  const findings: Finding[] = []
  const suppressed: Finding[] = []
  const used = new Set<string>()
  for (const finding of all) {
    const { code, place } = finding
    const comment = comments.find(
      (each) => each.code === code && each.file === place.file && each.line === place.line,
    )
    if (comment) used.add(commentId(comment))
    if (comment === undefined || comment.reason === '') findings.push(finding)
    else suppressed.push({ ...finding, suppressed: { reason: comment.reason } })
  }
  // A comment can be about several lines, and counts as a whole.
  const byComment = new Map(comments.map((each) => [commentId(each), each]))
  const notices = [...byComment].flatMap(
    ([id, { code, reason, file, line }]): readonly Finding[] => {
      const place = { file, line }
      const text = `${file}:${line}: the comment on ${code}`
      if (!known.includes(code)) {
        return [noticeOf(INVALID, `${text} names no rule.`, 'correct the code', place)]
      }
      if (reason === '') {
        const fix = `write // singletable-check ${code}: why`
        return [noticeOf(INVALID, `${text} gives no reason.`, fix, place)]
      }
      if (used.has(id) || !ran.includes(code)) return []
      return [noticeOf(UNUSED, `${text} suppresses nothing.`, 'remove it', place)]
    },
  )
  return { findings, suppressed, notices }
}

function commentId({ file, code, reason }: CodeSuppression): string {
  return JSON.stringify([file, code, reason])
}

function applyLint(
  findings: readonly Finding[],
  { lint, today, known, ran }: SuppressionOptions,
): Suppressed {
  const notices: Finding[] = []
  const valid: Suppression[] = []
  for (const [code, definition] of Object.entries(lint ?? {})) {
    const { problem, fix, suppression } = readSuppression(code, definition, known)
    if (suppression === undefined) notices.push(noticeOf(INVALID, problem, fix))
    else valid.push(suppression)
  }
  const used = new Set<Suppression>()
  const counting: Finding[] = []
  const suppressed: Finding[] = []
  for (const finding of findings) {
    const suppression = valid.find((each) => covers(each, finding))
    if (suppression) used.add(suppression)
    if (suppression === undefined || isExpired(suppression, today)) counting.push(finding)
    else {
      const { reason, until } = suppression
      suppressed.push({ ...finding, suppressed: { reason, until } })
    }
  }
  for (const suppression of valid) {
    const { code, reason, until } = suppression
    if (!used.has(suppression)) {
      if (!ran.includes(code)) continue
      const { at } = suppression
      notices.push(
        noticeOf(
          UNUSED,
          `lint.${code} ("${reason}") suppresses nothing${at ? ` at ${at.join(', ')}` : ''}: ${code} finds nothing there.`,
          'remove it, or correct the names in at',
        ),
      )
    } else if (isExpired(suppression, today)) {
      notices.push(
        noticeOf(
          EXPIRED,
          `lint.${code} ("${reason}") was valid until ${until}; ${code} counts again.`,
          'fix what it is about, or give the reason a later day',
        ),
      )
    }
  }
  return { findings: [...counting, ...notices], suppressed }
}

interface ReadSuppression {
  readonly problem: string
  readonly fix: string
  readonly suppression?: Suppression
}

function readSuppression(
  code: string,
  definition: unknown,
  known: readonly string[],
): ReadSuppression {
  // It is user text, so each member may be anything; reading members of an object can't fail.
  const { off, until, at } = Object(definition) as { [member: string]: unknown }
  const list = at === undefined ? undefined : [at].flat()
  if (!known.includes(code)) {
    return {
      problem: `lint.${code} names no rule${didYouMean(code, known)}.`,
      fix: 'correct the code; singletable check --rules lists all',
    }
  }
  if (typeof off !== 'string' || off.trim() === '') {
    return { problem: `lint.${code} gives no reason.`, fix: `write ${code}: { off: 'why' }` }
  }
  if (until !== undefined && !(typeof until === 'string' && isDay(until))) {
    return {
      problem: `lint.${code} is valid until "${String(until)}", which is not a date.`,
      fix: "write a day such as until: '2027-06-01'",
    }
  }
  if (list && !list.every((each) => typeof each === 'string')) {
    return {
      problem: `lint.${code} has an "at" that names nothing.`,
      fix: "name models, patterns, indexes or attributes, as in at: ['Post', 'Post.title']",
    }
  }
  return { problem: '', fix: '', suppression: { code, reason: off, until, at: list } }
}

function isDay(text: string): boolean {
  const time = DAY.test(text) ? Date.parse(`${text}T00:00:00.000Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

function isExpired({ until }: Suppression, today: string): boolean {
  return until !== undefined && until < today
}

function covers({ code, at }: Suppression, { code: found, place }: Finding): boolean {
  return code === found && (at === undefined || at.some((name) => namesOf(place).includes(name)))
}

/** What a suppression can call a place. */
export function namesOf({ model, attribute, index, pattern, file }: Place): readonly string[] {
  const names = [model, index, pattern, file, attribute]
  const whole = model !== undefined && attribute !== undefined ? `${model}.${attribute}` : undefined
  return [...names, whole].filter((name) => name !== undefined)
}

function noticeOf(
  { code, name, severity }: typeof EXPIRED,
  message: string,
  fix: string,
  place: Place = {},
): Finding {
  return { code, name, severity, message, fix, place }
}
