import type { InputIssue } from '../errors/input-error.ts'
import type { KeyTemplate } from '../template/key-template.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { addUnknown, canonicalValue } from './encode-attribute.ts'
import { refuseInput } from './input-issues.ts'
import { checkKeySize, keyBytesMax } from './key-text.ts'
import type { Attribute, ModelParts } from './model.ts'
import { warnOfPrefix, withoutPrefix } from './without-prefix.ts'

/** Makes the function that gives a model's primary key. */
export function createEncodeKey(
  model: ModelParts,
): (values: object, where: string, warn?: (message: string) => void) => Item {
  const { primary, schema, attributes } = model
  const keyNames = new Map<string, Attribute>()
  for (const name of primary.names) keyNames.set(name, attributes.get(name)!)
  const parts: {
    readonly name: string
    readonly template: KeyTemplate
    readonly bytesMax: number
  }[] = []
  for (const { name, template } of [...primary.hash, ...primary.sort]) {
    if (template) parts.push({ name, template, bytesMax: keyBytesMax(schema, name) })
  }

  return (values, where, warn) => {
    if (typeof values !== 'object' || values === null) {
      refuseInput([{ path: [], message: 'the key is no object' }], where)
    }
    const issues: InputIssue[] = []
    const plain: { [name: string]: unknown } = {}
    let raw: Map<string, unknown> | undefined
    for (const name of Object.keys(values)) {
      // Names come from the object itself.
      let value = (values as { readonly [name: string]: unknown })[name]
      if (value === undefined) continue
      const attribute = keyNames.get(name)
      if (attribute !== undefined) {
        if (warn !== undefined && typeof value === 'string' && !attribute.definition.encode) {
          const given = value
          for (const { template } of parts) {
            if (value === given) value = withoutPrefix(template, name, given)
          }
          if (value !== given) warnOfPrefix(warn, model.name, name)
        }
        plain[name] = canonicalValue(attribute, value, issues)
      } else if (schema.keyTypes.has(name)) {
        raw ??= new Map()
        raw.set(name, value)
      } else if (!attributes.has(name) && name !== schema.params.typeField) {
        addUnknown(issues, name, model)
      }
    }
    if (issues.length > 0) refuseInput(issues, where)

    const key: { [name: string]: AttributeValue } = {}
    for (const { name, template, bytesMax } of parts) {
      const rendered = template.render(plain)
      const given = raw?.get(name)
      if (given === undefined) {
        if (rendered === undefined) {
          for (const missing of template.names) {
            if (!Object.hasOwn(plain, missing))
              issues.push({ path: [missing], message: 'is missing' })
          }
          continue
        }
        key[name] = { S: rendered }
      } else {
        key[name] = { S: rawKey(given, template, rendered, name, where) }
      }
      checkKeySize(key[name], name, bytesMax, issues)
    }
    if (issues.length > 0) refuseInput(unique(issues), where)
    return key
  }
}

/** A key attribute given as it is stored: it must be the one the values make, or at least one that some values make. */
function rawKey(
  given: unknown,
  template: KeyTemplate,
  rendered: string | undefined,
  name: string,
  where: string,
): string {
  const fits =
    typeof given === 'string' &&
    (rendered === undefined ? template.match(given) !== undefined : given === rendered)
  if (fits) return given
  const message = `does not fit the template "${template.source}"`
  return refuseInput([{ path: [name], message }], where, 'KEY_MISMATCH')
}

/** An attribute that several templates miss is missing once. */
function unique(issues: readonly InputIssue[]): readonly InputIssue[] {
  const told = new Set<unknown>()
  return issues.filter(({ path, message }) => {
    const line = `${path[0]} ${message}`
    return !told.has(line) && told.add(line)
  })
}
