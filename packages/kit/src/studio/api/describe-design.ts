import path from 'node:path'
import type { Attribute, Index, KeyPart, Model, Pattern, PatternPlan } from 'singletable/tools'
import { keyVariables } from 'singletable/tools'
import { checkDesign } from '../../check/check-design.ts'
import { type Design as CheckedDesign, readDesign } from '../../check/design/design.ts'
import type { Finding } from '../../check/rules/rule.ts'
import { billOf, type PatternBill } from '../../cost/monthly-bill.ts'
import { plainText, wordsOf } from '../../docs/document.ts'
import { keyCondition } from '../../docs/key-condition.ts'
import { layOutRelations } from '../../docs/lay-out-relations.ts'
import { type Relation, relationsOf } from '../../docs/relations.ts'
import { relatedEntity } from '../../docs/sections/relations-section.ts'
import { typeWords } from '../../docs/type-words.ts'
import { whenWords } from '../../docs/when-words.ts'
import type { LoadedSchema } from '../../schema-file/load-schema.ts'
import { locateSchema } from '../../schema-file/locate-schema.ts'
import { suggestEdits } from '../../schema-file/suggest-edits.ts'
import { printJson } from '../../text/typed-values.ts'
import type {
  AttributeView,
  Design,
  Drawing,
  EntityIndex,
  EntityView,
  FindingView,
  IndexView,
  InputView,
  KeyTemplateView,
  PatternView,
} from './contract.ts'
import { type AttributeReference, referencesOf } from './find-references.ts'

/** What the page shows of a schema, whatever is in the table. */
export type SchemaView = Pick<
  Design,
  'entities' | 'indexes' | 'patterns' | 'findings' | 'relations' | 'drawing' | 'typeField'
>

/** What can be said of a schema at once. */
export function describeShape({ schema }: LoadedSchema): SchemaView {
  const models = [...schema.models.values()]
  return {
    typeField: schema.params.typeField,
    entities: models.map((model) => describeEntity(model, models)),
    indexes: [...schema.indexes.values()].map((index) => describeIndex(index, schema)),
    relations: relationsOf(schema).map(({ parent, child, many, label }) => ({
      parent,
      child,
      many,
      label,
    })),
    patterns: [],
    findings: [],
    drawing: { width: 0, height: 0, boxes: [], lines: [] },
  }
}

/** Describes a schema as plain data. */
export function describeSchema(loaded: LoadedSchema, today: string): SchemaView {
  const { schema, definition, file, exportName } = loaded
  const design = readDesign(definition)
  const source = { file, exportName, definition, directory: path.dirname(file) }
  // A schema that was guessed is in no file.
  const locate = file === '' ? undefined : locateSchema(source)
  const suggest = file === '' ? () => undefined : suggestEdits(source)
  const report = checkDesign(design, { today, locate })
  const bills = new Map(billOf(design).patterns.map((bill) => [bill.pattern, bill]))
  return {
    ...describeShape(loaded),
    patterns: [...schema.patterns.values()].map((pattern) =>
      describePattern(pattern, design, bills.get(pattern.name)),
    ),
    findings: report.findings.map((finding) => ({
      ...describeFinding(finding),
      diff: (finding.edits && suggest(finding.edits)) ?? [],
    })),
    drawing: describeDrawing([...schema.models.values()], relationsOf(schema)),
  }
}

function describeDrawing(models: readonly Model[], relations: readonly Relation[]): Drawing {
  const entities = models.map(relatedEntity)
  const { width, height, boxes, lines } = layOutRelations({
    kind: 'relations',
    entities,
    relations,
  })
  return {
    width,
    height,
    boxes: boxes.map(({ entity: { name, attributes }, ...place }) => {
      return { ...place, entity: name, attributes }
    }),
    lines: lines.map(({ relation: { parent, child, many }, stretches, label }) => {
      const { x, y, width, height, text, charactersMax } = label
      const cut = text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text
      return {
        parent,
        child,
        many,
        stretches,
        label: { x: x + width / 2, y: y + height - 6, text: cut },
      }
    }),
  }
}

function describeIndex(
  { name, type, hash, sort, project }: Index,
  { keyTypes }: LoadedSchema['schema'],
): IndexView {
  const types = [...hash, ...sort].map((each) => [each, keyTypes.get(each) ?? 'S'] as const)
  return { name, type, hash, sort, keyTypes: Object.fromEntries(types), project }
}

function describeEntity(model: Model, models: readonly Model[]): EntityView {
  const references = referencesOf(model, models)
  return {
    name: model.name,
    copyOf: model.source?.name ?? null,
    attributes: [...model.attributes.values()].map((attribute) =>
      describeAttribute(attribute, model, references),
    ),
    indexes: model.indexes.map(
      (use): EntityIndex => ({
        index: use.index.name,
        hash: use.hash.map(describeKeyPart),
        sort: use.sort.map(describeKeyPart),
        when: use.when ? whenWords(use.when) : null,
      }),
    ),
  }
}

