import { getOwn } from 'singletable/tools'
import { type Design, modelNamed } from '../../design/design.ts'
import type { ModelKey } from '../../design/design-model.ts'
import { noticesOf } from '../issue-findings.ts'
import type { Notice, Rule } from '../rule.ts'

export const unpaddedNumber: Rule = {
  code: 'K10',
  name: 'unpadded-number',
  severity: 'warning',
  source: 'schema',
  title: 'Numbers in a key sort as strings.',
  explanation: `Keys that are built from parts are strings, and strings sort character by character: "10" comes before "9". The library refuses a number in a template unless it is written so that
it sorts as numbers do; that is an error.

  wrong   sk: 'TICKET#\${number}'
  right   sk: 'TICKET#\${number:pad(6)}'                      // whole numbers from 0 to 999999
  right   number: { type: Number, encode: true }             // any number
  right   indexes: { byScore: { hash: 'game', sort: 'score' } }   // the attribute itself is the key, and a number

Numbers that are declared as strings can't be seen in a schema. With a sample of the table (--sample) strings in sort keys that are numbers of different lengths are reported, as a warning.`,
  *check(design) {
    yield* noticesOf(design, 'K10')
    const reported = new Set<string>()
    for (const key of design.keys) {
      const model = modelNamed(design, key.model)
      if (key.template === undefined || model === undefined) continue
      for (const part of key.template.parts) {
        if (typeof part === 'string') continue
        const id = JSON.stringify([key.model, key.keyAttribute, part.name])
        const attribute = model.attributes.get(part.name)
        if (attribute === undefined || reported.has(id)) continue
        const isText = key.role === 'sort' && attribute.type === String
        const notice = isText ? sampled(design, key, part.name) : undefined
        if (notice === undefined) continue
        reported.add(id)
        yield notice
      }
    }
  },
}

/** Digits only, of different lengths. */
function sampled(design: Design, key: ModelKey, name: string): Notice | undefined {
  const { sample, definition } = design
  if (sample === undefined) return undefined
  const model = modelNamed(design, key.model)
  const stored = model?.attributes.get(name)?.map ?? name
  const typeField = definition.params?.typeField ?? '_type'
  const strings = sample.items.flatMap((item) => {
    const text = getOwn(item, stored)?.S
    return getOwn(item, typeField)?.S === (model?.definition.type ?? key.model) &&
      text !== undefined
      ? [text]
      : []
  })
  const lengths = new Set(strings.map((text) => text.length))
  if (lengths.size < 2 || !strings.every((text) => /^\d+$/.test(text))) return undefined
  return {
    message: `${key.model}.${key.keyAttribute} ("${key.template?.source}"): ${name} sorts as text: "10" < "9". All ${strings.length} sampled values are numbers.`,
    fix: `pad ${name} with zeros to one length, or declare it as a Number with pad`,
    place: { model: key.model, attribute: name, index: key.index },
  }
}
