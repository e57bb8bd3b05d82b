import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './architecture/package-manifest.ts'
import { wrapMarkdown } from './docs/wrap-markdown.ts'

const pages = [
  ...readdirSync(ROOT).filter((file) => file.endsWith('.md')),
  ...['.github', 'docs', 'packages/singletable', 'packages/kit'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => path.posix.join(folder, file.split(path.sep).join('/')))
      .filter((file) => file.endsWith('.md') && !/node_modules|\/dist\/|^docs\/api\//.test(file)),
  ),
]

// `WRAP=1 npx vitest run test/wrap.test.ts` wraps them.
test('the prose of all pages wraps at 100 columns', () => {
  const long = pages.filter((page) => {
    const file = path.join(ROOT, page)
    const text = readFileSync(file, 'utf8')
    const wrapped = wrapMarkdown(text)
    if (process.env.WRAP === '1' && wrapped !== text) writeFileSync(file, wrapped)
    return process.env.WRAP !== '1' && wrapped !== text
  })
  expect(long).toEqual([])
})

const LONG = 'word '.repeat(30).trim()

test.each([
  ['a paragraph', LONG, /^(?:word ?){20}\n(?:word ?){10}$/],
  ['a list item', `- ${LONG}\n- b`, /^- (?:word ?){19}\n {2}(?:word ?){11}\n- b$/],
  ['an item in an item', `- a\n  1. ${LONG}`, /^- a\n {2}1\. (?:word ?)+\n {5}word/],
])('%s is wrapped, with its margin', (_, text, expected) => {
  expect(wrapMarkdown(text)).toMatch(expected)
})

test.each([
  ['a table', `| ${LONG} |`],
  ['code', `\`\`\`ts\n${LONG}\n\`\`\``],
  ['a heading', `## ${LONG}`],
  ['lines that fit', 'a\nb\n\n- c\n  d'],
])('%s stays as it is', (_, text) => {
  expect(wrapMarkdown(text)).toBe(text)
})

test('code spans and links stay whole, and no line begins with a mark', () => {
  const span = '`a b c d e f g h i j k l m n o p q r s t u v w x y z`'
  const text = `${LONG} ${span} - ${LONG} [a link](page.md#part) ${LONG} 1. ${LONG}`
  const wrapped = wrapMarkdown(text)
  expect(wrapped.replaceAll('\n', ' ')).toBe(text)
  expect(wrapped).toContain(span)
  expect(wrapped).not.toMatch(/^(?:-|1\.) /m)
})
