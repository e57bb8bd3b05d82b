import { describe, test } from 'vitest'
import { storageContract } from '../../packages/singletable/src/engine/storage/contract.ts'
import { memoryStorage } from '../../packages/singletable/src/engine/storage/memory-storage.ts'

// SEED=… repeats a failed run; the title of the test that failed names its seed.
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)

storageContract({ describe, test }, memoryStorage, { name: 'memory', seed })
