import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './architecture/package-manifest.ts'

const pages = [
  ...readdirSync(ROOT).filter((file) => file.endsWith('.md')),
  ...['docs', 'examples', '.github', 'packages/singletable', 'packages/kit'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md') && !/node_modules|(?:^|[\\/])dist[\\/]/.test(file))
      .map((file) => path.join(folder, file))
      // What the build copies there for the package.
      .filter((file) => !file.startsWith(path.join('packages/singletable/docs', ''))),
  ),
]

test.each(pages)('every link of %s leads to a file and, if it names one, to a heading', (page) => {
  const text = proseOf(readFileSync(path.join(ROOT, page), 'utf8'))
  const broken = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target) && !resolves(page, target))
  expect(broken).toEqual([])
})

test.each([
  ['docs', 'docs/README.md'],
  ['docs/recipes', 'docs/recipes.md'],
])('every page of %s is in the table of contents of %s', (folder, contents) => {
  const text = readFileSync(path.join(ROOT, contents), 'utf8')
  const missing = readdirSync(path.join(ROOT, folder))
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .map((file) => path.posix.relative(path.posix.dirname(contents), `${folder}/${file}`))
    .filter((file) => !text.includes(`](${file})`))
  expect(missing).toEqual([])
})

function resolves(page: string, target: string): boolean {
  const [file = '', fragment] = target.split('#')
  const absolute = path.join(ROOT, file === '' ? page : path.join(path.dirname(page), file))
  if (!existsSync(absolute)) return false
  return fragment === undefined || !absolute.endsWith('.md') || fragmentsOf(absolute).has(fragment)
}

/** The fragments of a page's headings, as GitHub makes them, and those that it gives itself. */
function fragmentsOf(file: string): ReadonlySet<string> {
  const text = proseOf(readFileSync(file, 'utf8'))
  const fragments = new Set(
    [...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id = '']) => id),
  )
  for (const [, heading = ''] of text.matchAll(/^#+ (.*)$/gm)) {
    const base = heading
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-')
    let fragment = base
    for (let count = 1; fragments.has(fragment); count++) fragment = `${base}-${count}`
    fragments.add(fragment)
  }
  return fragments
}

/** The page without blocks of code, which can contain what looks like headings and links. */
function proseOf(text: string): string {
  return text.replace(/^( *)```[^\n]*\n[\s\S]*?^\1```$/gm, '')
}
