import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { describe, expect, test } from 'vitest'
import { blogSchema } from '../examples/blog/schema.ts'
import { ROOT } from './architecture/package-manifest.ts'

const folder = path.join(ROOT, 'examples')
const names = readdirSync(folder).filter((name) => existsSync(path.join(folder, name, 'main.ts')))

function runExample(...parameters: readonly string[]) {
  return spawnSync(process.execPath, [path.join(folder, 'run.mjs'), ...parameters], {
    encoding: 'utf8',
  })
}

describe('examples', () => {
  for (const name of names) {
    // `npx vitest run test/examples.test.ts -u` writes the file again, to be reviewed like code.
    test(`${name} prints what its golden file says`, async () => {
      const { status, stdout, stderr } = runExample(name)
      expect(status, stderr).toBe(0)
      await expect(stdout).toMatchFileSnapshot(path.join(folder, name, '__golden__/output.txt'))
    })
  }

  test('the plans of the blog are those of its golden file', async () => {
    const { patterns } = new Table({ name: 'Blog', schema: blogSchema, client: createEngine() })
    const plans = Object.values(patterns).map((pattern) => pattern.plan())
    const text = `${JSON.stringify(plans, null, 2).replaceAll('\u{10FFFF}', '\\u{10FFFF}')}\n`
    await expect(text).toMatchFileSnapshot(path.join(folder, 'blog/__golden__/plans.json'))
  })

  test('the requests of each access pattern of all examples come from one command', () => {
    const { status, stdout } = spawnSync(process.execPath, [path.join(folder, 'requests.mjs')], {
      encoding: 'utf8',
    })
    expect(status).toBe(0)
    const titles = [...stdout.matchAll(/^# (\w+)\n\w+ +\d+ {2}\w+/gm)].map(([, name]) => name)
    expect(titles).toEqual(names)
  }, 120_000)

  test('an example that does not exist is refused with the names of those that do', () => {
    const { status, stderr } = runExample('nothing')
    expect(status).toBe(2)
    expect(stderr).toBe(`usage: node examples/run.mjs <${names.join('|')}>\n`)
  })
})
