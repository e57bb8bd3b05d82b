import { type Attribute, getOwn, type Model, partNames } from 'singletable/tools'
import { affectedItems, keptModels } from '../../design/design-changes.ts'
import type { Rule } from '../rule.ts'

export const requiredAdded: Rule = {
  code: 'M04',
  name: 'required-added',
  severity: 'error',
  source: 'before',
  title: 'Existing items would no longer fit their model.',
  explanation: `Reading an item that lacks a required attribute, or has it in another type, fails with DECODE_FAILED. Items from before have neither: a default is given to new
items when they are written, not to old ones when they are read.

  wrong   status: { type: String, required: true, default: 'open' }       // added to a model with items
  right   status: { type: String, default: 'open' }                       // required once all items have it

Add it as optional, with its default so that new items have it; add it to the existing items with update().set(); then make it required. Another type
needs another attribute: write both, fill in the new one, then drop the old. With --sample of the whole table the rule reports nothing once no item lacks it.`,
  *check(design) {
    for (const { before, now } of keptModels(design)) {
      for (const attribute of now.attributes.values()) {
        const reason = breakingChange(before, now, attribute)
        if (reason === undefined) continue
        const left = affectedItems(
          design,
          now.name,
          ['would fail validation', 'would fail validation'],
          ({ item, problems }) =>
            getOwn(item, attribute.stored) === undefined ||
            problems.some(({ path }) => path[0] === attribute.name),
        )
        if (left === undefined) continue
        yield {
          message: `${left.text}: ${reason}.`,
          fix: `give "${attribute.name}" to the existing items first, and declare it as it is stored until then`,
          place: { model: now.name, attribute: attribute.name },
        }
      }
    }
  },
}

/** Why items from before can't be read, as far as it is about this attribute. */
function breakingChange(before: Model, now: Model, attribute: Attribute): string | undefined {
  const { name, stored, definition, codec } = attribute
  const old = [...before.attributes.values()].find((each) => each.stored === stored)
  if (old?.codec.tag && codec.tag && old.codec.tag !== codec.tag) {
    return `"${name}" was stored as ${old.codec.tag} and is read as ${codec.tag}`
  }
  const isNeeded = definition.required === true || now.primary.names.includes(name)
  const { hash, sort } = now.primary
  const isInKey = [...hash, ...sort].some((part) => partNames(part).includes(name))
  // What the library always gave to new items is there, and so is what the key contains.
  const wasThere = old && (old.definition.required || old.supply || isStamp(before, old))
  if (!isNeeded || isInKey || wasThere) return undefined
  const hint = attribute.supply ? '; its default is only for new items' : ''
  return `"${name}" is ${old ? 'required now' : 'new and required'}${hint}`
}

/** The library keeps these by itself. */
function isStamp({ createdAt, updatedAt, version }: Model, attribute: Attribute): boolean {
  return [createdAt, updatedAt, version].includes(attribute)
}
