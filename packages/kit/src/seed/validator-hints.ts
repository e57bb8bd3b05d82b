import type { StandardSchema, Validator } from 'singletable/tools'

/** The part of JSON Schema that describes which values are valid. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
  readonly pattern?: string
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
}

/**
 * Guesses about the values that a validator accepts. They can be wrong: each value must be tried.
 */
export interface ValidatorHints {
  readonly numbers: readonly number[]
  readonly strings: readonly string[]
  readonly patterns: readonly RegExp[]
  /** The JSON Schema of a Standard Schema. */
  readonly schema: JsonSchema | undefined
}

const NONE: ValidatorHints = { numbers: [], strings: [], patterns: [], schema: undefined }
const NUMBER = /(?<![\w.$])-?\d[\d_]*(?:\.\d+)?(?:e\d+)?(?![\w.])/g
const TEXT = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"/g
/**
 * A regular expression literal: not after a name, a number or a closing bracket, where `/` divides.
 */
const PATTERN =
  /(?<=[(=,:;!&|?{}>]\s*|return\s)\/(?![*/])((?:[^\\/\n[]|\\.|\[(?:[^\\\]\n]|\\.)*\])+)\/([a-z]*)/g

/**
 * Reads a regular expression, the JSON Schema of a Standard Schema, or the literals in the source
 * of a function.
 */
export function hintsOf(validator: Validator | undefined): ValidatorHints {
  if (validator === undefined) return NONE
  if (validator instanceof RegExp) return { ...NONE, patterns: [validator] }
  if ('~standard' in validator) {
    const schema = jsonSchemaOf(validator) ?? valibotSchema(validator)
    return { ...NONE, schema }
  }
  const source = String(validator)
  return {
    numbers: [...source.matchAll(NUMBER)].map(([text]) => Number(text.replaceAll('_', ''))),
    strings: [...source.matchAll(TEXT)].map(([, single, double]) => single ?? double ?? ''),
    patterns: [...source.matchAll(PATTERN)].flatMap(([, text = '', flags]) => {
      const pattern = patternOf(text, flags)
      return pattern ? [pattern] : []
    }),
    schema: undefined,
  }
}

export function patternOf(source: string, flags?: string): RegExp | undefined {
  try {
    return new RegExp(source, flags)
  } catch {
    return undefined
  }
}

/** The extension of Standard Schema by which zod and arktype describe themselves. */
function jsonSchemaOf(validator: StandardSchema): JsonSchema | undefined {
  const { jsonSchema } = validator['~standard'] as {
    readonly jsonSchema?: { input?(options: { readonly target: string }): unknown }
  }
  try {
    // A schema that JSON Schema can't describe throws.
    const found = jsonSchema?.input?.({ target: 'draft-2020-12' })
    return typeof found === 'object' && found !== null ? found : undefined
  } catch {
    return undefined
  }
}

/** A valibot schema is plain data: its type, and the steps of its pipe with their requirements. */
interface ValibotStep {
  readonly type?: unknown
  readonly requirement?: unknown
  readonly options?: unknown
  readonly literal?: unknown
  readonly entries?: unknown
  readonly item?: unknown
  readonly wrapped?: unknown
  readonly pipe?: readonly ValibotStep[]
}

const VALIBOT_BOUNDS: Readonly<Record<string, keyof JsonSchema>> = {
  min_value: 'minimum',
  max_value: 'maximum',
  gt_value: 'exclusiveMinimum',
  lt_value: 'exclusiveMaximum',
  multiple_of: 'multipleOf',
  min_length: 'minLength',
  max_length: 'maxLength',
}
const VALIBOT_FORMATS: Readonly<Record<string, string>> = {
  email: 'email',
  uuid: 'uuid',
  url: 'uri',
  iso_date: 'date',
  iso_timestamp: 'date-time',
}

function valibotSchema(validator: unknown): JsonSchema | undefined {
  const step = Object(validator) as ValibotStep
  if (typeof step.type !== 'string') return undefined
  if (step.wrapped !== undefined) return valibotSchema(step.wrapped)
  const result: Record<string, unknown> = { type: step.type }
  if (Array.isArray(step.options) && step.type === 'picklist') result.enum = step.options
  if (step.literal !== undefined) result.const = step.literal
  if (step.item !== undefined) result.items = valibotSchema(step.item)
  if (step.entries !== undefined) {
    result.properties = Object.fromEntries(
      Object.entries(Object(step.entries)).flatMap(([name, entry]) => {
        const inside = valibotSchema(entry)
        return inside ? [[name, inside]] : []
      }),
    )
  }
  for (const { type, requirement } of step.pipe ?? []) {
    const name = String(type)
    const bound = VALIBOT_BOUNDS[name]
    if (bound && typeof requirement === 'number') result[bound] = requirement
    if (name === 'integer') result.type = 'integer'
    if (name === 'length' && typeof requirement === 'number') {
      result.minLength = requirement
      result.maxLength = requirement
    }
    if (name === 'regex' && requirement instanceof RegExp) result.pattern = requirement.source
    if (VALIBOT_FORMATS[name]) result.format = VALIBOT_FORMATS[name]
  }
  return result
}
