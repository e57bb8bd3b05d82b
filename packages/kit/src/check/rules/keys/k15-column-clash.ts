import type { KeyDefinition } from 'singletable/tools'
import type { Design } from '../../design/design.ts'
import type { DesignModel } from '../../design/design-model.ts'
import type { Notice, Rule } from '../rule.ts'

export const columnClash: Rule = {
  code: 'K15',
  name: 'column-clash',
  severity: 'error',
  source: 'schema',
  title: 'An attribute has the name of a key.',
  explanation: `A key attribute has one meaning: what its template makes. If data is stored under the same name, one of them overwrites the other. The same goes for the attribute that has the type. The library
refuses a model that does so.

  wrong   Post: { key: { pk: 'USER#\${username}', sk: 'POST#\${postId}' }, attributes: { pk: { type: String }, … } }
  right   Post: { …, attributes: { partKey: { type: String } } }

An attribute may be a key as it is: { hash: 'game', sort: 'score' }, with key: { game: '\${game}', score: '\${score}' } for the primary index. If other models fill the same key by a template, both kinds of values are in one index, where they are hard to distinguish; that is a warning.`,
  *check(design) {
    const typeField = design.definition.params?.typeField ?? '_type'
    for (const model of design.models) {
      if (model.copy !== undefined) continue
      const templates = templatesOf(model)
      for (const [name, { map }] of model.attributes) {
        const stored = typeof map === 'string' ? map : name
        const isKey = templates.get(stored) === `\${${name}}`
        const taken = [name, stored].find(
          (each) => (templates.has(each) && !isKey) || each === typeField,
        )
        if (taken !== undefined) yield noticeOf(model, name, taken === typeField)
        else if (filledElsewhere(design, model, stored)) yield mixedNotice(design, model, stored)
      }
    }
  },
}

/** The key attributes that a model makes by templates. */
function templatesOf({ definition }: DesignModel): ReadonlyMap<string, string> {
  const inAttributes = Object.entries(definition.attributes ?? {}).flatMap(([name, { value }]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  const given: { readonly [name: string]: KeyDefinition } = {
    ...definition.key,
    ...definition.index,
  }
  const written = Object.entries(given).map(
    ([name, key]) => [name, typeof key === 'string' ? key : key.value] as const,
  )
  return new Map([...written, ...inAttributes])
}

function noticeOf({ name: model }: DesignModel, attribute: string, isType: boolean): Notice {
  return {
    message: isType
      ? `"${attribute}" of ${model} is both data and the type of the item.`
      : `"${attribute}" of ${model} is both data and an index key.`,
    fix: isType
      ? 'rename it, or choose another params.typeField'
      : 'rename it, or store it under another name with map',
    place: { model, attribute },
  }
}

/** Another model makes this key attribute by a template, and this one has a plain value in it. */
function filledElsewhere({ keys }: Design, { name }: DesignModel, stored: string): boolean {
  return (
    keys.some((key) => key.model === name && key.keyAttribute === stored && !key.template) &&
    keys.some((key) => key.model !== name && key.keyAttribute === stored && key.template)
  )
}

function mixedNotice({ keys }: Design, { name }: DesignModel, stored: string): Notice {
  const other = keys.find(
    (key) => key.model !== name && key.keyAttribute === stored && key.template,
  )
  return {
    severity: 'warning',
    message: `"${stored}" of ${name} is both data and an index key: ${other?.model} makes it with the template "${other?.template?.source}".`,
    fix: `give ${name} a template for ${stored} too, or rename its attribute`,
    place: { model: name, attribute: stored, index: other?.index },
  }
}
