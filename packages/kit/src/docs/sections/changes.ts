import { type Attribute, type Model, planPattern, type Schema } from 'singletable/tools'
import { indexDifferences } from '../../check/design/design-changes.ts'
import { keyText } from '../collections.ts'
import {
  type Block,
  type Cell,
  cell,
  code,
  elementId,
  entity,
  key,
  type Line,
  link,
  paragraph,
  type Row,
  type Section,
} from '../document.ts'
import type { DocumentSources } from '../document-sources.ts'
import { findingTable } from '../finding-table.ts'
import { keyCondition } from '../key-condition.ts'
import { titleOf } from '../pattern-cells.ts'
import { typeWords } from '../type-words.ts'

/** The differences from the schema of `--before`; empty without that option. */
export function changes(sources: DocumentSources): readonly Section[] {
  const { before, schema, changeFindings } = sources
  if (before === undefined) return []
  const rows = [
    ...indexRows(sources),
    ...memberRows(before.schema.models, schema.models, modelRow, modelChanges),
    ...memberRows(before.schema.patterns, schema.patterns, patternName, patternChanges),
  ]
  const blocks: Block[] = [
    paragraph('Compared with the schema of hash ', code(before.hash), '.'),
    rows.length === 0
      ? paragraph('Keys, attributes and access patterns are the same.')
      : {
          kind: 'table',
          columns: [{ title: 'What' }, { title: 'Name' }, { title: 'Change' }],
          rows,
        },
  ]
  if (changeFindings.length > 0) {
    blocks.push(
      { kind: 'heading', id: 'changes-findings', line: ['What it means for a table with items'] },
      findingTable(changeFindings),
    )
  }
  return [{ id: 'changes', title: 'What changed', blocks }]
}

const INDEX_WORDS = { create: 'added', delete: 'removed', replace: 'deleted and created again' }

function indexRows({ design, before }: DocumentSources): readonly Row[] {
  return indexDifferences({ ...design, before: before?.reading }).map(({ name, kind }) => ({
    cells: [cell('Index'), cell(code(name)), cell(INDEX_WORDS[kind])],
  }))
}

/** A row for each member that was added, removed or changed. */
function memberRows<TMember extends { readonly name: string }>(
  before: ReadonlyMap<string, TMember>,
  now: ReadonlyMap<string, TMember>,
  nameCells: (member: TMember, isThere: boolean) => readonly Cell[],
  changesOf: (before: TMember, now: TMember) => readonly Line[],
): readonly Row[] {
  const rows = [...now.values()].flatMap((member): Row[] => {
    const old = before.get(member.name)
    const lines = old === undefined ? [['added']] : changesOf(old, member)
    return lines.length === 0 ? [] : [{ cells: [...nameCells(member, true), lines] }]
  })
  const removed = [...before.values()].filter(({ name }) => !now.has(name))
  return [
    ...rows,
    ...removed.map((member) => ({ cells: [...nameCells(member, false), cell('removed')] })),
  ]
}

function modelRow({ name, source }: Model, isThere: boolean): readonly Cell[] {
  return [cell(source ? 'Copy' : 'Entity'), cell(isThere ? entity(name) : code(name))]
}

function modelChanges(before: Model, now: Model): readonly Line[] {
  return [...keyChanges(before, now), ...attributeChanges(before, now)]
}

function keyChanges(before: Model, now: Model): readonly Line[] {
  const [old, keys] = [keysOf(before), keysOf(now)]
  return [...new Set([...keys.keys(), ...old.keys()])].flatMap((name): Line[] => {
    const [was, is] = [old.get(name), keys.get(name)]
    if (was === is) return []
    if (was === undefined) return [['key ', code(name), ' added: ', key(is ?? '')]]
    if (is === undefined) return [['key ', code(name), ' removed, it was ', key(was)]]
    return [['key ', code(name), ' is ', key(is), ', it was ', key(was)]]
  })
}

function keysOf({ indexes }: Model): ReadonlyMap<string, string> {
  const parts = indexes.flatMap(({ hash, sort }) => [...hash, ...sort])
  return new Map(parts.map((part) => [part.name, keyText([part])]))
}

function attributeChanges(before: Model, now: Model): readonly Line[] {
  const names = new Set([...now.attributes.keys(), ...before.attributes.keys()])
  return [...names].flatMap((name): Line[] => {
    const [was, is] = [before.attributes.get(name), now.attributes.get(name)]
    if (was === undefined) return is ? [[code(name), ` added, ${attributeWords(is)}`]] : []
    if (is === undefined) return [[code(name), ' removed']]
    const [old, words] = [attributeWords(was), attributeWords(is)]
    return old === words ? [] : [[code(name), ` is ${words}, it was ${old}`]]
  })
}

function attributeWords({ definition, stored, name }: Attribute): string {
  const { required, unique, version, ttl, enum: members } = definition
  return [
    typeWords(definition),
    ...(members ? [`one of ${members.join(', ')}`] : []),
    ...(required ? ['required'] : []),
    ...(unique ? ['unique'] : []),
    ...(version ? ['the version'] : []),
    ...(ttl ? ['the time of expiry'] : []),
    ...(definition.stored === false ? ['not stored'] : []),
    ...(stored === name ? [] : [`stored as ${stored}`]),
  ].join(', ')
}

type Pattern = Schema['patterns'] extends ReadonlyMap<string, infer TPattern> ? TPattern : never

function patternName({ name, definition }: Pattern, isThere: boolean): readonly Cell[] {
  const title = titleOf(name, definition)
  return [cell('Pattern'), cell(isThere ? link(elementId('AP', name), title) : title)]
}

function patternChanges(before: Pattern, now: Pattern): readonly Line[] {
  const [was, is] = [planPattern(before), planPattern(now)]
  const simple = (['op', 'index', 'order', 'limit', 'consistency'] as const).flatMap((name) =>
    was[name] === is[name]
      ? []
      : [[`${name} is ${is[name] ?? 'not set'}, it was ${was[name] ?? 'not set'}`]],
  )
  const [old, condition] = [keyCondition(was), keyCondition(is)]
  const isSame = JSON.stringify(old) === JSON.stringify(condition)
  const rest = (plan: typeof was): string =>
    JSON.stringify([plan.entities, plan.filter, plan.steps])
  return [
    ...simple,
    ...(isSame ? [] : [['its keys are ', ...condition.flat(), '; they were ', ...old.flat()]]),
    ...(rest(was) === rest(is) ? [] : [['its entities, filter or steps have changed']]),
  ]
}
