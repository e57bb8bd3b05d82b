export type { AdoptedSchema } from './adopted-schema.ts'
export { type ElectroEntity, fromElectroDB } from './from-electrodb.ts'
export { fromOneTable, type OneTableSchema } from './from-onetable.ts'
export { fromToolbox, type ToolboxEntity } from './from-toolbox.ts'
