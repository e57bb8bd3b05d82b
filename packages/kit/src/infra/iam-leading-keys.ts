import type { KeyPart, Model, Schema, TemplatePart } from 'singletable/tools'
import { InfraError, InfraUsageError } from './infra-error.ts'

/** The attribute that policies keep callers within, and its value. */
export interface ScopeValue {
  readonly attribute: string
  /** A variable of IAM, such as `${aws:PrincipalTag/tenantId}`, or the value itself. */
  readonly value: string
}

type Placeholder = Exclude<TemplatePart, string>

const VARIABLE = /^\$\{[a-zA-Z0-9-]+:[\w:/@.=+-]+\}$/

/** Reads `tenantId` or `tenantId=value`; without a value it is the tag of the same name that the
 * caller's session has. */
export function parseScope(text: string): ScopeValue {
  const at = text.indexOf('=')
  const attribute = at < 0 ? text : text.slice(0, at)
  const value = at < 0 ? `\${aws:PrincipalTag/${attribute}}` : text.slice(at + 1)
  if (attribute === '' || value === '' || (at < 0 && !VARIABLE.test(value))) {
    throw new InfraUsageError(
      `"${text}" is not a scope.`,
      'name an attribute, as in tenantId, or an attribute and its value, as in tenantId=acme',
    )
  }
  return { attribute, value }
}

/** What the partition keys of the models have to be like, in the language of IAM's StringLike. */
export function leadingKeys(
  schema: Schema,
  index: string,
  {
    models,
    written,
  }: { readonly models: ReadonlySet<Model>; readonly written: ReadonlySet<Model> },
  scope: ScopeValue,
): readonly string[] {
  const keys = new Set<string>()
  for (const model of models) {
    const use = model.indexes.find((each) => each.index.name === index)
    // Models of a pattern over several share its index.
    if (use === undefined) continue
    const [part, ...others] = use.hash
    if (part === undefined || others.length > 0) {
      refuse(model, index, scope, 'it has several partition key attributes')
    }
    keys.add(keyPattern(model, index, part, scope))
    // Who only reads has nothing to do with them.
    if (index === 'primary' && written.has(model)) {
      for (const text of guardPatterns(schema, model, scope)) keys.add(text)
    }
  }
  return [...keys].sort()
}

function keyPattern(model: Model, index: string, part: KeyPart, scope: ScopeValue): string {
  if (part.attribute !== undefined) {
    if (part.attribute.name === scope.attribute) return valuePattern(scope)
    return refuse(model, index, scope, `its partition key is "${part.attribute.name}"`)
  }
  const { parts, source, separator } = part.template
  const first = parts.findIndex((each) => typeof each !== 'string')
  const placeholder = parts[first]
  if (typeof placeholder !== 'object' || placeholder.name !== scope.attribute || placeholder.by) {
    return refuse(model, index, scope, `its partition key is "${source}"`)
  }
  const [following, ...rest] = parts.slice(first + 1)
  // Without a separator after it, the pattern of one value would fit longer values as well.
  if (
    following !== undefined &&
    !(typeof following === 'string' && following.startsWith(separator))
  ) {
    return refuse(
      model,
      index,
      scope,
      `its partition key "${source}" continues without a separator`,
    )
  }
  const head = parts.slice(0, first).map((each) => escapePattern(String(each)))
  const tail = following === undefined ? '' : escapePattern(following)
  const end = rest.length > 0 ? '*' : ''
  return `${head.join('')}${placeholderPattern(model, index, placeholder, scope)}${tail}${end}`
}

function placeholderPattern(
  model: Model,
  index: string,
  placeholder: Placeholder,
  scope: ScopeValue,
): string {
  const attribute = model.attributes.get(scope.attribute)
  if (VARIABLE.test(scope.value)) {
    // IAM puts the value in as it is.
    const probe = 'Az0'
    if (attribute?.codec.tag !== 'S' || placeholder.print(probe) !== probe) {
      refuse(model, index, scope, 'the key has it in another form than the caller has')
    }
    return scope.value
  }
  const value = attribute?.codec.tag === 'N' ? Number(scope.value) : scope.value
  // What can't be part of a key, such as the separator, is refused here.
  return escapePattern(placeholder.encode(value))
}

/** The guards of unique values are next to the items; only those that begin with the scope's
 * attribute are of the scope. */
function guardPatterns(schema: Schema, model: Model, scope: ScopeValue): readonly string[] {
  return (model.derivedItems?.unique ?? []).map(({ name, attributes, prefix }) => {
    const { separator } = schema.params
    if (attributes[0]?.name !== scope.attribute) {
      return refuse(
        model,
        'primary',
        scope,
        `its unique "${name}" is unique in the whole table, so its guards are outside of any scope`,
      )
    }
    const end = attributes.length > 1 ? `${escapePattern(separator)}*` : ''
    return `${escapePattern(prefix + separator)}${valuePattern(scope)}${end}`
  })
}

function valuePattern({ value }: ScopeValue): string {
  return VARIABLE.test(value) ? value : escapePattern(value)
}

/** In a policy `*` and `?` stand for other signs and `$` begins a variable; so written, they stand
 * for themselves. */
function escapePattern(text: string): string {
  return text.replace(/[*?$]/g, (sign) => `\${${sign}}`)
}

function refuse(model: Model, index: string, { attribute }: ScopeValue, why: string): never {
  throw new InfraError(
    `Keys of "${model.name}" in ${index === 'primary' ? 'the table' : `the index "${index}"`} can't be limited to ${attribute}: ${why}.`,
    `begin its partition key with \${${attribute}}, as in 'TENANT#\${${attribute}}#…', or choose other patterns with --pattern`,
  )
}
