import type { AttributeDefinition } from 'singletable/tools'
import { modelNamed } from '../../design/design.ts'
import type { Rule } from '../rule.ts'

export const dateFormat: Rule = {
  code: 'K11',
  name: 'date-format',
  severity: 'warning',
  source: 'schema',
  title: 'A date in a sort key is a string without a fixed format.',
  explanation: `Sort keys are in the order of time only if all of them are written in one form, of one length, with the year first, in one time zone. A Date in a template always is: the library writes
it as 2026-11-16T05:30:00.000Z. A String can be anything.

  wrong   sk: 'ORDER#\${createdAt}', attributes: { createdAt: { type: String } }
  right   attributes: { createdAt: { type: Date } }
  right   attributes: { createdAt: { type: String, validate: /^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$/ } }

It reports strings in sort keys whose name says that they are a time, without a validate, and without a default that would make them.`,
  *check(design) {
    const reported = new Set<string>()
    for (const { model, keyAttribute, template, role, index } of design.keys) {
      if (role !== 'sort' || template === undefined) continue
      const attributes = modelNamed(design, model)?.attributes
      for (const part of template.parts) {
        if (typeof part === 'string' || part.modifiers.length > 0) continue
        const attribute = attributes?.get(part.name)
        const id = JSON.stringify([model, keyAttribute, part.name])
        if (attribute === undefined || reported.has(id)) continue
        if (!isTimeByName(part.name) || !isAnyText(attribute)) continue
        reported.add(id)
        yield {
          message: `${model}.${keyAttribute} ("${template.source}"): ${part.name} has no fixed-width format; order is undefined.`,
          fix: `declare ${part.name} as Date, or with a validate that asks for one form`,
          place: { model, attribute: part.name, index },
        }
      }
    }
  },
}

const TIME_NAME =
  /(?:^|_)(?:at|date|time|timestamp|day|datetime)$|(?:At|Date|Time|Timestamp|Day|On)$/

function isTimeByName(name: string): boolean {
  return TIME_NAME.test(name)
}

function isAnyText(definition: AttributeDefinition): boolean {
  const { type, validate, enum: values } = definition
  return (
    type === String &&
    validate === undefined &&
    values === undefined &&
    typeof definition.default !== 'function'
  )
}
