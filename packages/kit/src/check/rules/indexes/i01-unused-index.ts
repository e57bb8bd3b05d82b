import type { Model } from 'singletable/tools'
import { indexWrites } from '../../../cost/index-writes.ts'
import { storageBill } from '../../../cost/storage-bill.ts'
import { listNames } from '../../../text/list-names.ts'
import type { Design } from '../../design/design.ts'
import { printBytes } from '../print-bytes.ts'
import type { Rule } from '../rule.ts'

export const unusedIndex: Rule = {
  code: 'I01',
  name: 'unused-index',
  severity: 'warning',
  source: 'schema',
  title: 'No pattern reads an index.',
  explanation: `Every item that is in an index is written twice and stored twice. An index that nothing reads has only costs.

  wrong   indexes: { gsi1: …, gsi2: … } and no pattern with index: 'gsi2'
  right   remove gsi2 and the keys gsi2pk and gsi2sk of the models; or declare the pattern that reads it

A schema that declares no patterns says nothing about what is read, and the rule reports nothing. It also skips an index that the recorded tests have read: then P04 asks for the pattern.
Removing a global index is one change of the table and loses no item; old key attributes stay in the items until these are written again.`,
  *check(design) {
    const { definition, patterns, recording } = design
    if (patterns.length === 0) return
    const read = new Set<string | null>([
      ...patterns.map(({ index }) => index),
      ...(recording?.shapes ?? []).map(({ index }) => index),
    ])
    for (const name of Object.keys(definition.indexes ?? {})) {
      if (name === 'primary' || read.has(name)) continue
      yield {
        message: `${name} serves no pattern${costOf(design, name)}.`,
        fix: `remove ${name} and its keys, or declare the pattern that reads it`,
        place: { index: name },
        edits: [
          { path: ['indexes', name] },
          ...design.uses
            .filter((use) => use.index === name && !use.isCopy)
            .flatMap(({ model, hash, sort }) =>
              [...hash, ...sort]
                .filter(({ template }) => template !== undefined)
                .map(({ keyAttribute }) => ({ path: ['models', model, 'index', keyAttribute] })),
            ),
        ],
      }
    }
  },
}

/** What the index costs for nothing, as far as the schema says. */
function costOf(design: Design, name: string): string {
  const models = [...(design.schema?.models.values() ?? [])].filter(({ indexes }) =>
    indexes.some(({ index }) => index.name === name),
  )
  if (models.length === 0) return ', and no model is in it'
  const units = models.map((model) => unitsOf(design, model, name))
  const [least, most] = [Math.min(...units), Math.max(...units)]
  const writes = `${least === most ? most : `${least} to ${most}`} WRU per write of ${listNames(models.map((model) => model.name))}`
  const bytes = storageBill(design, 0)
    .filter(({ index }) => index === name)
    .reduce((sum, part) => sum + (part.bytes?.value ?? 0), 0)
  return `; it costs ${writes}${bytes > 0 ? ` and ${printBytes(bytes)}` : ''}`
}

function unitsOf(design: Design, model: Model, name: string): number {
  return indexWrites(design, model, 'whole').find(({ index }) => index === name)?.units ?? 0
}
