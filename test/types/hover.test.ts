import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import ts from 'typescript-5-9'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../architecture/package-manifest.ts'
import { emitDeclarations } from './emit-declarations.ts'
import { createService } from './language-service.ts'
import { PROGRAM } from './program-of-a-user.ts'

/** What an editor shows in a user's program, as the language service of TypeScript 5.9 gives it on
 * the declaration files. */
const folder = mkdtempSync(path.join(tmpdir(), 'singletable-hover-'))
const GOLDEN = path.join(import.meta.dirname, '__golden__')

let service: ts.LanguageService

beforeAll(() => {
  emitDeclarations(folder)
  writeFileSync(path.join(folder, 'program.ts'), PROGRAM)
  service = createService(folder, path.join(folder, 'program.ts'), () => PROGRAM)
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** By name of a golden file the text before the place that is hovered. */
const PLACES = {
  'found-item': 'const |user',
  'written-item': 'const |post ',
  'queried-items': 'const |posts',
  'selected-attributes': 'const |titles',
  'updated-item': 'const |changed',
  'result-of-a-pattern': 'const |found',
  'item-type': 'type |PostItem',
  'input-type': 'type |NewUser',
  entity: 'const { User, |Post }',
  'query-builder': 'const |drafts',
  'update-builder': 'const |liked',
  'put-method': 'await Post.|put',
  'get-method': 'await User.|get',
  'attribute-in-a-condition': 'op.eq(attr.|status',
}

/** The same for options of a schema, which show what they mean. */
const OPTIONS = {
  'option-of-an-attribute': "|generate: 'ulid'",
  'option-of-a-member': 'city: { type: String, |required',
  'option-of-a-model': "|index: { gsi1pk: 'STATUS",
  'option-of-an-index': "primary: { |hash: 'pk'",
  'option-of-a-pattern': "|range: 'postId'",
  'option-of-params': '|timestamps: true',
}

test.each(Object.entries(PLACES))('%s shows what the model has', async (name, place) => {
  const { shown } = await hover(name, place)
  // The schema is large: whatever comes after it is cut off.
  expect(shown.split('readonly indexes')[0]).toMatch(/username|title|status/)
})

test.each(Object.entries(OPTIONS))('%s shows what it means', async (name, place) => {
  const { documentation } = await hover(name, place)
  expect(documentation).not.toBe('')
})

test.each(['schema-definition', 'pattern-definition'])(
  'all options of %s have a comment',
  (name) => {
    const source = path.join(ROOT, `packages/singletable/src/schema/${name}.ts`)
    const text = readFileSync(source, 'utf8')
    const lacking: string[] = []
    const visit = (node: ts.Node): void => {
      // What validators have is not written in schemas, nor what patterns are read into.
      if (ts.isInterfaceDeclaration(node) && /^(StandardSchema|Asked)/.test(node.name.text)) return
      if (ts.isFunctionDeclaration(node)) return
      if (ts.isPropertySignature(node) && ts.getJSDocCommentsAndTags(node).length === 0) {
        lacking.push(node.name.getText())
      }
      ts.forEachChild(node, visit)
    }
    visit(ts.createSourceFile(source, text, ts.ScriptTarget.Latest, true))
    expect(lacking).toEqual([])
  },
)

test('editors offer the options that an attribute can have', () => {
  const at = positionOf("|generate: 'ulid'")
  const offered = service.getCompletionsAtPosition(path.join(folder, 'program.ts'), at, {})
  const names = offered?.entries.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['generate', 'required', 'default', 'unique']))
})

async function hover(
  name: string,
  place: string,
): Promise<{ readonly shown: string; readonly documentation: string }> {
  const info = service.getQuickInfoAtPosition(path.join(folder, 'program.ts'), positionOf(place))
  const shown = ts.displayPartsToString(info?.displayParts)
  const documentation = ts.displayPartsToString(info?.documentation)
  await expect(`${shown}\n\n${documentation}\n`).toMatchFileSnapshot(
    path.join(GOLDEN, `${name}.txt`),
  )
  return { shown, documentation }
}

function positionOf(place: string): number {
  const found = PROGRAM.indexOf(place.replace('|', ''))
  if (found < 0) throw new Error(`the program has no ${place}`)
  return found + place.indexOf('|')
}
