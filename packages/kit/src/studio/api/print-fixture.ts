import type { Model } from 'singletable/tools'
import { showValue } from '../../text/show-value.ts'
import type { SavedFile, StoredItem } from './contract.ts'
import { StudioError } from './studio-error.ts'
import type { StudioSource } from './studio-source.ts'

const LINE_CHARACTERS_MAX = 100

/**
 * Items as inputs in a file that `--fixtures` reads: lists by entity, without what the library
 * keeps.
 */
export function printFixture(source: StudioSource, items: readonly StoredItem[]): SavedFile {
  const lists: Record<string, object[]> = {}
  for (const item of items) {
    const { entity } = source.found(item)
    const model = entity === null ? undefined : source.schema.models.get(entity)
    // Copies, guards and sequences are written together with the items that have them.
    if (model === undefined || model.source !== undefined) continue
    lists[model.name] ??= []
    lists[model.name]?.push(inputOf(source, model, model.decode(item, false)))
  }
  if (Object.keys(lists).length === 0) {
    throw new StudioError(
      'None of these items is of an entity that can be written.',
      'select items of the schema',
    )
  }
  return {
    name: 'fixtures.ts',
    text: `/** Items of ${source.connection.tableName}: singletable dev --fixtures fixtures.ts */\nexport const seed = ${code(lists)}\n`,
  }
}

/** A call of a pattern with what it gave, as a test. */
export function printPatternTest(pattern: string, input: object, result: object): SavedFile {
  const call = `table.patterns[${showValue(pattern)}](${showValue(input)})`
  return {
    name: `${pattern}.test.ts`,
    text: [
      "import { expect, test } from 'vitest'",
      "import { table } from './table.ts'",
      '',
      `test(${showValue(`${pattern} answers as it did in the studio`)}, async () => {`,
      `  const result = await ${call}`,
      `  expect(result).toMatchObject(${code(result, '  ')})`,
      '})',
      '',
    ].join('\n'),
  }
}

function inputOf(source: StudioSource, model: Model, values: object): object {
  const kept = keptAttributes(source, model)
  return Object.fromEntries(Object.entries(values).filter(([attribute]) => !kept.has(attribute)))
}

/** Attributes that nobody gives, because the library keeps them. */
export function keptAttributes(source: StudioSource, { name }: Model): ReadonlySet<string> {
  const view = source.design().entities.find((each) => each.name === name)
  return new Set(view?.attributes.filter(({ isKept }) => isKept).map((each) => each.name))
}

function code(value: unknown, indent = ''): string {
  return showValue(value, { width: LINE_CHARACTERS_MAX, indent, start: 20 })
}
