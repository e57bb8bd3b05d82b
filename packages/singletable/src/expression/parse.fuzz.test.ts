import { expect, it } from 'vitest'
import type { AttributeValue } from '../values/attribute-value.ts'
import { utf8Length } from '../values/utf8.ts'
import { bindCondition } from './bind-condition.ts'
import { bindProjection } from './bind-projection.ts'
import { bindUpdate } from './bind-update.ts'
import { ExpressionError } from './expression-error.ts'
import { EXPRESSION_SIZE_MAX_BYTES } from './limits.ts'
import { parseCondition } from './parse-condition.ts'
import { parseProjection } from './parse-projection.ts'
import { parseUpdate } from './parse-update.ts'
import { Placeholders } from './placeholders.ts'
import { PrintedPlaceholders, printCondition, printProjection, printUpdate } from './print.ts'

const INPUTS = Number(process.env.FUZZ_INPUTS ?? 60_000)
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_115)
const RUN_MS_MAX = 60_000 + INPUTS
const INPUT_MS_MAX = 50
/** A collection of garbage may make one try slow; an input that is slow itself is slow each time.
 * So the best try counts. */
const TRIES = 10
const TRY_AGAIN_MS = 2

type Kind = 'condition' | 'update' | 'projection'

const NAMES: Record<string, string> = {
  '#n': 'a',
  '#m': 'b.c',
  '#p': '__proto__',
  '#t': 'toString',
  '#e': 'é 😀',
}
const VALUES: Record<string, AttributeValue> = {
  ':n': { N: '1' },
  ':m': { N: '20' },
  ':s': { S: 'x' },
  ':t': { S: 'SS' },
  ':b': { B: 'YQ==' },
  ':o': { BOOL: true },
  ':u': { NULL: true },
  ':l': { L: [{ S: 'q' }] },
  ':d': { M: { k: { N: '1' } } },
  ':ss': { SS: ['a', 'b'] },
  ':ns': { NS: ['1', '2'] },
}

it(
  'any text gives a tree or an ExpressionError, soon, always the same, and a tree survives printing',
  () => {
    const random = randomFrom(SEED)
    const generate = generatorFrom(random)
    let trees = 0
    let slowestMs = 0
    let slowest = ''
    const started = performance.now()
    for (let count = 0; count < INPUTS; count++) {
      const kind = random.pick<Kind>(['condition', 'condition', 'update', 'update', 'projection'])
      const text = generate(kind)
      const where = `input ${count} of seed ${SEED}: ${kind} ${JSON.stringify(text)}`
      let elapsedMs = Number.POSITIVE_INFINITY
      let outcome: Outcome = read(kind, text, { names: NAMES, values: VALUES }, where)
      for (let attempt = 0; attempt < TRIES && elapsedMs > TRY_AGAIN_MS; attempt++) {
        const before = process.cpuUsage()
        const again = read(kind, text, { names: NAMES, values: VALUES }, where)
        elapsedMs = Math.min(elapsedMs, cpuMs(before))
        if (JSON.stringify(again) !== JSON.stringify(outcome)) {
          expect(again, `two results, ${where}`).toEqual(outcome)
        }
        outcome = again
      }
      if (elapsedMs > INPUT_MS_MAX) expect.fail(`${elapsedMs} ms for ${where}`)
      if (elapsedMs > slowestMs) {
        slowestMs = elapsedMs
        slowest = `${kind} of ${text.length} characters`
      }
      if (outcome.tree === undefined) continue
      trees++
      checkPrint(kind, outcome.tree, where)
    }
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(
      `fuzz: seed ${SEED}, ${INPUTS} inputs, ${trees} trees, ${seconds} s, slowest ${slowestMs.toFixed(2)} ms (${slowest})`,
    )
    expect(trees).toBeGreaterThan(INPUTS / 20)
  },
  RUN_MS_MAX,
)

interface Outcome {
  readonly tree?: unknown
  readonly problem?: unknown
}

interface Members {
  readonly names: Record<string, string> | undefined
  readonly values: Record<string, AttributeValue> | undefined
}

