import { ServiceError } from '../../wire/service-error.ts'

/** Messages about tables that are missing or in the wrong state. */

/** Item operations don't say which table is missing. */
export function resourceNotFound(): ServiceError {
  return new ServiceError('ResourceNotFoundException', 'Requested resource not found')
}

export function tableNotFound(tableName: string): ServiceError {
  return new ServiceError(
    'ResourceNotFoundException',
    `Requested resource not found: Table: ${tableName} not found`,
  )
}

export function indexNotFound(index: string, tableName: string): ServiceError {
  return new ServiceError(
    'ResourceNotFoundException',
    `Requested resource not found: Index: ${index} not found for table: ${tableName}`,
  )
}
