import { type Component, type ComponentKind, createComponent } from '../template/component.ts'
import { type Placeholder, readTemplate } from '../template/read-template.ts'
import { createShard, type ShardComponent } from '../template/shard-component.ts'
import { isBucketUnit } from '../template/time-bucket.ts'
import { checkName, checkOptions, SHARD_OPTIONS } from './check-options.ts'
import type { Place } from './place.ts'
import type { ShardDefinition } from './schema-definition.ts'

/** A query of all shards sends a request to each. */
export const SHARDS_MAX = 256

interface ShardPlace {
  /** The templates of the primary key. */
  readonly primary: readonly string[]
  /** Of all key attributes. */
  readonly templates: readonly string[]
  kindOf(name: string, place: Place): ComponentKind
  isAttribute(name: string): boolean
  readonly separator: string
  readonly model: Place
}

/**
 * The placeholder that a model's `shard` declares. It is made of what the attributes say in the
 * primary key: where that has a text in small letters or only the day of a time, so has the shard.
 * Other attributes are taken as they are.
 */
export function compileShard(definition: ShardDefinition, place: ShardPlace): ShardComponent {
  const { primary, templates, separator, isAttribute } = place
  const at = place.model.at('shard')
  const refuse = (what: string, fix: string): never => at.refuse(what, fix)
  checkOptions(definition, SHARD_OPTIONS, at)
  const { count, name = 'shard' } = definition
  checkName(name, at)
  if (!Number.isInteger(count) || count < 1 || count > SHARDS_MAX) {
    refuse(`its count is ${count}`, `give a whole number from 1 to ${SHARDS_MAX}`)
  }
  if (isAttribute(name) || /[:{}]/.test(name)) {
    refuse(
      `"${name}" is an attribute, or can't be the name of a placeholder`,
      'choose another name',
    )
  }
  const isUsed = (templates: readonly string[]): boolean =>
    templates
      .flatMap(placeholdersOf)
      .some((each) => each.name === name && each.modifiers.length === 0)
  if (!isUsed(templates)) {
    refuse('no key template uses it', `write \${${name}} in one, or remove shard`)
  }
  const inPrimary = primary.flatMap(placeholdersOf).filter((each) => each.name !== name)
  const attributes = new Set(inPrimary.map((each) => each.name))
  const by = definition.by ?? [...attributes]
  if (!Array.isArray(by) || by.length === 0 || by.some((each) => typeof each !== 'string')) {
    refuse('it is made of no attributes', "name attributes, as in by: ['userId']")
  }
  const unknown = by.find((each) => isUsed(primary) && !attributes.has(each))
  if (unknown !== undefined) {
    refuse(
      `"${unknown}" is not part of the primary key, so the shard could not be computed from a key`,
      `use only ${[...attributes].join(', ')}`,
    )
  }
  const components = by.map((each): Component => {
    const lossy = inPrimary.filter((used) => used.name === each).map(lossyModifier)
    const modifier = lossy.includes(undefined) ? undefined : lossy[0]
    return createComponent(modifier ? `${each}:${modifier}` : each, {
      // Any value has a text of its own so.
      kindOf(attribute) {
        // What the primary key names by mistake is reported with its template.
        if (definition.by === undefined && !isAttribute(attribute)) at.leaveOut()
        return { ...place.kindOf(attribute, at), encode: true, pad: undefined }
      },
      separator,
      next: separator,
      source: name,
      where: at.where,
      refuse,
    })
  })
  return createShard(name, count, components, separator)
}

/** The modifier that makes different values one key. */
function lossyModifier({ modifiers }: Placeholder): string | undefined {
  return modifiers.find((modifier) => modifier === 'lower' || isBucketUnit(modifier))
}

function placeholdersOf(template: string): readonly Placeholder[] {
  return readTemplate(String(template)).parts.filter((part) => typeof part !== 'string')
}
