import type { Attribute, Model } from 'singletable/tools'
import { modelName } from './propose.ts'

/** For a model, the attribute of each column whose name fits one. */
export interface ColumnProposal {
  readonly model: Model
  readonly columns: Readonly<Record<string, string>>
}

/**
 * Which attributes the columns of a source may be, by their names. The model that fits best comes
 * first: the one that the source is called after, then the one with most of its key and of the
 * columns.
 */
export function proposeColumns(
  models: readonly Model[],
  source: string,
  columns: readonly string[],
  isGiven: (model: Model, attribute: Attribute) => boolean,
): readonly ColumnProposal[] {
  const sourceModel = plain(modelName(source))
  const score = ({ model, columns: found }: ColumnProposal): number => {
    const names = Object.values(found)
    const keyed = model.primary.names.filter((name) => names.includes(name)).length
    return (
      (plain(model.name) === sourceModel ? 1000 : 0) +
      (keyed === model.primary.names.length ? 100 : 0) +
      names.length
    )
  }
  return models
    .map((model) => ({ model, columns: proposed(model, columns, isGiven) }))
    .sort((a, b) => score(b) - score(a))
}

function proposed(
  model: Model,
  columns: readonly string[],
  isGiven: (model: Model, attribute: Attribute) => boolean,
): Record<string, string> {
  const attributes = [...model.attributes.values()].filter((each) => isGiven(model, each))
  const found: [column: string, attribute: string][] = []
  const taken = new Set<string>()
  // A name that is the same as that of the attribute goes before one that only looks like it.
  const ways: readonly ((column: string, attribute: Attribute) => boolean)[] = [
    (column, { name }) => column === name,
    (column, { stored }) => column === stored,
    (column, { name, stored }) => [plain(name), plain(stored)].includes(plain(column)),
    // `id` of a user is `userId`.
    (column, { name }) => plain(name) === plain(`${model.name}${column}`),
  ]
  for (const fits of ways) {
    for (const column of columns) {
      if (found.some(([name]) => name === column)) continue
      const attribute = attributes.find((each) => !taken.has(each.name) && fits(column, each))
      if (attribute === undefined) continue
      taken.add(attribute.name)
      found.push([column, attribute.name])
    }
  }
  return Object.fromEntries(found)
}

function plain(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase()
}
