import { didYouMean } from 'singletable/tools'
import type { LivingDocument, Section } from './document.ts'
import { idsOf } from './ids-of.ts'
import { markdownOf } from './render-markdown.ts'

/** What is wrong with the markers of a file. */
export interface InjectionProblem {
  /** From 1. */
  readonly line: number
  readonly message: string
  readonly fix: string
}

export type Injection =
  | { readonly text: string; readonly problems?: undefined }
  | { readonly text?: undefined; readonly problems: readonly InjectionProblem[] }

interface Region {
  readonly id: string
  /** Positions of the lines of its markers. */
  readonly begin: number
  readonly end: number
}

const MENTION = /<!--\s*singletable:(begin|end)\b/
const MARKER = /^<!--\s*singletable:(begin|end)(?:\s+([^\s>]+))?\s*-->\s*$/
const FENCE = /^ {0,3}(`{3,}|~{3,})/

/**
 * Puts sections of the document between the markers of a file that somebody wrote by hand:
 *
 *     <!-- singletable:begin access-patterns -->
 *     <!-- singletable:end -->
 *
 * If there are problems, nothing is replaced. Markers in code blocks are ordinary text.
 */
export function injectSections(file: string, document: LivingDocument): Injection {
  const newline = file.includes('\r\n') ? '\r\n' : '\n'
  const lines = file.split(/\r?\n/)
  const { regions, problems } = findRegions(lines, document)
  if (problems.length > 0) return { problems }
  const sections = new Map(document.sections.map((section) => [section.id, section]))
  const chosen = regions.flatMap(({ id }): Section | readonly Section[] => sections.get(id) ?? [])
  // The target of a link must be in the same file.
  const targets = new Set(chosen.flatMap(idsOf))
  const result: string[] = []
  let next = 0
  for (const { id, begin, end } of regions) {
    const section = sections.get(id)
    if (section === undefined) continue
    result.push(...lines.slice(next, begin + 1), '')
    result.push(...markdownOf(section, targets).split('\n'), '')
    next = end
  }
  result.push(...lines.slice(next))
  return { text: result.join(newline) }
}

function findRegions(
  lines: readonly string[],
  { sections }: LivingDocument,
): { readonly regions: readonly Region[]; readonly problems: readonly InjectionProblem[] } {
  const ids = sections.map(({ id }) => id)
  const regions: Region[] = []
  const problems: InjectionProblem[] = []
  let open: { readonly id: string; readonly begin: number } | undefined
  let fence: string | undefined
  for (const [at, line] of lines.entries()) {
    const problem = (message: string, fix: string): void =>
      void problems.push({ line: at + 1, message, fix })
    // Sections that this command wrote have no open code blocks.
    if (open === undefined) {
      const [, signs] = FENCE.exec(line) ?? []
      if (fence !== undefined) {
        if (signs?.startsWith(fence) && line.trim() === signs) fence = undefined
        continue
      }
      if (signs !== undefined) {
        fence = signs
        continue
      }
    }
    if (!MENTION.test(line)) continue
    const [, kind, id] = MARKER.exec(line) ?? []
    if (kind === undefined) {
      problem(
        'A marker is not on a line of its own.',
        'put it at the start of a line, with nothing after it',
      )
    } else if (kind === 'end') {
      if (open === undefined)
        problem(
          'An end marker has no begin marker.',
          'remove it, or add the begin marker before it',
        )
      else regions.push({ ...open, end: at })
      open = undefined
    } else {
      if (open !== undefined) {
        problem(
          `"${id}" begins inside "${open.id}", which begins on line ${open.begin + 1}.`,
          'end the first section before it: <!-- singletable:end -->',
        )
      }
      if (id === undefined || !ids.includes(id)) {
        problem(
          id === undefined
            ? 'A marker names no section.'
            : `There is no section "${id}"${didYouMean(id, ids)}.`,
          `name one of ${ids.join(', ')}`,
        )
      }
      open = { id: id ?? '', begin: at }
    }
  }
  if (open !== undefined) {
    problems.push({
      line: open.begin + 1,
      message: `"${open.id}" has no end marker.`,
      fix: 'put <!-- singletable:end --> after it',
    })
  }
  if (regions.length === 0 && problems.length === 0) {
    problems.push({
      line: 1,
      message: 'The file has no markers.',
      fix: `write <!-- singletable:begin ${ids[2] ?? ids[0]} --> and <!-- singletable:end --> where the section should be`,
    })
  }
  return { regions, problems }
}
