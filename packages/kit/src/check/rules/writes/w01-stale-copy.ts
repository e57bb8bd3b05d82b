import { listNames } from '../../../text/list-names.ts'
import { type CopiedAttribute, copiedAttributes } from '../../design/copied-attribute.ts'
import type { DeclaredPattern } from '../../design/declared-pattern.ts'
import { type Design, modelNamed, primaryNames } from '../../design/design.ts'
import type { DesignModel } from '../../design/design-model.ts'
import type { CodeUpdate } from '../../evidence/code-facts.ts'
import type { Notice, Rule } from '../rule.ts'

export const staleCopy: Rule = {
  code: 'W01',
  name: 'stale-copy',
  severity: 'warning',
  source: 'schema',
  title: 'Data that is stored twice is changed in only one place.',
  explanation: `A comment that shows the name of its user keeps that name. When the user is renamed, the comment has the old name until something updates it. copyOf says what is a
copy of what; it does not write by itself, as one user can have a million comments.

  wrong   Comment: { attributes: { userName: { type: String, copyOf: 'User.name' } } }
          rename: { op: 'update', entity: 'User', by: ['userId'], set: ['name'] }            // and nothing else
  right   table: { stream: 'new-and-old' }     with propagateCopies(table) as the stream's handler
          rename: { op: 'transact', steps: { user: …, comment: { op: 'update', entity: 'Comment', …, set: ['userName'] } } }

It does not report schemas with a stream, code that calls propagate or propagateCopies, transactions that change the copies as well, and sources that never change (readonly).

What a model declares under "copies" is written in the same transaction by the library, so patterns can't forget it. Code that updates the item through the AWS SDK can, and is reported.`,
  *check(design) {
    const propagates = design.definition.table?.stream !== undefined || design.code?.propagates
    const links = propagates ? [] : copiedAttributes(design.definition)
    const reported = new Set<CopiedAttribute>()
    for (const pattern of design.patterns) {
      const stale = links.filter((link) => leavesStale(design, pattern, link))
      for (const link of stale) reported.add(link)
      for (const [attribute, copies] of groupBySource(stale)) {
        yield {
          message: `${pattern.name} leaves ${staleText(attribute, copies)}.`,
          fix: fixOf(copies),
          place: { pattern: pattern.transaction ?? pattern.name, model: pattern.entities[0] },
        }
      }
    }
    for (const update of design.code?.updates ?? []) {
      const stale = links.filter(
        ({ source, sourceAttribute }) =>
          source === update.model && update.attributes.includes(sourceAttribute),
      )
      for (const link of stale) reported.add(link)
      for (const [attribute, copies] of groupBySource(stale)) {
        yield codeNotice(update, staleText(attribute, copies), fixOf(copies))
      }
      yield* bypassedCopies(design, update)
    }
    for (const link of links) {
      if (reported.has(link) || !canChange(design, link)) continue
      const { model, attribute, source, sourceAttribute } = link
      yield {
        message: `Nothing keeps ${model}.${attribute} in sync with ${source}.${sourceAttribute}: the table has no stream, and no pattern changes both.`,
        fix: `${fixOf([link])}; or declare readonly: true on ${source}.${sourceAttribute} if it never changes`,
        place: { model, attribute },
      }
    }
  },
}

/** Whether a pattern changes what is copied, and no other step of its transaction the copy. */
function leavesStale(design: Design, pattern: DeclaredPattern, link: CopiedAttribute): boolean {
  const { source, sourceAttribute, model, attribute } = link
  if (!changes(pattern, source, sourceAttribute)) return false
  return !design.patterns.some(
    (other) =>
      other.transaction !== undefined &&
      other.transaction === pattern.transaction &&
      changes(other, model, attribute),
  )
}

function changes({ definition, entities }: DeclaredPattern, model: string, name: string): boolean {
  if (definition.op !== 'update' || !entities.includes(model)) return false
  const { set = [], add = [], remove = [] } = definition
  return [set, add, remove].flat().includes(name)
}

/** An update through the SDK of what the library would write in several places. */
function* bypassedCopies(design: Design, update: CodeUpdate): Iterable<Notice> {
  if (update.through !== 'sdk') return
  const holds = ({ copy, attributes }: DesignModel, name: string): boolean =>
    attributes.has(name) && (copy?.attributes?.includes(name) ?? true)
  const kept = design.models.filter(
    (model) =>
      model.source === update.model &&
      model.copy !== undefined &&
      update.attributes.some((name) => holds(model, name)),
  )
  if (kept.length === 0) return
  const names = kept.map(({ name }) => name)
  const changed = update.attributes.filter((name) => kept.some((model) => holds(model, name)))
  const copies = names.length === 1 ? 'the copy' : 'the copies'
  yield codeNotice(
    update,
    `${copies} ${listNames(names)} of ${update.model} stale: it changes ${listNames(changed)} without the library`,
    `call table.entities.${update.model}.update(…), which writes the item and its copies in one transaction`,
  )
}

function codeNotice({ file, line, model }: CodeUpdate, stale: string, fix: string): Notice {
  return { message: `${file}:${line} leaves ${stale}.`, fix, place: { file, line, model } }
}

function canChange(design: Design, { source, sourceAttribute }: CopiedAttribute): boolean {
  const model = modelNamed(design, source)
  const attribute = model?.attributes.get(sourceAttribute)
  if (model === undefined || attribute === undefined || attribute.readonly) return false
  return !primaryNames(design, model).includes(sourceAttribute)
}

function groupBySource(
  links: readonly CopiedAttribute[],
): ReadonlyMap<string, readonly CopiedAttribute[]> {
  const groups = new Map<string, CopiedAttribute[]>()
  for (const link of links) {
    const source = `${link.source}.${link.sourceAttribute}`
    groups.set(source, [...(groups.get(source) ?? []), link])
  }
  return groups
}

function staleText(attribute: string, copies: readonly CopiedAttribute[]): string {
  const names = listNames([...new Set(copies.map(({ model }) => model))])
  return `${copies.length} ${copies.length === 1 ? 'copy' : 'copies'} of ${attribute} stale in ${names}`
}

function fixOf(copies: readonly CopiedAttribute[]): string {
  const names = listNames(copies.map(({ model, attribute }) => `${model}.${attribute}`))
  return `give the table a stream and handle it with propagateCopies(table), or change ${names} in a step of the same transaction`
}
