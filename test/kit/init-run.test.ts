import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../architecture/package-manifest.ts'
import { expectExcerpt } from '../docs/expect-excerpt.ts'
import {
  kitDependencies,
  linkPackages,
  PACK_MS,
  type PackedPackages,
  packPackages,
  runIn,
  TOOLS,
} from '../pack-packages.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'singletable-init-run-'))
let packed: PackedPackages

beforeAll(() => {
  packed = packPackages(folder)
}, PACK_MS)

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** Puts the packed packages into a project as an installation would, without a registry. */
function install(project: string): void {
  for (const [name, tarball] of [
    ['singletable', packed.singletable],
    ['@singletable/kit', packed.kit],
  ] as const) {
    const target = path.join(project, 'node_modules', name)
    mkdirSync(target, { recursive: true })
    runIn(project, 'tar', '-xzf', tarball, '-C', target, '--strip-components=1')
  }
  linkPackages(project, [...kitDependencies(), '@types/node', 'undici-types'])
  mkdirSync(path.join(project, 'node_modules/.bin'))
  symlinkSync(
    '../@singletable/kit/bin/singletable.js',
    path.join(project, 'node_modules/.bin/singletable'),
  )
}

/** Each is installed and run, which takes its time: so there is one of a kind. */
const MANIFESTS = {
  'an empty folder': undefined,
  'an ESM project that has Vitest': {
    type: 'module',
    scripts: { build: 'tsc' },
    devDependencies: { vitest: '*' },
  },
  'a CommonJS project': { type: 'commonjs', main: 'index.js' },
}

describe.each(Object.entries(MANIFESTS))('init in %s makes a project', (name, manifest) => {
  const project = path.join(folder, name.replaceAll(' ', '-'))

  beforeAll(() => {
    mkdirSync(project)
    if (manifest) writeFileSync(path.join(project, 'package.json'), JSON.stringify(manifest))
    install(project)
    if (manifest && 'devDependencies' in manifest) linkPackages(project, ['vitest', '.bin/vitest'])
    runIn(project, 'node_modules/.bin/singletable', 'init', '--yes')
  })

  test('whose test passes', () => {
    expect(runIn(project, 'npm', 'test')).toMatch(/pass 2|2 passed/)
  })

  test('whose program runs', () => {
    expect(runIn(project, 'npm', 'start', '--silent')).toBe(
      'Alice has 2 notes\nat home: Water the plants\n',
    )
  })

  test('whose types are right', () => {
    // The compiler prints what it has against the program, so an empty answer means success.
    expect(runIn(project, path.join(TOOLS, 'tsc'), '--noEmit', '-p', '.')).toBe('')
  })

  test('that dev runs', () => {
    const printed = runIn(project, 'npm', 'run', '--silent', 'dev', '--', '--once')
    expect(printed).toContain('6 patterns · 4 answered · 2 planned and not run')
    // The guide shows such a run; what is after the patterns is about the server, which is not
    // there now.
    const guide = readFileSync(path.join(ROOT, 'docs/dev.md'), 'utf8')
    const shown = /^```\n(Notes[\s\S]*?)^…\nendpoint/m.exec(guide)?.[1] ?? ''
    expectExcerpt(printed, shown)
    expect(shown).toContain('notesOfUser')
  })

  test('whose tests the recorder follows', () => {
    const singletable = 'node_modules/.bin/singletable'
    const printed = runIn(project, singletable, 'recorder', '--', 'npm', 'test')
    expect(printed).toContain('4 of 6 declared patterns were run')
  })

  test('that check has no error against, and docs describes', () => {
    runIn(project, 'npm', 'run', '--silent', 'check')
    runIn(project, 'npm', 'run', '--silent', 'docs')
  })
})
