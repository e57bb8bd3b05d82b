import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileCheckpoints } from './file-checkpoints.ts'

let folder = ''
let file = ''
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'checkpoints-'))
  file = path.join(folder, 'positions.json')
})
afterEach(() => rm(folder, { recursive: true }))

const position = { shards: { 'shardId-1': { after: '5' }, 'shardId-2': { finished: true } } }

test('what was saved is loaded again, for each stream its own', async () => {
  const checkpoints = fileCheckpoints(file)
  expect(await checkpoints.load('a')).toBeUndefined()
  await checkpoints.save('a', position)
  await checkpoints.save('__proto__', { shards: {} })
  const others = fileCheckpoints(file)
  expect(await others.load('a')).toEqual(position)
  expect(await others.load('__proto__')).toEqual({ shards: {} })
  expect(await others.load('b')).toBeUndefined()
  expect(await readdir(folder)).toEqual(['positions.json'])
})

test('a file that was being written when its process died does no harm', async () => {
  const checkpoints = fileCheckpoints(file)
  await checkpoints.save('a', position)
  await writeFile(`${file}.new`, '{"format":1,"str')
  expect(await checkpoints.load('a')).toEqual(position)
  await checkpoints.save('a', { shards: {} })
  expect(await checkpoints.load('a')).toEqual({ shards: {} })
})

test.each(['', '{', 'null', '[]', '{"format":2,"streams":{}}'])(
  'a file with %j is refused and left as it is',
  async (text) => {
    await writeFile(file, text)
    const checkpoints = fileCheckpoints(file)
    await expect(checkpoints.load('a')).rejects.toMatchObject({ code: 'CHECKPOINT_INVALID' })
    await expect(checkpoints.save('a', position)).rejects.toThrow(file)
    expect(await readFile(file, 'utf8')).toBe(text)
  },
)

test('a folder that does not exist is an error of the file system', async () => {
  const checkpoints = fileCheckpoints(path.join(folder, 'missing', 'positions.json'))
  expect(await checkpoints.load('a')).toBeUndefined()
  await expect(checkpoints.save('a', position)).rejects.toMatchObject({ code: 'ENOENT' })
})