function read(kind: Kind, text: string, members: Members, where: string): Outcome {
  const placeholders = new Placeholders(members)
  try {
    switch (kind) {
      case 'condition':
        return { tree: bindCondition(parseCondition(text), placeholders) }
      case 'update':
        return { tree: bindUpdate(parseUpdate(text), placeholders) }
      case 'projection':
        return { tree: bindProjection(parseProjection(text), placeholders) }
    }
  } catch (error) {
    if (error instanceof ExpressionError) return { problem: error.problem }
    throw new Error(`not an ExpressionError, ${where}`, { cause: error })
  }
}

function checkPrint(kind: Kind, tree: unknown, where: string): void {
  const [text, members] = print(kind, tree)
  // A placeholder can be longer than the name it stands for.
  if (utf8Length(text) > EXPRESSION_SIZE_MAX_BYTES) return
  const again = read(kind, text, members, `printed from ${where}`)
  if (JSON.stringify(again.tree) !== JSON.stringify(tree)) {
    expect(again, `printed as ${text}, ${where}`).toEqual({ tree })
  }
  if (print(kind, again.tree)[0] !== text) expect(print(kind, again.tree)[0], where).toBe(text)
}

function print(kind: Kind, tree: unknown): [string, Members] {
  const placeholders = new PrintedPlaceholders()
  // The tree came from binding an expression of this kind.
  const text =
    kind === 'condition'
      ? printCondition(tree as ReturnType<typeof bindCondition>, placeholders)
      : kind === 'update'
        ? printUpdate(tree as ReturnType<typeof bindUpdate>, placeholders)
        : printProjection(tree as ReturnType<typeof bindProjection>, placeholders)
  return [text, { names: placeholders.names(), values: placeholders.values() }]
}

interface Random {
  /** A number from 0 up to, not with, the limit. */
  below(limit: number): number
  chance(probability: number): boolean
  pick<T>(choices: readonly T[]): T
}

/** Mulberry32: small, and the same numbers on every machine. */
function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (choices) => choices[below(choices.length)]!,
  }
}

const FRAGMENTS = [
  ...['(', ')', '((', '))', '[', ']', '.', ',', '=', '<>', '<', '<=', '>', '>=', '+', '-', ' '],
  ...[' AND ', ' or ', 'NOT ', ' BETWEEN ', ' IN (', ' SET ', ' remove ', ' ADD ', ' DELETE '],
  ...['a', 'b', 'name', 'size', '#n', '#p', '#zz', ':n', ':s', ':zz', '#', ':', '0', '01', '12'],
  ...['99999999999', 'foo(', 'size(', 'contains(', 'attribute_exists(', 'if_not_exists('],
  ...[
    'list_append(',
    '_',
    '!',
    '"',
    'é',
    '😀',
    '\ud800',
    '\u0000',
    '\t',
    '\n',
    '\u00a0',
    '__proto__',
  ],
]

const REPEATED = [
  ...['(', 'NOT ', 'NOT(', '(NOT ', 'size(', 'f(', 'f((', 'a=b AND ', '(a=b OR ', 'a.', 'a[0]'],
  ...['a,', 'list_append(', 'if_not_exists(a,', '((a=b) AND ', 'a BETWEEN ', 'a IN (', '#', ')'],
]

