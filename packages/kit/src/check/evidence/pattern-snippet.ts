import { keyVariables, type Model, type Schema } from 'singletable/tools'
import type { RecordedShape } from './recording.ts'

/** A pattern that would declare a request, as it is written in a schema; undefined where the
 * request is part of another call. */
export function patternSnippet(schema: Schema, shape: RecordedShape): string | undefined {
  const { operation, verb, entity, index, key, filter } = shape
  const model = entity ? schema.models.get(entity) : undefined
  switch (operation) {
    case 'Scan':
      return print({ op: 'scan', ...(entity && { entity }), reason: '…' })
    case 'Query': {
      const of = model ? [model] : modelsOf(schema, shape)
      const names = of.map(({ name }) => name)
      return print({
        op: 'query',
        entity: names.length > 1 ? names : (names[0] ?? '…'),
        ...(index !== null && index !== 'primary' && { index }),
        by: fixedNames(key ?? ''),
        ...rangeOf(key ?? ''),
        ...(filter !== null && { where: '…' }),
      })
    }
    default:
      return model && snippetByKey(model, verb ?? '')
  }
}

function snippetByKey(model: Model, verb: string): string | undefined {
  const entity = model.name
  const by = keyVariables([...model.primary.hash, ...model.primary.sort])
  switch (verb) {
    case 'create':
    case 'put':
      return print({ op: verb, entity })
    case 'get':
    case 'batchGet':
    case 'delete':
      return print({ op: verb, entity, by })
    case 'update':
      return print({ op: verb, entity, by, set: ['…'] })
    default:
      return undefined
  }
}

/** The models that make the partition key which is asked for. */
function modelsOf(schema: Schema, { index, key }: RecordedShape): readonly Model[] {
  const [, hash] = /^\S+ = (.*?)(?: AND |$)/s.exec(key ?? '') ?? []
  return [...schema.models.values()].filter((model) =>
    model.indexes.some(
      (use) =>
        use.index.name === (index ?? 'primary') &&
        use.hash.some(({ template }) => template?.source === hash),
    ),
  )
}

/** The variables that equality or a beginning fixes; a range is none. */
function fixedNames(key: string): readonly string[] {
  const [fixed = ''] = key.split(/ AND \S+ (?:BETWEEN|[<>])/)
  return namesIn(fixed)
}

function rangeOf(key: string): { readonly range?: string } {
  const [, bounds = ''] = key.split(/ (?:BETWEEN|[<>]=?) /)
  const fixed = fixedNames(key)
  const range = namesIn(bounds).find((name) => !fixed.includes(name))
  return range === undefined ? {} : { range }
}

function namesIn(text: string): readonly string[] {
  const names = [...text.matchAll(/\$\{([\w.]+)[^}]*\}/g)].map(([, name = '']) => name)
  return [...new Set(names)]
}

/** As it is written by hand. */
function print(pattern: object): string {
  const members = Object.entries(pattern).map(([name, value]) => `${name}: ${printValue(value)}`)
  return `{ ${members.join(', ')} }`
}

function printValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printValue).join(', ')}]`
  return value === '…' ? '…' : `'${value}'`
}
