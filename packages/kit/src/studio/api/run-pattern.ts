import type { Transport } from 'singletable'
import { type Model, type Pattern, RANGE_BOUNDS } from 'singletable/tools'
import { showValue } from '../../text/show-value.ts'
import { parseValue, type ValueDefinition, ValueProblem } from '../../text/typed-values.ts'
import type {
  CodeView,
  InputText,
  PatternAnswer,
  PatternPlanView,
  PatternRequest,
  SavedFile,
} from './contract.ts'
import { printPatternTest } from './print-fixture.ts'
import { printPartiql } from './print-partiql.ts'
import { stringsOf } from './read-items.ts'
import { StudioError } from './studio-error.ts'
import { type Meter, NOWHERE, type StudioSource } from './studio-source.ts'

/** Results of patterns that declare no limit. */
export const RESULTS_MAX = 100
const LINE_CHARACTERS_MAX = 72

/** A pattern's function without types: the library checks its input. */
type LoosePattern = (input: object, options?: object) => LooseCall
interface LooseCall extends Promise<LooseResult> {
  page(): Promise<LooseResult>
}
interface LooseResult {
  readonly count?: number
  readonly exists?: boolean
  readonly item?: object | undefined
  readonly items?: readonly (object | undefined)[]
  readonly groups?: Readonly<Record<string, readonly object[]>>
  readonly cursor?: string | undefined
}

/** Runs a pattern that reads, one page of it. */
export async function runPattern(
  source: StudioSource,
  request: PatternRequest,
): Promise<PatternAnswer> {
  const { pattern, result, meter } = await firstPage(source, request)
  const groups = groupsOf(pattern, result)
  const returned = groups.reduce((sum, { rows }) => sum + rows.length, 0)
  return {
    groups,
    scalar:
      result.count !== undefined
        ? String(result.count)
        : result.exists !== undefined
          ? String(result.exists)
          : null,
    cursor: result.cursor ?? null,
    spent: meter.spent(returned, pattern.use?.index.name ?? null),
  }
}

/** An item as the library returns it, and its entity. */
export interface ReturnedItem {
  readonly entity: string
  readonly item: object
}

/** All that a pattern gives, page by page. */
export async function* patternPages(
  source: StudioSource,
  request: PatternRequest,
): AsyncGenerator<readonly ReturnedItem[], void, undefined> {
  let cursor: string | undefined
  do {
    const { pattern, result } = await firstPage(source, { ...request, cursor })
    yield returnedItems(pattern, result)
    cursor = result.cursor
  } while (cursor !== undefined)
}

/** Entities whose items a pattern returns. */
export function modelsOf(source: StudioSource, name: string): readonly Model[] {
  const { models, target } = requirePattern(source, name)
  return target ? [target] : models
}

/** A test that the pattern gives what it gives now. */
export async function testPattern(
  source: StudioSource,
  request: PatternRequest,
): Promise<SavedFile> {
  const { pattern, input, result } = await firstPage(source, request)
  // The cursor is of this table; elsewhere it means nothing.
  const { cursor, ...rest } = { ...result }
  return printPatternTest(pattern.name, input, rest)
}

async function firstPage(source: StudioSource, request: PatternRequest): Promise<FirstPage> {
  const pattern = requirePattern(source, request.pattern)
  const { call, meter } = callOf(source, pattern)
  const input = readInput(pattern, request.input)
  const isPaged =
    pattern.definition.op === 'query'
      ? !('gives' in pattern.definition && pattern.definition.gives)
      : pattern.definition.op === 'scan'
  const { limit = pageSize(pattern), cursor } = request
  const run = call(input, isPaged ? { limit, ...(cursor !== undefined && { cursor }) } : {})
  const start = performance.now()
  const result = await (isPaged ? run.page() : run)
  source.calls.note(pattern.name, performance.now() - start)
  return { pattern, input, meter, result }
}

interface FirstPage {
  readonly pattern: Pattern
  readonly input: object
  readonly meter: Meter
  readonly result: LooseResult
}

/** What a pattern would send, without sending it, and how to write it elsewhere. */
export async function planPatternCall(
  source: StudioSource,
  request: PatternRequest,
): Promise<PatternPlanView> {
  const pattern = requirePattern(source, request.pattern)
  const { call, meter } = callOf(source, pattern, NOWHERE)
  const input = readInput(pattern, request.input)
  await call(input)
  const [first] = meter.sent
  const { operation, request: sent } = first ?? { operation: 'nothing', request: {} }
  return {
    operation,
    request: JSON.stringify(sent, undefined, 2),
    code: codeOf(pattern, input, meter.sent),
    notes: [],
  }
}

function callOf(
  source: StudioSource,
  { name }: Pattern,
  transport?: Transport,
): { readonly call: LoosePattern; readonly meter: Meter } {
  const { table, meter } = source.open(transport)
  // A schema that is loaded at run time has no useful types.
  const patterns = table.patterns as unknown as Readonly<Record<string, LoosePattern>>
  const call = patterns[name]
  if (call === undefined) throw new StudioError(`Pattern "${name}" can't be called.`, 'run another')
  return { call, meter }
}

function requirePattern({ schema }: StudioSource, name: string): Pattern {
  const pattern = schema.patterns.get(name)
  if (pattern === undefined) {
    throw new StudioError(`There is no pattern "${name}".`, 'choose one of the list')
  }
  const { op } = pattern.definition
  const isRead = op === 'query' || op === 'scan' || op === 'get'
  if (isRead && pattern.models.length > 0) return pattern
  throw new StudioError(
    `${name} can't be run here: its operation is ${op}.`,
    'call it in your application; the plan shows what it does',
  )
}

