import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from './architecture/package-manifest.ts'
import { checkWords, isException, isUnder, type UnclearPlace } from './words/check-words.ts'
import { exceptions, notConverted } from './words/exceptions.ts'

describe('what people read', () => {
  const files = [
    ...filesIn('packages/singletable/src', /\.ts$/),
    ...filesIn('packages/kit/src', /\.tsx?$/),
    // The list of words itself has all of them.
    ...filesIn('test', /^test\/(?!words)(?!.*__golden__).*\.m?[jt]s$/),
    ...filesIn('bench', /^(?!.*node_modules).*\.m?[jt]s$/),
    ...filesIn('examples', /^(?!.*node_modules).*\.(?:m?[jt]s|md)$/),
    // The reference is made of comments, which are checked where they are written.
    ...filesIn('docs', /^docs\/(?!api\/).*\.md$/),
    ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'],
    ...['packages/singletable/README.md', 'packages/kit/README.md'],
  ]
  const places = files.flatMap((file) => [
    ...checkWords(file, readFileSync(path.join(ROOT, file), 'utf8')),
    ...checkWords(file, file.replaceAll('-', ' ')),
  ])

  test('is plain English', () => {
    const unclear = places.filter(
      (place) =>
        !notConverted.some((folder) => isUnder(place.path, folder)) &&
        !exceptions.some((exception) => isException(place, exception)),
    )
    expect(unclear.map(printPlace)).toEqual([])
  })

  test('needs every exception', () => {
    const unused = exceptions.filter((each) => !places.some((place) => isException(place, each)))
    expect(unused).toEqual([])
  })

  test('is rewritten in every folder that is no longer listed as unclear', () => {
    const clear = notConverted.filter(
      (folder) => !places.some((place) => isUnder(place.path, folder)),
    )
    expect(clear).toEqual([])
  })
})

describe('the checker of words', () => {
  test.each([
    ['"titel" is no attribute', '"titel" is no attribute'],
    ['// What is\n  // no object', 'What is no object'],
    ['/**\n * Errors are\n * told.\n */', 'are told.'],
    ['const goOn = 1', 'go On'],
    ['- a rule that\n  stands here', 'stands here'],
  ])('finds %j', (source, text) => {
    expect(checkWords('a.ts', source)).toMatchObject([{ text: expect.stringContaining(text) }])
  })

  test.each(['There is no index.', 'It is no longer there.', 'GSI stands for an index.', 'going'])(
    'accepts %j',
    (source) => {
      expect(checkWords('a.md', source)).toEqual([])
    },
  )

  test('names the line and what to write', () => {
    const [place] = checkWords('a.ts', '\n\nconst a = "mend it"')
    expect(printPlace(place!)).toBe('a.ts:3: write "fix" in const a = "mend it"')
  })
})

function printPlace(place: UnclearPlace): string {
  return `${place.path}:${place.line}: write ${place.instead} in ${place.text}`
}

function filesIn(folder: string, pattern: RegExp): readonly string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => path.join(folder, file).split(path.sep).join('/'))
    .filter((file) => pattern.test(file))
}
