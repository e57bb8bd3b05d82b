import type { InputIssue } from '../errors/input-error.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { sameValue } from '../values/same-value.ts'
import { canonicalValue, readInput } from './encode-attribute.ts'
import { matchPart, partNames, recoverableNames, renderPart } from './index-keys.ts'
import { addIssue, encodePart, refuseInput } from './input-issues.ts'
import { checkKey } from './key-text.ts'
import { componentsOf } from './key-variables.ts'
import type { KeyPart, Model, ModelParts } from './model.ts'
import { warnOfPrefix, withoutPrefix } from './without-prefix.ts'

/** Makes the function that gives a model's primary key. */
export function createEncodeKey(model: ModelParts): Model['encodeKey'] {
  const { primary, schema, attributes } = model
  const parts = [...primary.hash, ...primary.sort]
  const isSharded = componentsOf(parts).some(({ by }) => by)
  const fix = `give the key of ${model.name}: { ${primary.names.join(', ')} }`
  return (input, where, warn) => {
    const issues: InputIssue[] = []
    const { values, raw } = readInput(input, model, issues)
    const plain: { [name: string]: unknown } = {}
    for (const name of primary.names) {
      const attribute = attributes.get(name)!
      const given = getOwn(values, name)
      let value = given
      if (warn && typeof given === 'string' && !attribute.definition.encode) {
        for (const { template } of parts) {
          if (template && value === given) value = withoutPrefix(template, name, given)
        }
        if (value !== given) warnOfPrefix(warn, model.name, name)
      }
      if (value !== undefined) plain[name] = canonicalValue(attribute, value, issues)
    }
    if (issues.length > 0) refuseInput(issues, where, fix)

    const key: { [name: string]: AttributeValue } = {}
    const missing = new Set<string>()
    for (const part of parts) {
      const { name } = part
      const rendered = renderPart(part, plain)
      const given = raw && getOwn(raw, name)
      const value = given === undefined ? rendered : storedPart(part, given)
      // A key attribute given as it is stored must be the one the values make, or at least one that
      // some values make.
      if (given !== undefined && rendered && !sameValue(value, rendered)) refusePart(part)
      if (value) {
        key[name] = value
        checkKey(schema, name, value, issues)
      } else for (const each of partNames(part)) if (!Object.hasOwn(plain, each)) missing.add(each)
    }
    for (const name of missing) addIssue(issues, 'is missing', name)
    if (issues.length > 0) refuseInput(issues, where, fix)
    if (raw && isSharded) requireShard(key)
    return key

    /** A key attribute that is given as it is stored. */
    function storedPart(part: KeyPart, given: unknown): AttributeValue {
      const { name, attribute } = part
      const value = attribute
        ? encodePart(attribute.codec.encode, given, name, issues)
        : { S: String(given) }
      const fits = attribute
        ? issues.length === 0
        : typeof given === 'string' && matchPart(part, value)
      return fits ? value : refusePart(part)
    }

    function refusePart({ name, template, attribute }: KeyPart): never {
      const source = template
        ? `the template "${template.source}"`
        : `attribute "${attribute.name}"`
      if (issues.length === 0) addIssue(issues, `does not fit ${source}`, name)
      return refuseInput(issues, where, undefined, 'KEY_MISMATCH')
    }

    /**
     * Of keys given as they are stored each by itself may be one that there is, and the shard still
     * that of another item.
     */
    function requireShard(given: { readonly [name: string]: AttributeValue }): void {
      const found: { [name: string]: unknown } = {}
      for (const part of parts) {
        const matched = matchPart(part, given[part.name]) ?? {}
        for (const each of Object.keys(matched)) {
          if (!Object.hasOwn(found, each) || recoverableNames(part).includes(each)) {
            found[each] = matched[each]
          }
        }
      }
      for (const part of parts) {
        const { name } = part
        if (sameValue(renderPart(part, found), given[name])) continue
        addIssue(issues, 'does not match the shard that the rest of the key gives', name)
        refuseInput(issues, where, undefined, 'KEY_MISMATCH')
      }
    }
  }
}
