import { type Component, type ComponentKind, createComponent } from '../template/component.ts'
import { createShard, type ShardComponent } from '../template/shard-component.ts'
import { isBucketUnit } from '../template/time-bucket.ts'
import { checkName, checkOptions, SHARD_OPTIONS } from './check-options.ts'
import { refuseSchema } from './refuse-schema.ts'
import type { ShardDefinition } from './schema-definition.ts'

/** A query of all shards sends a request to each. */
export const SHARDS_MAX = 256

interface ShardPlace {
  /** The templates of the primary key. */
  readonly primary: readonly string[]
  /** Of all key attributes. */
  readonly templates: readonly string[]
  kindOf(name: string, where: string): ComponentKind
  isAttribute(name: string): boolean
  readonly separator: string
  readonly model: string
}

/**
 * The placeholder that a model's `shard` declares. It is made of what the attributes say in the primary key: where that
 * has a text in small letters or only the day of a time, so has the shard. Other attributes are taken as they are.
 */
export function compileShard(definition: ShardDefinition, place: ShardPlace): ShardComponent {
  const { primary, templates, separator, isAttribute } = place
  const where = `${place.model}, shard`
  const refuse = (what: string, fix: string): never => refuseSchema(where, what, fix)
  checkOptions(definition, SHARD_OPTIONS, where)
  const { count, name = 'shard' } = definition
  checkName(name, where)
  if (!Number.isInteger(count) || count < 1 || count > SHARDS_MAX) {
    refuse(`its count is ${count}`, `give a whole number from 1 to ${SHARDS_MAX}`)
  }
  if (isAttribute(name) || /[:{}]/.test(name)) {
    refuse(`"${name}" is an attribute, or no name of a placeholder`, 'choose another name')
  }
  const isUsed = (texts: readonly string[]): boolean =>
    texts.some((text) => placeholdersOf(text).includes(name))
  if (!isUsed(templates)) {
    refuse('no key template uses it', `write \${${name}} in one, or remove shard`)
  }
  const inPrimary = primary.flatMap(placeholdersOf).filter((body) => body !== name)
  const attributes = new Set(inPrimary.map((body) => nameOf(body)))
  const by = definition.by ?? [...attributes]
  if (!Array.isArray(by) || by.length === 0) {
    refuse('there is nothing that it is made of', "name attributes, as in by: ['userId']")
  }
  const unknown = by.find((each) => isUsed(primary) && !attributes.has(each))
  if (unknown !== undefined) {
    refuse(
      `"${unknown}" decides the primary key and is not in it, so that a key could not be found again`,
      `use only ${[...attributes].join(', ')}`,
    )
  }
  const components = by.map((each): Component => {
    const bodies = inPrimary.filter((body) => nameOf(body) === each)
    const lossy = bodies.map(lossyModifier)
    const modifier = lossy.includes(undefined) ? undefined : lossy[0]
    return createComponent(modifier ? `${each}:${modifier}` : each, {
      // Any value has a text of its own so.
      kindOf: (attribute) => ({ ...place.kindOf(attribute, where), encode: true, pad: undefined }),
      separator,
      next: separator,
      source: name,
      where,
      refuse,
    })
  })
  return createShard(name, count, components, separator)
}

/** What stands between the braces of a template's placeholders. */
function placeholdersOf(template: string): string[] {
  return Array.from(String(template).matchAll(/\$\{([^}]*)\}/g), ([, body = '']) => body)
}

function nameOf(body: string): string {
  return body.split(':', 1)[0]!
}

/** The modifier that makes different values one key. */
function lossyModifier(body: string): string | undefined {
  return body
    .split(':')
    .slice(1)
    .find((modifier) => modifier === 'lower' || isBucketUnit(modifier))
}
