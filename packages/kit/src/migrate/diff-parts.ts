import type { Model, Schema } from 'singletable/tools'
import { MigrationError } from './migration-error.ts'
import type { SchemaChange } from './schema-change.ts'
import { quote } from './step-text.ts'

/** Attributes of one model that another one has too, stored in the same way. */
function sharedAttributes(
  { attributes }: Pick<Model, 'attributes'>,
  other: Model,
): readonly string[] {
  return [...attributes.values()]
    .filter(({ name, codec }) => other.attributes.get(name)?.codec.tag === codec.tag)
    .map(({ name }) => name)
}

/** The attributes that a model has lost to another one. */
export function lostTo(old: Model, now: Model, part: Model): readonly string[] {
  return sharedAttributes(old, part).filter((name) => !now.attributes.has(name))
}

/** The attributes that a model has gained from one that is gone. */
export function gainedFrom(old: Model, now: Model, part: Model): readonly string[] {
  return sharedAttributes(part, now).filter((name) => !old.attributes.has(name))
}

/** Parts of the items of a model become items of another one. */
export function splitChange(old: Model, now: Model, part: Model): SchemaChange {
  const lost = lostTo(old, now, part)
  if (lost.length === 0) {
    throw new MigrationError(
      `${part.name} has no attribute that ${old.name} has lost.`,
      `schema, model "${part.name}"`,
      `remove --split ${old.name}=${part.name}, or write a splitModel step yourself`,
    )
  }
  const known = sharedAttributes(part, old)
  const missing = neededNames(part).filter((name) => !known.includes(name))
  const make = makeText(old.name, part.name, { known, given: lost, missing })
  const back = mergeText(part, now, lost)
  return {
    class: 'move',
    what: `Items of ${part.name} are made of ${lost.join(', ')} of ${old.name}.`,
    steps: [
      [
        `splitModel(${quote(old.name)}, {`,
        `  into: [${quote(part.name)}],`,
        `  make: ${make},`,
        `  remove: [${lost.map(quote).join(', ')}],`,
        ...(back ? ['  back: {', ...back.map((line) => `  ${line}`), '  },'] : []),
        '})',
      ].join(INDENT),
    ],
  }
}

/** The items of a model that is gone become parts of the items of another one. */
export function mergeChange(part: Model, old: Model, now: Model): SchemaChange {
  const gained = gainedFrom(old, now, part)
  if (gained.length === 0) {
    throw new MigrationError(
      `${now.name} has no new attribute that ${part.name} had.`,
      `schema, model "${now.name}"`,
      `remove --merge ${part.name}=${now.name}, or write a mergeModel step yourself`,
    )
  }
  const lines = mergeText(part, now, gained) ?? [
    `  key: () => {${INDENT}    throw new Error('write here which ${now.name} a ${part.name} belongs to')${INDENT}  },`,
    `  merge: ${mergeFunction(now, gained)},`,
  ]
  const known = sharedAttributes(now, part)
  const isReversible = neededNames(part).every((name) => known.includes(name))
  return {
    class: 'move',
    what: `The model ${part.name} is gone: its items become part of those of ${now.name}.`,
    steps: [
      [
        `mergeModel(${quote(part.name)}, {`,
        `  into: ${quote(now.name)},`,
        ...lines,
        `  adds: [${gained.map(quote).join(', ')}],`,
        ...(isReversible
          ? [`  back: ${makeText(now.name, part.name, { known, given: gained, missing: [] })},`]
          : []),
        '})',
      ].join(INDENT),
    ],
  }
}

/** A model that is gone, of which another one has new attributes. */
export function mergedInto(part: Model, before: Schema, after: Schema): Model | undefined {
  return [...after.models.values()].find((now) => {
    const old = before.models.get(now.name)
    return old && !now.source && gainedFrom(old, now, part).length > 0
  })
}

const INDENT = '\n    '

/** The attributes without which there is no item. */
function neededNames({ attributes, primary }: Model): readonly string[] {
  return [...attributes.values()]
    .filter(
      ({ name, definition, supply }) =>
        (definition.required === true && !supply) || primary.names.includes(name),
    )
    .map(({ name }) => name)
}

/** A function that makes the part of an item, if the item has any of its values. */
function makeText(
  whole: string,
  part: string,
  {
    known,
    given,
    missing,
  }: {
    readonly known: readonly string[]
    readonly given: readonly string[]
    readonly missing: readonly string[]
  },
): string {
  const isAbsent = given.map((name) => `${variable(name)} === undefined`).join(' && ')
  const values = known.map(member).join(', ')
  const made = `[{ model: ${quote(part)}, values: { ${values} } }]`
  if (missing.length === 0) return `({ ${values} }) =>${INDENT}    ${isAbsent} ? [] : ${made}`
  return [
    `({ ${values} }) => {`,
    `    if (${isAbsent}) return []`,
    `    // Then add it to the values: ${missing.join(', ')}.`,
    `    throw new Error('write here what ${missing.join(' and ')} of ${part} is, for each ${whole}')`,
    `    return ${made}`,
    '  }',
  ].join(INDENT)
}

/** How a part finds its item again; undefined if it has not all of the key. */
function mergeText(
  part: Model,
  whole: Model,
  given: readonly string[],
): readonly string[] | undefined {
  const { names } = whole.primary
  if (!names.every((name) => part.attributes.has(name))) return undefined
  const key = names.map(member).join(', ')
  return [`  key: ({ ${key} }) => ({ ${key} }),`, `  merge: ${mergeFunction(whole, given)},`]
}

function mergeFunction({ name }: Model, given: readonly string[]): string {
  const values = given.map(member).join(', ')
  const whole = given.includes('whole') ? `the${name}` : 'whole'
  return `(${whole}, { ${values} }) => ({ ...${whole}, ${values} })`
}

/** As it is written in a pattern and in an object. */
function member(name: string): string {
  return variable(name) === name ? name : `${quote(name)}: ${variable(name)}`
}

/** Words that can't be the name of a variable. */
const RESERVED =
  /^(await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield|arguments|eval)$/

function variable(name: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(name) && !RESERVED.test(name)) return name
  return `value_${name.replace(/\W/g, '_')}`
}
