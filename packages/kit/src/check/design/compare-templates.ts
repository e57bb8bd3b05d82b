import type { KeyPart, KeyTemplate, Model, TemplatePart } from 'singletable/tools'

/**
 * Whether two templates make the same keys of the same values: `changed` if every value surely has
 * another key, `unsure` where it depends on the values, because attributes have other names or
 * types or are written otherwise only in part.
 */
export type TemplateChange = 'same' | 'unsure' | 'changed'

/** A template of a model. */
export interface ModelTemplate {
  readonly template: KeyTemplate
  readonly model: Model
}

/** A key attribute of a model. */
export interface ModelKeyPart {
  readonly part: KeyPart
  readonly model: Model
}

/** As `compareTemplates`, also where a key attribute is an attribute of the model as it is. */
export function compareKeys(before: ModelKeyPart, now: ModelKeyPart): TemplateChange {
  const [one, other] = [before.part, now.part]
  if (one.template && other.template) {
    return compareTemplates(
      { template: one.template, model: before.model },
      { template: other.template, model: now.model },
    )
  }
  const isSame = one.attribute?.name === other.attribute?.name
  return isSame && one.attribute?.codec.tag === other.attribute?.codec.tag ? 'same' : 'unsure'
}

export function compareTemplates(before: ModelTemplate, now: ModelTemplate): TemplateChange {
  const [one, other] = [before.template, now.template]
  if (one.parts.length !== other.parts.length) return 'changed'
  const probes = [...PROBES, ...enumValues(before.model), ...enumValues(now.model)]
  const changes = one.parts.map((part, at) => compareParts(part, other.parts[at], probes))
  if (changes.includes('changed')) return 'changed'
  const names = (template: KeyTemplate): string => JSON.stringify([...template.names].sort())
  // The same attributes in another order make other keys.
  if (one.names.join() !== other.names.join() && names(one) === names(other)) return 'changed'
  return changes.find((each) => each !== 'same') ?? 'same'
}

/** Of an attribute with an enum nothing else can be in a key. */
function enumValues({ attributes }: Model): readonly unknown[] {
  return [...attributes.values()].flatMap(({ definition }) => definition.enum ?? [])
}

/** Values of all types that can be in keys, among them such as options treat differently. */
const PROBES: readonly unknown[] = [
  'a',
  'A',
  'a$b',
  '2026-01-02T03:04:05.678Z',
  ['a'],
  ['a', 'b'],
  true,
  7,
  12_345,
  1_767_323_045_678,
  7n,
  '7',
  '12345',
  new Date('2026-01-02T03:04:05.678Z'),
]

function compareParts(
  before: TemplatePart,
  now: TemplatePart | undefined,
  probes: readonly unknown[],
): TemplateChange {
  if (typeof before === 'string' || typeof now === 'string' || now === undefined) {
    return before === now ? 'same' : 'changed'
  }
  if (before.by || now.by) {
    const names = ({ by, count }: typeof before): string =>
      JSON.stringify([count, by?.map(({ name }) => name)])
    return names(before) === names(now) ? 'same' : 'changed'
  }
  const strings = probes
    .map((probe) => [before.print(probe), now.print(probe)] as const)
    .filter(([one, other]) => one !== undefined && other !== undefined)
  const differing = strings.filter(([one, other]) => one !== other)
  if (differing.length > 0) return differing.length === strings.length ? 'changed' : 'unsure'
  return strings.length > 0 && before.name === now.name ? 'same' : 'unsure'
}

/** How a key attribute was made and is. */
export function describeKeys(before: KeyPart, now: KeyPart): string {
  if (before.template && now.template) {
    return describeTemplates(before.name, before.template, now.template)
  }
  const [was, is] = [before, now].map(({ template, attribute }) =>
    template ? `"${template.source}"` : `the attribute "${attribute.name}" as it is`,
  )
  return `${before.name} was ${was} and is ${is}`
}

/** How a key attribute was made and is: the strings of two templates can be equal, and their
 * attributes not. */
export function describeTemplates(name: string, { source }: KeyTemplate, now: KeyTemplate): string {
  return source === now.source
    ? `${name} is "${source}" as before, with other options of its attributes`
    : `${name} was "${source}" and is "${now.source}"`
}
