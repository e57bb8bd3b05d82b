import path from 'node:path'
import { expect, test } from 'vitest'
import { textColumns } from '../../packages/kit/src/text/text-columns.ts'
import { ROOT } from '../architecture/package-manifest.ts'
import { runCli } from './run-cli.ts'

const COMMANDS = [
  [],
  ['init'],
  ['dev'],
  ['serve'],
  ['docs'],
  ['check'],
  ['infra'],
  ['infra', 'diff'],
  ['table'],
  ['table', 'list'],
  ['table', 'create'],
  ['table', 'apply'],
  ['table', 'describe'],
  ['table', 'delete'],
  ['query'],
  ['get'],
  ['put'],
  ['update'],
  ['delete'],
  ['pull'],
  ['export'],
  ['load'],
  ['seed'],
  ['migrate'],
  ['migrate', 'up'],
  ['cost'],
  ['recorder'],
  ['storage'],
  ['storage', 'verify'],
  ['completion'],
]

/** Lines that are wider than the terminal although they could be broken between two words. */
function tooWide(text: string, columns: number): readonly string[] {
  return text
    .split('\n')
    .filter((line) => textColumns(line) > columns && /\S \S/.test(line.trimStart()))
}

test.each([60, 80])('every help fits into %i columns', async (columns) => {
  for (const words of COMMANDS) {
    const { printed, code } = await runCli([...words, '--help'], { columns })
    expect([words.join(' '), code, tooWide(printed, columns)]).toEqual([words.join(' '), 0, []])
  }
})

test.each([60, 80])('what commands say about a schema fits into %i columns', async (columns) => {
  const directory = path.join(ROOT, 'test/kit/rides')
  for (const words of [
    ['check', '--rules'],
    ['check'],
    ['cost'],
    ['cost', '--formulas'],
    ['query', 'ridesOfRider', '--plan'],
  ]) {
    const { printed } = await runCli(words, { columns, directory })
    expect([words.join(' '), tooWide(printed, columns)]).toEqual([words.join(' '), []])
  }
})
