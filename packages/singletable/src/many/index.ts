export { deleteMany, updateMany } from './change-many.ts'
export type { ManyFailure, ManyOptions, ManyReport } from './many-options.ts'
export { ManyStoppedError } from './many-stopped-error.ts'
