import type { AttributeDefinition } from 'singletable/tools'
import { modelNamed } from '../../design/design.ts'
import { namesInKey } from '../../design/design-model.ts'
import type { Notice, Rule } from '../rule.ts'

export const optionalInKey: Rule = {
  code: 'K09',
  name: 'optional-in-key',
  severity: 'error',
  source: 'schema',
  title: 'A key is made of an attribute that may be missing.',
  explanation: `Without the attribute there is no key. Attributes of the primary key are always required, and the library refuses one that may be null. For another index
it means that an item without the attribute is not in it, and no query finds it there.

  wrong   key: { pk: 'USER#\${username}', … }, attributes: { username: { type: String, nulls: true } }
  noted   index: { gsi1pk: 'REGION#\${region}', … }, attributes: { region: { type: String } }
  right   attributes: { region: { type: String, required: true } }          // or a default

An index with only some of the items can be just what is wanted. Declare it with when, and nothing is reported:

  right   when: { byAssignee: { status: 'open' } }

If the attribute itself is the key, without a template, when can't express it; then give the reason in lint.`,
  *check(design) {
    const reported = new Set<string>()
    for (const { model, index, hash, sort, when } of design.uses) {
      const written = modelNamed(design, model)
      if (written === undefined) continue
      for (const key of [...hash, ...sort]) {
        const { keyAttribute } = key
        for (const name of namesInKey(key)) {
          const attribute = written.attributes.get(name)
          const id = JSON.stringify([model, keyAttribute, name])
          if (attribute === undefined || reported.has(id)) continue
          // The library asks for what the primary key is made of, whatever is declared, unless it
          // may be null.
          if (!(index === 'primary' ? attribute.nulls : mayBeMissing(name, attribute, design)))
            continue
          if (index !== 'primary' && (when !== undefined || isPrimary(keyAttribute, design)))
            continue
          // Without what its key is made of, a copy does not exist.
          if (written.copy !== undefined) continue
          reported.add(id)
          yield noticeOf({ model, index, keyAttribute, name, isPlain: key.template === undefined })
        }
      }
    }
  },
}

function mayBeMissing(
  name: string,
  definition: AttributeDefinition,
  { definition: { params } }: Parameters<Rule['check']>[0],
): boolean {
  const { required, generate, version, counts, nulls } = definition
  const isTimestamp = params?.timestamps === true && /^(created|updated)At$/.test(name)
  if (nulls) return true
  return (
    !required &&
    definition.default === undefined &&
    !generate &&
    !version &&
    !counts &&
    !isTimestamp
  )
}

function isPrimary(keyAttribute: string, { keys }: Parameters<Rule['check']>[0]): boolean {
  return keys.some((key) => key.index === 'primary' && key.keyAttribute === keyAttribute)
}

function noticeOf(at: {
  readonly model: string
  readonly index: string
  readonly keyAttribute: string
  readonly name: string
  /** The attribute is the key as it is. */
  readonly isPlain: boolean
}): Notice {
  const { model, index, keyAttribute, name, isPlain } = at
  const place = { model, attribute: name, index }
  if (index === 'primary') {
    return {
      message: `${name} may be null, so ${model}.${keyAttribute} cannot always be built.`,
      fix: `declare ${name} without nulls, or make the key from another attribute`,
      place,
    }
  }
  const edits = [{ path: ['models', model, 'attributes', name, 'required'], code: 'true' }]
  if (isPlain) {
    return {
      severity: 'info',
      message: `${model}.${name} may be missing: items without it are not in ${index}.`,
      fix: `declare ${name} with required: true or a default, unless ${index} should only have those that have it`,
      place,
      edits,
    }
  }
  return {
    severity: 'info',
    message: `${name} may be missing, so ${model}.${keyAttribute} cannot always be built: items without it are not in ${index}.`,
    fix: `declare ${name} with required: true or a default, or declare with when: { ${index}: { … } } which items are in ${index}`,
    place,
    edits,
  }
}
