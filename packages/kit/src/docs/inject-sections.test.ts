import { describe, expect, test } from 'vitest'
import { code, entity, type LivingDocument, link, paragraph } from './document.ts'
import { injectSections } from './inject-sections.ts'

const DOCUMENT: LivingDocument = {
  title: 'Blog',
  origin: { name: 'Blog' },
  entities: ['User'],
  sections: [
    { id: 'overview', title: 'Overview', blocks: [paragraph('All of ', code('it'), '.')] },
    {
      id: 'prefixes',
      title: 'Prefixes',
      blocks: [
        { kind: 'heading', id: 'inside', line: ['Inside'] },
        paragraph(link('inside', 'here'), ' and ', entity('User')),
      ],
    },
  ],
}

const lines = (...all: readonly string[]): string => all.join('\n')

describe('sections between markers', () => {
  test('are written, and what is around them stays', () => {
    const { text } = injectSections(
      lines(
        '# Mine',
        '<!-- singletable:begin overview -->',
        'old',
        '<!-- singletable:end -->',
        'after',
        '',
      ),
      DOCUMENT,
    )
    expect(text).toBe(
      lines(
        '# Mine',
        '<!-- singletable:begin overview -->',
        '',
        'All of `it`.',
        '',
        '<!-- singletable:end -->',
        'after',
        '',
      ),
    )
  })

  test('are the same when they are written again', () => {
    const file = lines(
      '<!-- singletable:begin prefixes -->',
      '<!-- singletable:end -->',
      '<!-- singletable:begin overview -->',
      '<!-- singletable:end -->',
    )
    const { text = '' } = injectSections(file, DOCUMENT)
    expect(injectSections(text, DOCUMENT).text).toBe(text)
  })

  test('link only to what is in the same file', () => {
    const { text } = injectSections(
      lines('<!-- singletable:begin prefixes -->', '<!-- singletable:end -->'),
      DOCUMENT,
    )
    expect(text).toContain('[here](#inside) and User')
  })

  test('have the ends of lines of the file', () => {
    const { text = '' } = injectSections(
      'a\r\n<!-- singletable:begin overview -->\r\n<!-- singletable:end -->\r\n',
      DOCUMENT,
    )
    expect(text.replaceAll('\r\n', '')).not.toContain('\n')
  })

  test('are not looked for in blocks of code', () => {
    const file = lines(
      '````md',
      '```',
      '<!-- singletable:begin nothing -->',
      '```',
      '````',
      '<!-- singletable:begin overview -->',
      '<!-- singletable:end -->',
    )
    expect(injectSections(file, DOCUMENT).text).toContain('<!-- singletable:begin nothing -->')
  })
})

describe('markers that are wrong are reported with their line', () => {
  const problemsOf = (...file: readonly string[]): readonly string[] =>
    (injectSections(lines(...file), DOCUMENT).problems ?? []).map(
      ({ line, message }) => `${line}: ${message}`,
    )

  test.each([
    ['without any', ['text'], ['1: The file has no markers.']],
    [
      'with an unknown section',
      ['', '<!-- singletable:begin overveiw -->', '<!-- singletable:end -->'],
      ['2: There is no section "overveiw" (did you mean "overview"?).'],
    ],
    [
      'without an id',
      ['<!-- singletable:begin -->', '<!-- singletable:end -->'],
      ['1: A marker names no section.'],
    ],
    [
      'without an end',
      ['x', '<!-- singletable:begin overview -->', 'y'],
      ['2: "overview" has no end marker.'],
    ],
    [
      'without a beginning',
      ['<!-- singletable:end -->'],
      ['1: An end marker has no begin marker.'],
    ],
    [
      'inside another',
      [
        '<!-- singletable:begin overview -->',
        '<!-- singletable:begin prefixes -->',
        '<!-- singletable:end -->',
      ],
      ['2: "prefixes" begins inside "overview", which begins on line 1.'],
    ],
    [
      'not alone in its line',
      ['text <!-- singletable:begin overview -->', '<!-- singletable:end -->'],
      ['1: A marker is not on a line of its own.', '2: An end marker has no begin marker.'],
    ],
  ])('a file %s', (_, file, problems) => {
    expect(problemsOf(...file)).toEqual(problems)
  })
})
