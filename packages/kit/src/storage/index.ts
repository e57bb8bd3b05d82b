export { type LmdbStorageOptions, lmdbStorage } from './lmdb-storage.ts'
export { type VerifyOptions, type VerifyReport, verifyFolder } from './verify-folder.ts'
