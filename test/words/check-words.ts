import type { WordException } from './exceptions.ts'
import { unclearWords } from './word-list.ts'

export interface UnclearPlace {
  readonly path: string
  readonly line: number
  /** The word with what is around it, on one line. */
  readonly text: string
  readonly instead: string
}

/** Finds unclear words in a file: prose, comments, strings and, word by word, names. */
export function checkWords(path: string, source: string): readonly UnclearPlace[] {
  const text = asProse(source)
  return unclearWords.flatMap(({ pattern, instead }) =>
    [...text.matchAll(pattern)].map((match) => ({
      path,
      line: text.slice(0, match.index).split('\n').length,
      text: text
        .slice(Math.max(0, match.index - 60), match.index + match[0].length + 60)
        .replace(/\s+/g, ' ')
        .trim(),
      instead,
    })),
  )
}

export function isException(place: UnclearPlace, exception: WordException): boolean {
  return isUnder(place.path, exception.path) && place.text.includes(exception.text)
}

export function isUnder(path: string, folderOrFile: string): boolean {
  return path === folderOrFile || (folderOrFile.endsWith('/') && path.startsWith(folderOrFile))
}

/** Joins comments over their line ends and divides names into words. Keeps the line numbers. */
function asProse(source: string): string {
  return source
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .replace(/\n[ \t]*(?:\/\/|\*(?!\/)|>) /g, (mark) => `\n${' '.repeat(mark.length - 1)}`)
    .replace(/[ \t]*\n[ \t]+/g, '\n')
    .replace(/_/g, ' ')
}
