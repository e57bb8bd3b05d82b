import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { describeFailure, printFailure } from './failure-report.ts'

function failureOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

test('a missing file is reported with its path and a fix', () => {
  const file = path.join(tmpdir(), 'no-such-folder', 'items.json')
  const report = describeFailure(failureOf(() => readFileSync(file)))
  expect(report).toEqual({
    exitCode: 3,
    message: 'The file or directory does not exist (ENOENT).',
    where: file,
    fix: 'check the path',
  })
  expect(printFailure(report).split('\n')).toHaveLength(3)
})

test('a directory in place of a file is called one', () => {
  const report = describeFailure(failureOf(() => writeFileSync(tmpdir(), '')))
  expect(report).toMatchObject({ message: 'It is a directory (EISDIR).', fix: 'name a file' })
})

test('another system error is reported with its own message', () => {
  const error = Object.assign(new Error('too many open files'), { syscall: 'open', code: 'EMFILE' })
  expect(describeFailure(error)).toEqual({ exitCode: 3, message: 'too many open files' })
})

test('a bug is not reported as a mistake of the user', () => {
  expect(() => describeFailure(new TypeError('x is not a function'))).toThrow(TypeError)
})
