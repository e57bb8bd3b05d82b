import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { importedFiles } from './imported-files.ts'

test('files that are imported by relative paths are found, whatever way they are named', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'singletable-imports-'))
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(directory, file)), { recursive: true })
    writeFileSync(path.join(directory, file), text)
  }
  write(
    'schema.ts',
    `import { defineSchema } from 'singletable'
     import { a } from './a'
     import type { B } from "./b.js"
     export * from './models/index.ts'
     const c = require('./c.cjs')
     const d = await import('./missing.js')
     const broken = {`,
  )
  write('a.ts', "import './schema.ts'")
  write('b.ts', '')
  write('c.cjs', '')
  write('models/index.ts', "import '../deep'")
  write('deep/index.ts', '')
  const found = importedFiles(path.join(directory, 'schema.ts'))
  expect(found.map((file) => path.relative(directory, file)).sort()).toEqual([
    'a.ts',
    'b.ts',
    'c.cjs',
    'deep/index.ts',
    // It may come to be.
    'missing.ts',
    'models/index.ts',
    'schema.ts',
  ])
  rmSync(directory, { recursive: true })
})
