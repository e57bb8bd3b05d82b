import { type SchemaDefinition, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { compileSchema, getOwn, type Item, itemSizeBytes, type Schema } from 'singletable/tools'

/** A table on a fresh engine, and its schema with the sizes that its items really have. */
export interface MeasuredTable<TSchema extends SchemaDefinition> {
  readonly table: Table<TSchema>
  readonly schema: Schema
  readonly sample: { readonly items: readonly Item[]; readonly itemCount: number }
}

/** Fills a table, and declares of each model what its items turned out to be: their mean size. */
export async function measuredTable<const TSchema extends SchemaDefinition>(
  definition: TSchema,
  fill: (table: Table<TSchema>) => Promise<void>,
): Promise<MeasuredTable<TSchema>> {
  const engine = createEngine()
  const table = new Table({ name: 'Measured', schema: definition, client: engine })
  await table.create()
  await fill(table)
  const { Items = [] } = await engine.send('Scan', { TableName: 'Measured' })
  const schema = compileSchema(withSizes(definition, Items))
  return { table, schema, sample: { items: Items, itemCount: Items.length } }
}

function withSizes(definition: SchemaDefinition, items: readonly Item[]): SchemaDefinition {
  const typeField = definition.params?.typeField ?? '_type'
  const models = Object.entries(definition.models).map(([name, model]) => {
    const own = items.filter((item) => getOwn(item, typeField)?.S === name)
    if (own.length === 0) return [name, model]
    const itemBytes = own.reduce((sum, item) => sum + itemSizeBytes(item), 0) / own.length
    return [name, { ...model, stats: { ...model.stats, itemBytes } }]
  })
  return { ...definition, models: Object.fromEntries(models) }
}
