export { SingletableError } from './errors/singletable-error.ts'
export type { AttributeValue, Item } from './values/attribute-value.ts'
export { ServiceError } from './wire/service-error.ts'
