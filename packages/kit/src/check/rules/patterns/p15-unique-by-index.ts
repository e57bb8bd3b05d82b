import { type AskedQuery, keyVariables } from 'singletable/tools'
import { listNames } from '../../../text/list-names.ts'
import type { DeclaredPattern } from '../../design/declared-pattern.ts'
import { type Design, indexAnswers, modelNamed, primaryNames } from '../../design/design.ts'
import type { DesignModel } from '../../design/design-model.ts'
import type { Rule } from '../rule.ts'

/** Attributes that people take for unique. */
const NAMING =
  /^(e-?mail|slug|handle|phone|sku|isbn|iban|ssn|login|nick(name)?)|(Email|Slug|Handle|Phone|Sku)(Address|Number)?$/i

export const uniqueByIndex: Rule = {
  code: 'P15',
  name: 'unique-by-index',
  severity: 'warning',
  source: 'schema',
  title: 'A pattern finds one item in a global index, but nothing makes the value unique.',
  explanation: `Only the primary key is unique in DynamoDB. Two users with one e-mail address can both be in an index, and a lookup returns either of them.

  wrong   index: { gsi1pk: 'EMAIL#\${email}', gsi1sk: 'USER' },  attributes: { email: { type: String, required: true } }
          userByEmail: { op: 'query', entity: 'User', index: 'gsi1', by: ['email'] }
  right   attributes: { email: { type: String, required: true, unique: true } }      // or 'ignore-case'

With "unique" the library writes an item that holds the value in the same transaction, and refuses a second one with UNIQUE_TAKEN. Several attributes that are unique together go in the model's "unique".

A lookup of one item is a query whose whole key is given, or that expects one item, or whose partition key is an attribute such as email or slug alone.`,
  *check(design) {
    for (const pattern of design.patterns) {
      const { name, definition, entities, by, index } = pattern
      const [entity = ''] = entities
      const model = modelNamed(design, entity)
      if (definition.op !== 'query' || entities.length !== 1 || model === undefined) continue
      if (design.schema?.indexes.get(index)?.type !== 'global') continue
      if (!isLookUp(design, definition, model, pattern) || isUnique(design, model, by)) continue
      const names = listNames(by)
      yield {
        message: `Nothing stops two ${entity} with the same ${names}; the GSI ${index} does not enforce uniqueness, and ${name} expects one.`,
        fix:
          by.length === 1
            ? `declare unique: true (or 'ignore-case') on ${model.source}.${names}`
            : `give ${model.source} unique: { ${camel(by)}: [${by.map((each) => `'${each}'`).join(', ')}] }`,
        place: {
          pattern: name,
          model: entity,
          attribute: by.length === 1 ? by[0] : undefined,
          index,
        },
        ...(by.length === 1 && {
          edits: [{ path: ['models', model.source, 'attributes', ...by, 'unique'], code: 'true' }],
        }),
      }
    }
  },
}

function isLookUp(
  design: Design,
  { range, order, limit, expect }: AskedQuery,
  model: DesignModel,
  { by, index }: DeclaredPattern,
): boolean {
  const answers = indexAnswers(design, model, { by, range })
  const answer = answers.find((each) => each.use.index.name === index)
  if (answer === undefined || answer.missing.length + answer.unserved.length > 0) return false
  if (by.length === 0 || range !== undefined) return false
  // Only the whole key distinguishes items; what is left open in a sort key is an order.
  if (answer.use.sort.length > 0 && answer.next === undefined) return true
  if (order !== undefined) return false
  if (limit === 1 || expect?.itemsRead === 1) return true
  const [name = '', ...more] = keyVariables(answer.use.hash)
  return more.length === 0 && by.length === 1 && NAMING.test(name)
}

/** The primary key is among what is given, or the schema says that it is unique. */
function isUnique(design: Design, model: DesignModel, by: readonly string[]): boolean {
  const isGiven = (names: readonly string[]): boolean => names.every((name) => by.includes(name))
  if (isGiven(primaryNames(design, model))) return true
  if (by.some((name) => model.attributes.get(name)?.unique)) return true
  return Object.values(model.definition.unique ?? {}).some((rule) =>
    isGiven('attributes' in rule ? rule.attributes : rule),
  )
}

function camel([first = '', ...rest]: readonly string[]): string {
  return first + rest.map((name) => `And${name.slice(0, 1).toUpperCase()}${name.slice(1)}`).join('')
}
