export { SingletableError } from '../errors/singletable-error.ts'
export type { AttributeValue, Item } from '../values/attribute-value.ts'
export { type Environment, systemEnvironment, type TimerOptions } from '../values/environment.ts'
export { seededRandom } from '../values/seeded-random.ts'
export { crc32 } from '../wire/crc32.ts'
export { errorBody } from '../wire/error-body.ts'
export type { OperationName, Operations } from '../wire/operations.ts'
export { type RequestTarget, requestTargets } from '../wire/request-targets.ts'
export {
  type CancellationReason,
  ServiceError,
  type ThrottlingReason,
} from '../wire/service-error.ts'
export type { SendOptions, Transport } from '../wire/transport.ts'
export type { ClientConfig } from './client-config.ts'
export type { EngineSettings } from './context/settings.ts'
export {
  createEngine,
  type Engine,
  type EngineOptions,
  type EngineSendOptions,
  type EngineSnapshot,
} from './engine.ts'
export type {
  Fault,
  FaultKind,
  FaultScope,
  Faults,
  InstalledFault,
  ThrottlingErrorName,
} from './faults/fault.ts'
export { type ExpectedEntry, expectedEntries } from './indexes/expected-entries.ts'
export { operationOf } from './operation-of.ts'
export {
  type SimulatedEnvironment,
  type SimulatedOptions,
  simulatedEnvironment,
} from './simulated-environment.ts'
export {
  type ContractSuite,
  type StorageContractOptions,
  storageContract,
} from './storage/contract.ts'
export { memoryStorage } from './storage/memory-storage.ts'
export type {
  Storage,
  StorageKey,
  StorageRange,
  StorageReader,
  StorageSnapshot,
  StorageTransaction,
  StorageValue,
  StorageVisitor,
} from './storage/storage.ts'
export { StoredItem } from './storage/stored-item.ts'
