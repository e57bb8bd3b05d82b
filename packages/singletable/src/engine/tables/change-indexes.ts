import { GLOBAL_INDEXES_MAX } from '../../values/limits.ts'
import type {
  AttributeDefinition,
  GlobalSecondaryIndex,
  GlobalSecondaryIndexUpdate,
  UpdateGlobalSecondaryIndex,
} from '../../wire/table-operations.ts'
import type { IndexRecord, TableRecord } from '../catalog/table-record.ts'
import { validationError } from '../messages/request-messages.ts'
import { resourceNotFound } from '../messages/resource-messages.ts'
import {
  attributeRedefined,
  definitionsMissingForIndex,
  globalIndexLimitExceeded,
  indexExists,
  indexNotGlobal,
  indexThroughputMissingInUpdate,
  indexThroughputOnDemandInUpdate,
  indexUpdateOnDemand,
  throughputUnchanged,
} from '../messages/table-messages.ts'
import { changedThroughput } from './change-throughput.ts'
import { definitionsInUse } from './definitions-in-use.ts'
import { validateGlobalIndex, validateProjectedCount } from './index-definition.ts'
import { boundsOf, indexRecord, warmthOf } from './index-record.ts'
import { validateOnDemandThroughput } from './table-throughput.ts'
import type { BeginTransition } from './transition.ts'

/** The record with one change of a global index applied; entries of the index are not touched
 * here. */
export function changeIndex(
  record: TableRecord,
  update: GlobalSecondaryIndexUpdate,
  options: {
    readonly definitions: readonly AttributeDefinition[] | undefined
    readonly nowMs: number
    readonly begin: BeginTransition
  },
): TableRecord {
  const { Create, Update, Delete } = update
  if (Create !== undefined) return addIndex(record, Create, options)
  if (Update !== undefined) return updateIndex(record, Update, options)
  if (Delete !== undefined) return removeIndex(record, Delete.IndexName, options.begin)
  return record
}

function addIndex(
  record: TableRecord,
  definition: GlobalSecondaryIndex,
  options: {
    readonly definitions: readonly AttributeDefinition[] | undefined
    readonly begin: BeginTransition
  },
): TableRecord {
  const { IndexName: name } = definition
  if (options.definitions === undefined) throw validationError(definitionsMissingForIndex(name))
  validateGlobalIndex(definition, options.definitions)
  validateNewThroughput(record, definition)
  for (const { AttributeName, AttributeType } of options.definitions) {
    const existing = record.attributeDefinitions.find((old) => old.AttributeName === AttributeName)
    if (existing !== undefined && existing.AttributeType !== AttributeType) {
      const types = { old: existing.AttributeType, new: AttributeType }
      throw validationError(attributeRedefined(AttributeName, types))
    }
  }
  if (record.indexes.some((index) => index.name === name)) throw validationError(indexExists(name))
  const global = record.indexes.filter((index) => index.kind === 'global')
  if (global.length >= GLOBAL_INDEXES_MAX) throw globalIndexLimitExceeded(GLOBAL_INDEXES_MAX)

  const added: IndexRecord = {
    ...indexRecord(definition, {
      id: record.indexIdNext,
      kind: 'global',
      ...options.begin('CREATING'),
    }),
    filling: true,
  }
  const indexes = [...record.indexes, added]
  validateProjectedCount(indexes.map((index) => index.projection.attributes))
  return {
    ...record,
    indexes,
    indexIdNext: record.indexIdNext + 1,
    attributeDefinitions: usedDefinitions(record, indexes, options.definitions),
  }
}

function validateNewThroughput(record: TableRecord, definition: GlobalSecondaryIndex): void {
  const { IndexName: index, ProvisionedThroughput: units } = definition
  const { mode } = record.billing
  if (mode === 'PAY_PER_REQUEST' && units !== undefined) {
    throw validationError(indexThroughputOnDemandInUpdate(index))
  }
  if (mode === 'PROVISIONED' && units === undefined) {
    throw validationError(indexThroughputMissingInUpdate(index))
  }
  validateOnDemandThroughput(definition.OnDemandThroughput, { mode, mayRemove: true, index })
}

function updateIndex(
  record: TableRecord,
  update: UpdateGlobalSecondaryIndex,
  options: { readonly nowMs: number; readonly begin: BeginTransition },
): TableRecord {
  const index = requireGlobalIndex(record, update.IndexName, 'update')
  const { ProvisionedThroughput: units, OnDemandThroughput: bounds, WarmThroughput: warm } = update
  const { mode } = record.billing
  if (mode === 'PAY_PER_REQUEST' && units !== undefined) {
    throw validationError(indexUpdateOnDemand(index.name))
  }
  validateOnDemandThroughput(bounds, { mode, mayRemove: true, index: index.name })
  const current = index.throughput
  if (
    units !== undefined &&
    current?.read === units.ReadCapacityUnits &&
    current.write === units.WriteCapacityUnits
  ) {
    throw validationError(throughputUnchanged(current, index.name))
  }
  const changed: IndexRecord = {
    ...index,
    ...(units && {
      throughput: changedThroughput(current ?? { read: 0, write: 0 }, units, options.nowMs),
    }),
    ...(bounds && { onDemandThroughput: boundsOf(bounds, index.onDemandThroughput) }),
    ...(warm && { warmThroughput: warmthOf(warm, index.warmThroughput) }),
    ...options.begin('UPDATING'),
  }
  return {
    ...record,
    indexes: record.indexes.map((other) => (other.id === index.id ? changed : other)),
  }
}

function removeIndex(record: TableRecord, name: string, begin: BeginTransition): TableRecord {
  const index = requireGlobalIndex(record, name, 'delete')
  const indexes = record.indexes.filter((other) => other.id !== index.id)
  const { filling: _stopped, ...kept } = index
  const leaving = { ...kept, ...begin('DELETING') }
  const { indexesLeaving: _ended, ...rest } = record
  return {
    ...rest,
    indexes,
    ...(leaving.transition?.status === 'DELETING' && { indexesLeaving: [leaving] }),
    attributeDefinitions: usedDefinitions(record, indexes, []),
  }
}

function requireGlobalIndex(
  record: TableRecord,
  name: string,
  change: 'update' | 'delete',
): IndexRecord {
  const index = record.indexes.find((other) => other.name === name)
  if (index === undefined) throw resourceNotFound()
  if (index.kind !== 'global') throw validationError(indexNotGlobal(change, name))
  return index
}

/** A request may bring more definitions than it needs. */
function usedDefinitions(
  record: TableRecord,
  indexes: readonly IndexRecord[],
  added: readonly AttributeDefinition[],
): readonly AttributeDefinition[] {
  const known = new Set(record.attributeDefinitions.map((definition) => definition.AttributeName))
  const all = [
    ...record.attributeDefinitions,
    ...added.filter((definition) => !known.has(definition.AttributeName)),
  ]
  return definitionsInUse(all, [record, ...indexes])
}
