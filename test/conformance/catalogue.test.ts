import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { catalogue } from './catalogue.ts'

const conformance = import.meta.dirname
const engine = path.resolve(conformance, '../../packages/singletable/src/engine')

/** What the conformance tests say; a text that is in them is asserted, as they have no other use
 * for it. */
const inConformance = assertedIn(conformance)
const inAnyTest = inConformance + assertedIn(engine) + assertedIn(path.resolve(conformance, '..'))

test('every numbered text of the service is asserted by a conformance test', () => {
  const missing = Object.entries(catalogue).flatMap(([number, fragments]) =>
    fragments
      .filter((fragment) => !inConformance.includes(withoutEscapes(fragment)))
      .map((fragment) => `${number}: ${fragment}`),
  )
  expect(missing).toEqual([])
})

test('the catalogue numbers its messages from 1 to 109', () => {
  const numbers = Array.from({ length: 109 }, (_, index) => String(index + 1))
  expect(Object.keys(catalogue)).toEqual(numbers)
})

test('every message of the engine is asserted by a test, or says why not', () => {
  const missing = exportedMessages()
    .filter(({ name, fragment }) => !notAsserted.has(name) && !inAnyTest.includes(fragment))
    .map(({ name, fragment }) => `${name}: ${fragment}`)
  expect(missing).toEqual([])
})

test('no message is excused that does not exist', () => {
  const names = new Set(exportedMessages().map(({ name }) => name))
  expect([...notAsserted.keys()].filter((name) => !names.has(name))).toEqual([])
})

/** Messages that no test can call forth, each with the reason. */
const notAsserted: ReadonlyMap<string, string> = new Map()

interface Message {
  readonly name: string
  /** The longest part of its text that does not depend on the request. */
  readonly fragment: string
}

/** Shorter ones are words that other strings have as well. */
const FRAGMENT_LENGTH_MIN = 12

/** Everything that the message modules export, but for what has no text of its own. */
function exportedMessages(): Message[] {
  return sourcesIn(path.join(engine, 'messages'), (name) => name.endsWith('-messages.ts')).flatMap(
    ({ text }) =>
      text
        .split(/^(?=export )/m)
        .slice(1)
        .flatMap((declaration) => {
          const name = /^export (?:const|function) (\w+)/.exec(declaration)?.[1]
          const fragment = longestFragment(declaration)
          return name === undefined || fragment.length < FRAGMENT_LENGTH_MIN
            ? []
            : [{ name, fragment }]
        }),
  )
}

function longestFragment(declaration: string): string {
  const code = declaration.replace(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const literals = code.match(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? []
  return literals
    .flatMap((literal) => literal.slice(1, -1).split(/\$\{[^}]*\}?|^[^{]*\}/))
    .map((part) => withoutEscapes(part).trim())
    .reduce((longest, part) => (part.length > longest.length ? part : longest), '')
}

/** All test files below the folder as one text. */
function assertedIn(folder: string): string {
  return sourcesIn(folder, (name) => name.endsWith('.test.ts') && !name.includes('catalogue'))
    .map(({ text }) => withoutEscapes(text))
    .join('\n')
}

/** The same quotation mark is escaped in one literal and not in another. */
function withoutEscapes(text: string): string {
  return text.replaceAll('\\', '')
}

function sourcesIn(folder: string, includes: (name: string) => boolean) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(includes)
    .map((name) => ({ name, text: readFileSync(path.join(folder, name), 'utf8') }))
}