function describeKeyPart({ name, template, attribute }: KeyPart): KeyTemplateView {
  if (template === undefined) return { name, segments: [{ attribute: attribute.name }] }
  return {
    name,
    segments: template.parts.map((part) =>
      typeof part === 'string'
        ? { text: part }
        : { attribute: part.by?.join(', ') ?? part.name, ...(part.unit && { format: part.unit }) },
    ),
  }
}

function describeAttribute(
  { name, stored, definition, from }: Attribute,
  model: Model,
  references: readonly AttributeReference[],
): AttributeView {
  const isKey = model.primary.names.includes(name)
  const kept = [model.createdAt, model.updatedAt, model.version].map((each) => each?.name)
  const { counts, sums, copyOf } = definition as { counts?: string; sums?: string; copyOf?: string }
  return {
    name,
    stored,
    type: typeWords(definition),
    ...inputOf(definition),
    isRequired: definition.required === true,
    isKey,
    isKept: kept.includes(name) || from !== undefined || (counts ?? sums ?? copyOf) !== undefined,
    refersTo: references.find(({ attribute }) => attribute === name)?.reference ?? null,
  }
}

type InputKind = Pick<AttributeView, 'input' | 'options'>

function inputOf(definition: Attribute['definition']): InputKind {
  const { type, enum: options } = definition as { type: unknown; enum?: readonly unknown[] }
  if (options) return { input: 'select', options: options.map(String) }
  if (type === Boolean) return { input: 'boolean', options: ['true', 'false'] }
  if (type === Number || type === BigInt || type === 'decimal')
    return { input: 'number', options: [] }
  if (type === Date) return { input: 'date', options: [] }
  if (type === String || type === Uint8Array) return { input: 'text', options: [] }
  return { input: 'json', options: [] }
}

function describePattern(
  pattern: Pattern,
  { plans }: CheckedDesign,
  bill: PatternBill | undefined,
): PatternView {
  const { name, definition, models } = pattern
  const plan = plans.get(name)
  const isRead =
    definition.op === 'query' || definition.op === 'scan' || /[gG]et$/.test(definition.op)
  return {
    name,
    title: definition.title ?? wordsOf(name),
    op: plan?.op ?? definition.op,
    entities: models.map((model) => model.name),
    index: plan?.index ?? null,
    key: keysOf(plan),
    inputs: inputsOf(pattern),
    isRunnable: isRead && models.length > 0 && !/batchGet|transactGet/.test(definition.op),
    limit: plan?.limit ?? null,
    order: plan?.order ?? null,
    alsoReads: plan?.alsoReads ?? [],
    incomplete: plan?.incomplete ?? null,
    requests: plan?.requests ?? 0,
    readUnits: bill?.readUnits.value ?? null,
    writeUnits: bill?.writeUnits.value ?? null,
    rps: bill?.rps?.value ?? null,
    dollarsPerMonth: bill?.dollars?.value ?? null,
    filter: plan?.filter ? printJson(plan.filter) : null,
    expected:
      definition.op === 'external'
        ? 'elsewhere'
        : definition.status === 'planned'
          ? 'planned'
          : 'run',
  }
}

function keysOf(plan: PatternPlan | undefined): PatternView['key'] {
  if (plan?.key === null || plan === undefined) return []
  return keyCondition(plan).map((line): readonly [string, string] => {
    const text = plainText(line)
    const at = text.indexOf(' ')
    return [text.slice(0, at), text.slice(at + 1)]
  })
}

function inputsOf(pattern: Pattern): readonly InputView[] {
  const { range, in: listed = [] } = pattern.definition as {
    readonly range?: string
    readonly in?: readonly string[]
  }
  const names = pattern.input ?? new Map(keyNames(pattern).map((name) => [name, true]))
  return [...names].map(([name, isRequired]): InputView => {
    const test = pattern.filter.find(({ operands }) => operands.some(({ input }) => input === name))
    const attribute = test?.attribute ?? name
    const definition = pattern.models
      .map((model) => model.attributes.get(attribute)?.definition)
      .find((each) => each !== undefined)
    const isWhole = test?.whole === true || listed.includes(name)
    return {
      name,
      isRequired,
      kind: name === range ? 'range' : isWhole ? 'list' : 'value',
      ...(definition ? inputOf(definition) : { input: 'text' as const, options: [] }),
    }
  })
}

function keyNames({ models }: Pattern): readonly string[] {
  const [model] = models
  return model ? keyVariables([...model.primary.hash, ...model.primary.sort]) : []
}

function describeFinding(finding: Finding): Omit<FindingView, 'diff'> {
  const { code, name, severity, message, fix, place, position } = finding
  return {
    code,
    name,
    severity,
    message,
    fix,
    entity: place.model ?? null,
    attribute: place.attribute ?? null,
    index: place.index ?? null,
    pattern: place.pattern ?? null,
    line: position?.line ?? null,
  }
}