function pageSize({ definition }: Pattern): number {
  const { limit } = definition as { readonly limit?: number }
  return Math.min(limit ?? RESULTS_MAX, RESULTS_MAX)
}

/** The input that was typed, each value as the schema says. */
function readInput(pattern: Pattern, typed: PatternRequest['input']): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const [name, text] of Object.entries(typed)) {
    if (text === '' || (Array.isArray(text) && text.length === 0)) continue
    const value = readValue(name, text, definitionOf(pattern, name))
    if (value !== undefined) input[name] = value
  }
  return input
}

function readValue(name: string, text: InputText, definition: ValueDefinition): unknown {
  if (typeof text === 'string') return parse(name, text, definition)
  if (Array.isArray(text)) return text.map((each: string) => parse(name, each, definition))
  const bounds = Object.entries(text as Record<string, string>).filter(([, each]) => each !== '')
  const wrong = bounds.find(([bound]) => !RANGE_BOUNDS.some((each) => each === bound))
  if (wrong)
    throw new StudioError(
      `"${wrong[0]}" is not a bound of a range.`,
      `use ${RANGE_BOUNDS.join(', ')}`,
    )
  if (bounds.length === 0) return undefined
  return Object.fromEntries(bounds.map(([bound, each]) => [bound, parse(name, each, definition)]))
}

/** Times can be typed relative to now: `now-7d`. */
const RELATIVE = /^now(?:([+-])(\d+)([smhdw]))?$/
const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

function parse(name: string, text: string, definition: ValueDefinition): unknown {
  const relative = definition.type === Date ? RELATIVE.exec(text.trim()) : null
  if (relative) {
    const [, sign, count, unit] = relative
    const ms = unit === undefined ? 0 : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]
    return new Date(Date.now() + (sign === '-' ? -ms : ms))
  }
  try {
    return parseValue(text, definition)
  } catch (error) {
    if (!(error instanceof ValueProblem)) throw error
    throw new StudioError(
      `The value of ${name} is ${error.message}.`,
      `correct ${name}`,
      'INPUT_INVALID',
      name,
    )
  }
}

function definitionOf(pattern: Pattern, name: string): ValueDefinition {
  const test = pattern.filter.find(({ operands }) => operands.some(({ input }) => input === name))
  const attribute = test?.attribute ?? name
  for (const model of pattern.models) {
    const known = model.attributes.get(attribute)
    if (known) return known.definition
  }
  return { type: String }
}

function groupsOf(pattern: Pattern, result: LooseResult): PatternAnswer['groups'] {
  const models = new Map(pattern.models.map((model) => [model.name, model]))
  if (pattern.target) models.set(pattern.target.name, pattern.target)
  const rows = (entity: string, items: readonly object[]): PatternAnswer['groups'][number] => {
    // Only names are taken from the model, and every entity of a result has one.
    const model = models.get(entity) as Model
    return { entity, rows: items.map((item) => stringsOf(model, item)) }
  }
  const groups = new Map<string, object[]>(
    Object.keys(result.groups ?? {}).map((entity) => [entity, []]),
  )
  for (const { entity, item } of returnedItems(pattern, result)) {
    groups.set(entity, [...(groups.get(entity) ?? []), item])
  }
  return [...groups].map(([entity, items]) => rows(entity, items))
}

function returnedItems(pattern: Pattern, result: LooseResult): readonly ReturnedItem[] {
  const { groups, items = [result.item] } = result
  const entity = pattern.target?.name ?? pattern.models[0]?.name ?? ''
  const given = groups ? Object.entries(groups) : [[entity, items] as const]
  return given.flatMap(([name, list]) =>
    list.flatMap((item) => (item ? [{ entity: name, item }] : [])),
  )
}

/** The same question in other languages. */
function codeOf({ name, use }: Pattern, input: object, sent: Meter['sent']): readonly CodeView[] {
  const member = /^[\p{L}_$][\p{L}\d_$]*$/u.test(name) ? `.${name}` : `[${showValue(name)}]`
  const start = `const result = await table.patterns${member}(`
  const operations = [...new Set(sent.map(({ operation }) => `${operation}Command`))].join(', ')
  const calls = sent.map(({ operation, request }, at) => {
    const answer = sent.length === 1 ? 'answer' : `answer${at + 1}`
    const code = showValue(request, { width: LINE_CHARACTERS_MAX })
    return `const ${answer} = await client.send(new ${operation}Command(${code}))`
  })
  const statements = sent.map(({ request }) => printPartiql(request, use?.index.sort[0]))
  return [
    {
      language: 'TypeScript',
      text: `${start}${showValue(input, { width: LINE_CHARACTERS_MAX, start: start.length })})`,
    },
    {
      language: 'AWS SDK',
      text: `import { DynamoDBClient, ${operations} } from '@aws-sdk/client-dynamodb'\n\nconst client = new DynamoDBClient({})\n${calls.join('\n')}`,
    },
    {
      language: 'AWS CLI',
      text: sent
        .map(
          ({ operation, request }) =>
            `aws dynamodb ${operation.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()} --cli-input-json ${shellQuoted(JSON.stringify(request))}`,
        )
        .join('\n'),
    },
    ...(statements.some((each) => each === undefined)
      ? []
      : [{ language: 'PartiQL', text: statements.join(';\n\n') }]),
    {
      language: 'Request',
      text: sent.map(({ request }) => JSON.stringify(request, undefined, 2)).join('\n'),
    },
  ]
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
