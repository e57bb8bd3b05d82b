import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepPositions } from './kept-positions.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'singletable-kept-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

test('positions are kept until the schema or what it imports changes', async () => {
  const file = path.join(directory, 'schema.ts')
  writeFileSync(file, `import './post.ts'`)
  writeFileSync(path.join(directory, 'post.ts'), 'one')
  let searches = 0
  const locate = async () => {
    const options = { file, directory, exportName: 'schema', definition: {} as never }
    const positionOf = keepPositions(options, directory, ({ model }) => {
      searches++
      return { file: 'schema.ts', line: model === 'Post' ? 3 : 7, column: 1 }
    })
    const lines = ['Post', 'User', 'Post'].map((model) => positionOf({ model }).line)
    await Promise.resolve()
    return [lines, searches]
  }
  expect(await locate()).toEqual([[3, 7, 3], 2])
  expect(await locate()).toEqual([[3, 7, 3], 2])
  writeFileSync(path.join(directory, 'post.ts'), 'two')
  expect(await locate()).toEqual([[3, 7, 3], 4])
})