function generatorFrom(random: Random): (kind: Kind) => string {
  const { chance, pick, below } = random
  const list = (make: () => string, most: number): string =>
    Array.from({ length: 1 + below(most) }, make).join(pick([', ', ',']))
  const group = (text: string, probability: number): string =>
    chance(probability) ? group(`(${text})`, 0.05) : text

  const path = (): string => {
    let text = pick(['a', 'b', 'c', 'd', 'e', 'f', '#n', '#m', '#p', '#t', '#e'])
    if (chance(0.01)) text = pick(['name', 'size', '#zz', '_x', '1'])
    while (chance(0.25)) text += pick(['.b', '[0]', '[7]', '.#n', '.#p', '.c', '.d'])
    return text
  }
  const value = (): string => (chance(0.99) ? pick(Object.keys(VALUES)) : ':zz')
  const operand = (): string => {
    if (chance(0.1)) return group(`size(${chance(0.8) ? path() : operand()})`, 0.05)
    return group(chance(0.6) ? path() : value(), 0.05)
  }
  const comparison = (): string => {
    switch (below(6)) {
      case 0:
        return `${path()} BETWEEN ${operand()} AND ${operand()}`
      case 1:
        return `${operand()} IN (${list(operand, 4)})`
      case 2:
        return `${pick(['attribute_exists', 'attribute_not_exists'])}(${path()})`
      case 3:
        return `${pick(['begins_with', 'contains', 'attribute_type'])}(${path()}, ${pick([':s', ':t', ':b'])})`
      default:
        return `${operand()} ${pick(['=', '<>', '<', '<=', '>', '>='])} ${operand()}`
    }
  }
  const condition = (depth: number): string => {
    if (depth === 0 || chance(0.4)) return group(comparison(), 0.1)
    if (chance(0.2)) return `NOT ${condition(depth - 1)}`
    const text = `${condition(depth - 1)} ${pick(['AND', 'OR', 'and'])} ${condition(depth - 1)}`
    return group(text, 0.3)
  }
  const updateOperand = (depth: number): string => {
    if (depth > 0 && chance(0.2)) return `if_not_exists(${path()}, ${updateOperand(depth - 1)})`
    return group(chance(0.5) ? path() : value(), 0.05)
  }
  const updateValue = (): string => {
    if (chance(0.2)) return `list_append(${updateOperand(2)}, ${pick([path(), ':l'])})`
    if (chance(0.3))
      return group(`${updateOperand(1)} ${pick(['+', '-'])} ${pick([path(), ':n'])}`, 0.1)
    return updateOperand(3)
  }
  const update = (): string => {
    const sections: string[] = []
    if (chance(0.6)) sections.push(`SET ${list(() => `${path()} = ${updateValue()}`, 3)}`)
    if (chance(0.3)) sections.push(`REMOVE ${list(path, 3)}`)
    if (chance(0.3)) sections.push(`ADD ${list(() => `${path()} ${pick([':n', ':ss'])}`, 2)}`)
    if (chance(0.2)) sections.push(`DELETE ${list(() => `${path()} ${pick([':ns', ':ss'])}`, 2)}`)
    return sections.join(' ')
  }
  const grammatical = (kind: Kind): string =>
    kind === 'condition' ? condition(below(6)) : kind === 'update' ? update() : list(path, 5)

  const mutated = (text: string): string => {
    const tokens = text.match(/\s+|[#:]?\w+|./gsu) ?? []
    for (let changes = 1 + below(3); changes > 0; changes--) {
      const index = below(tokens.length + 1)
      switch (below(4)) {
        case 0:
          tokens.splice(index, 1)
          break
        case 1:
          tokens[index] = pick(FRAGMENTS)
          break
        case 2:
          tokens.splice(index, 0, ...tokens.slice(below(tokens.length + 1), index))
          break
        default:
          tokens.splice(index, 0, pick(FRAGMENTS))
      }
    }
    return tokens.join('').slice(0, 5000)
  }
  const soup = (): string => Array.from({ length: below(20) }, () => pick(FRAGMENTS)).join('')
  /** Up to and a little over the largest size, closed, half closed or not at all. */
  const deep = (kind: Kind): string => {
    const opening = pick(REPEATED)
    const closings = opening.split('(').length - 1
    const size = chance(0.3) ? 4200 : 600
    const times = 1 + below(Math.ceil(size / (opening.length + closings)))
    const closed = pick([0, times, times, below(times + 1)])
    const start = kind === 'update' ? pick(['SET a = ', 'REMOVE ', '']) : ''
    return `${start}${opening.repeat(times)}${pick(['a', 'a=b', 'b, :n', ''])}${')'.repeat(closings * closed)}`
  }
  return (kind) => {
    const roll = below(100)
    if (roll < 55) return grammatical(kind)
    if (roll < 85) return mutated(grammatical(kind))
    return roll < 98 ? soup() : deep(kind)
  }
}

/** CPU milliseconds of the process, so that it doesn't count what else the machine does. */
function cpuMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
