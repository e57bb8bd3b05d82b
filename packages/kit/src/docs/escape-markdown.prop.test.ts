import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeHtml } from './escape-html.ts'
import { escapeMarkdown, escapeMermaid, markdownCode } from './escape-markdown.ts'

const RUNS = Number(process.env.PROPERTY_RUNS ?? 500)

const hostile = fc.string({
  unit: fc.constantFrom(
    ...'`|<>&"\'\\[]()*_~#$!-+=.1 a\n\r\t'.split(''),
    '\u0000',
    '\u2028',
    '\u202e',
    'é',
    '😀',
    '```',
    '<!--',
    '-->',
    '${',
  ),
  maxLength: 40,
})

/** Takes what a backslash or an entity stands for. */
function textOf(text: string): string {
  return text
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

test('text in Markdown has no sign that means anything, stays in its line and in its cell', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const escaped = escapeMarkdown(text)
      const bare = escaped.replaceAll(/\\[!-/:-@[-`{-~]/g, 'x')
      expect(bare).not.toMatch(/[`|<>[\]*_~$\\\n\r]/)
      expect(bare).not.toMatch(/^\s*([#+=-]|\d+[.)](\s|$))/)
      expect(textOf(escaped).replaceAll(/\s+/g, ' ')).toBe(
        text
          .replaceAll(/[\0\n\r\t\u2028]+/g, ' ')
          .replaceAll('\u202e', '')
          .replaceAll(/\s+/g, ' '),
      )
    }),
    { numRuns: RUNS },
  )
})

test('code in Markdown is one span, in its line and in its cell', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const code = markdownCode(text)
      expect(code).not.toMatch(/[\n\r]|<!--/)
      expect(code.replaceAll(String.raw`\|`, '')).not.toContain('|')
      expect(code).toMatch(/^`[^`]+`$|^<code>[^<>`]*<\/code>$/)
    }),
    { numRuns: RUNS },
  )
})

test('text in a Mermaid diagram has no sign of its language', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(escapeMermaid(text).replaceAll(/#\d+;/g, '')).toMatch(/^[\p{L}\p{N} .,:=_-]*$/u)
    }),
    { numRuns: RUNS },
  )
})

test('text in HTML is text', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const escaped = escapeHtml(text)
      expect(escaped).not.toMatch(/[<>"']/)
      expect(escaped.replaceAll(/&(amp|lt|gt|quot|#39);/g, '')).not.toContain('&')
    }),
    { numRuns: RUNS },
  )
})
