import type { Program, Step } from './program.ts'
import type { Difference } from './run-program.ts'

/** Says whether a program still shows the difference that is looked for. */
export type StillDiffers = (program: Program) => Promise<boolean>

/**
 * The smallest program found that still differs: first without every step it can do without (delta
 * debugging), then without the indexes, members, elements and letters it can do without.
 */
export async function shrinkProgram(
  program: Program,
  stillDiffers: StillDiffers,
  triesMax: number,
): Promise<Program> {
  let tries = 0
  const accepts: StillDiffers = async (candidate) => {
    if (tries >= triesMax) return false
    tries++
    // A program that the shrinking broke (a table without keys, say) is not
    // a smaller one.
    return stillDiffers(candidate).catch(() => false)
  }
  let smallest = await withoutSteps(program, accepts)
  for (;;) {
    const smaller = await withoutParts(smallest, accepts)
    if (smaller === smallest) return smallest
    smallest = await withoutSteps(smaller, accepts)
  }
}

/** What has to stay the same while a program shrinks, or the end would be another difference. */
export function signature({ step, engine, local }: Difference): string {
  return [step.operation, outline(engine), outline(local)].join(' | ')
}

function outline({ error, pages }: Difference['engine']): string {
  if (error === undefined) return pages.length === 1 ? 'answer' : 'answers'
  // Names and values in a text differ from program to program; its words do not.
  const words = error.message
    .replace(/(token|near): ".*"/gsu, '$1')
    .replace(/[:;] ?(\[|\{|#|:|').*$/su, '')
    .replace(/: [\w.]+$/u, '')
    .replace(/\d+/gu, '0')
  const codes = error.CancellationReasons?.map(({ Message = '' }) => Message.slice(0, 60)).filter(
    Boolean,
  )
  return `${error.name}: ${words.slice(0, 160)} ${[...new Set(codes)].join(' ')}`.trim()
}

async function withoutSteps(program: Program, accepts: StillDiffers): Promise<Program> {
  let { steps } = program
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let start = 0; start < steps.length; ) {
      const fewer = steps.toSpliced(start, size)
      if (await accepts({ ...program, steps: fewer })) steps = fewer
      else start += size
    }
  }
  return steps === program.steps ? program : { ...program, steps }
}

async function withoutParts(program: Program, accepts: StillDiffers): Promise<Program> {
  let smallest = program
  const attempt = async (candidate: Program): Promise<boolean> => {
    const accepted = await accepts(candidate)
    if (accepted) smallest = candidate
    return accepted
  }
  for (let place = 0; place < smallest.table.indexes.length; ) {
    const indexes = smallest.table.indexes.toSpliced(place, 1)
    if (!(await attempt({ ...smallest, table: { ...smallest.table, indexes } }))) place++
  }
  for (let place = 0; place < smallest.steps.length; place++) {
    for (let number = 0; ; ) {
      const step = smallest.steps[place]
      const request = step && nthSmaller(step.request, number)
      if (step === undefined || request === undefined) break
      const smaller: Step = { ...step, request: request as Step['request'] }
      if (!(await attempt({ ...smallest, steps: smallest.steps.with(place, smaller) }))) number++
    }
  }
  return smallest
}

/** The value with its n-th removable part removed; `undefined` when there are not that many. */
function nthSmaller(value: unknown, number: number): unknown {
  let place = 0
  for (const smaller of smallerValues(value)) if (place++ === number) return smaller
  return undefined
}

function* smallerValues(value: unknown): Generator<unknown> {
  if (typeof value === 'string') yield* smallerStrings(value)
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const place of value.keys()) yield value.toSpliced(place, 1)
    for (const [place, element] of value.entries()) {
      for (const smaller of smallerValues(element)) yield value.with(place, smaller)
    }
    return
  }
  const entries = Object.entries(value)
  for (const place of entries.keys()) yield Object.fromEntries(entries.toSpliced(place, 1))
  for (const [place, [name, member]] of entries.entries()) {
    for (const smaller of smallerValues(member)) {
      yield Object.fromEntries(entries.with(place, [name, smaller]))
    }
  }
}

/** Long strings are expressions: they lose a clause or a token. */
function* smallerStrings(text: string): Generator<string> {
  const tokens = text.match(/[#:]?\w+|<>|<=|>=|\s+|./gu) ?? []
  if (tokens.length < 4) return
  for (const size of [16, 8, 4, 2, 1]) {
    if (size >= tokens.length) continue
    for (let place = 0; place + size <= tokens.length; place += size) {
      yield tokens.toSpliced(place, size).join('')
    }
  }
}
