import type { InputIssue } from '../errors/input-error.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { canonicalValue, readInput } from './encode-attribute.ts'
import { primaryTemplates } from './index-keys.ts'
import { addIssue, refuseInput } from './input-issues.ts'
import { checkKey } from './key-text.ts'
import type { Model, ModelParts } from './model.ts'
import { warnOfPrefix, withoutPrefix } from './without-prefix.ts'

/** Makes the function that gives a model's primary key. */
export function createEncodeKey(model: ModelParts): Model['encodeKey'] {
  const { primary, schema, attributes } = model
  const parts = primaryTemplates(primary)
  const isSharded = parts.some(({ template }) =>
    template.parts.some((part) => typeof part !== 'string' && part.by),
  )
  const fix = `correct what is given: ${model.name}'s key is ${primary.names.join(', ') || 'fixed'}`
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
          if (value === given) value = withoutPrefix(template, name, given)
        }
        if (value !== given) warnOfPrefix(warn, model.name, name)
      }
      if (value !== undefined) plain[name] = canonicalValue(attribute, value, issues)
    }
    if (issues.length > 0) refuseInput(issues, where, fix)

    const key: { [name: string]: AttributeValue } = {}
    const missing = new Set<string>()
    for (const { name, template } of parts) {
      const rendered = template.render(plain)
      const given = raw && getOwn(raw, name)
      if (given !== undefined) {
        // A key attribute given as it is stored must be the one the values make, or at least one that some values make.
        const fits = rendered === undefined ? template.match(String(given)) : given === rendered
        if (typeof given !== 'string' || !fits) {
          addIssue(issues, `does not fit the template "${template.source}"`, name)
          refuseInput(issues, where, undefined, 'KEY_MISMATCH')
        }
      }
      const S = given ?? rendered
      if (typeof S === 'string') {
        key[name] = { S }
        checkKey(schema, name, key[name], issues)
      } else for (const each of template.names) if (!Object.hasOwn(plain, each)) missing.add(each)
    }
    for (const name of missing) addIssue(issues, 'is missing', name)
    if (issues.length > 0) refuseInput(issues, where, fix)
    if (raw && isSharded) requireShard(key)
    return key

    /** Of keys given as they are stored each by itself may be one that there is, and the shard still that of another item. */
    function requireShard(given: { readonly [name: string]: AttributeValue }): void {
      const found: { [name: string]: unknown } = {}
      for (const { name, template } of parts) {
        const told = template.match(given[name]?.S ?? '') ?? {}
        for (const each of Object.keys(told)) {
          if (!Object.hasOwn(found, each) || template.told.includes(each)) found[each] = told[each]
        }
      }
      for (const { name, template } of parts) {
        if (template.render(found) === given[name]?.S) continue
        addIssue(issues, 'has another shard than the rest of the key says', name)
        refuseInput(issues, where, undefined, 'KEY_MISMATCH')
      }
    }
  }
}
