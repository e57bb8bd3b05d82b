import { expect, test } from 'vitest'
import { mergeManifest } from './merge-manifest.ts'

const SCRIPTS = new Map([
  ['dev', 'singletable dev'],
  ['test', 'node --test'],
])

test('scripts are added behind those that are there, and nothing else is touched', () => {
  const text = `{
    "name": "shop",   "files": ["a", "b"],
    "scripts": {
        "build": "tsc"
    },
    "10": 1, "2": {"x":[1,2]}
}`
  expect(mergeManifest(text, SCRIPTS)).toEqual({
    text: text.replace(
      '"build": "tsc"',
      '"build": "tsc",\n        "dev": "singletable dev",\n        "test": "node --test"',
    ),
    added: ['dev', 'test'],
    kept: [],
  })
})

test.each([
  ['{}', '{\n  "scripts": {\n    "dev": "singletable dev",\n    "test": "node --test"\n  }\n}'],
  [
    '{\r\n\t"name": "x"\r\n}\r\n',
    '{\r\n\t"name": "x",\r\n\t"scripts": {\r\n\t\t"dev": "singletable dev",\r\n\t\t"test": "node --test"\r\n\t}\r\n}\r\n',
  ],
  [
    '\uFEFF{"scripts":{"a":"b"}}',
    '\uFEFF{"scripts":{"a":"b", "dev": "singletable dev", "test": "node --test"}}',
  ],
  [
    '{\n  "__proto__": 1,\n  "__proto__": 2,\n  "scripts": {}\n}\n',
    '{\n  "__proto__": 1,\n  "__proto__": 2,\n  "scripts": {\n    "dev": "singletable dev",\n    "test": "node --test"\n  }\n}\n',
  ],
])('the layout of %j is kept', (text, wanted) => {
  const merged = mergeManifest(text, SCRIPTS)
  expect(merged.text).toBe(wanted)
  expect(JSON.parse(merged.text.replace('\uFEFF', '')).scripts).toMatchObject(
    Object.fromEntries(SCRIPTS),
  )
})

test('scripts that are there are kept and named; one that only fails, and all with force, are replaced', () => {
  const text = `{ "scripts": { "dev": "vite", "test": "echo \\"Error: no test specified\\" && exit 1" } }`
  const merged = mergeManifest(text, SCRIPTS)
  expect(merged).toEqual({
    text: '{ "scripts": { "dev": "vite", "test": "node --test" } }',
    added: ['test'],
    kept: ['dev'],
  })
  expect(mergeManifest(text, SCRIPTS, { force: true })).toMatchObject({
    added: ['dev', 'test'],
    kept: [],
  })
})

test('a second time changes nothing', () => {
  const { text } = mergeManifest('{ "name": "x" }', SCRIPTS)
  expect(mergeManifest(text, SCRIPTS)).toEqual({ text, added: [], kept: [] })
})
