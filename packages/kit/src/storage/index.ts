export { type LmdbStorageOptions, lmdbStorage } from './lmdb-storage.ts'
