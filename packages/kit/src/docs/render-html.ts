import { createHash } from 'node:crypto'
import type { Entry, LivingDocument, Section } from './document.ts'
import { BASIS_MARKS, basisWords, plainText } from './document.ts'
import { DOCUMENT_STYLE } from './document-style.ts'
import { escapeHtml } from './escape-html.ts'
import { blockHtml } from './html-blocks.ts'
import { type HtmlPlace, lineHtml } from './html-inline.ts'
import { PAGE_SCRIPT } from './page-script.ts'
import { usedBases } from './used-bases.ts'

const SCRIPT_HASH = createHash('sha256').update(PAGE_SCRIPT).digest('base64')

/**
 * Loads nothing and runs only the page's own script, even if a string of the schema contains a
 * script.
 */
const POLICY = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-${SCRIPT_HASH}'; base-uri 'none'; form-action 'none'`

/** The document as one self-contained file that works without a server. */
export function renderHtml(document: LivingDocument): string {
  const { title, sections, entities } = document
  const place: HtmlPlace = { colors: entityHues(entities) }
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="singletable docs">
<title>${escapeHtml(title)}</title>
<style>
${DOCUMENT_STYLE}
</style>
</head>
<body>
<a class="skip" href="#overview">Skip the contents</a>
<div class="page">
<nav aria-label="Contents">
<div id="find" role="search" hidden><input type="search" placeholder="Find pattern, entity, key" aria-label="Find pattern, entity, key"><kbd>/</kbd><output aria-live="polite"></output></div>
<ol>
${sections.map((section) => contentsHtml(section, place)).join('\n')}
</ol>
</nav>
<main>
<header>
<p class="eyebrow">DynamoDB table</p>
<h1>${escapeHtml(title)}</h1>
</header>
${sections.map((section) => sectionHtml(section, place)).join('\n')}
</main>
</div>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`
}

/** A section in the table of contents, with its entries. */
function contentsHtml({ id, title, entries = [] }: Section, place: HtmlPlace): string {
  const link = `<a href="#${id}">${escapeHtml(title)}</a>`
  const find = findable(title)
  if (entries.length === 0) return `<li class="part"${find}>${link}</li>`
  const inside = entries.map((entry) => {
    const line = lineHtml(unlinked(entry, place), place)
    const text = [plainText(entry.line), ...(entry.words ?? [])].join(' ')
    return `<li${findable(text)}><a href="#${entry.id}">${line}</a></li>`
  })
  return `<li class="part"${find}><details><summary>${link}<span class="count">${entries.length}</span></summary><ol>
${inside.join('\n')}
</ol></details></li>`
}

function findable(text: string): string {
  return ` data-find="${escapeHtml(text.toLowerCase())}"`
}

/** A link can't contain other links. */
function unlinked({ line }: Entry, { colors }: HtmlPlace): Entry['line'] {
  return line.map((inline) =>
    typeof inline === 'object' && inline.kind === 'entity' && colors.has(inline.name)
      ? inline.name
      : inline,
  )
}

function sectionHtml(section: Section, place: HtmlPlace): string {
  const bases = usedBases(section)
  const legend = bases.map(
    (basis) =>
      `<span><sup>${BASIS_MARKS[basis]}</sup> ${escapeHtml(basisWords(basis, section))}</span>`,
  )
  return [
    `<section id="${section.id}" aria-labelledby="${section.id}-title">`,
    `<h2 id="${section.id}-title"><a href="#${section.id}">${escapeHtml(section.title)}</a></h2>`,
    ...section.blocks.map((block) => blockHtml(block, place)),
    ...(legend.length > 0 ? [`<p class="legend">${legend.join(' ')}</p>`] : []),
    '</section>',
  ].join('\n')
}

/**
 * Hues that differ clearly for any number of entities: each is a golden angle from the previous
 * one.
 */
function entityHues(entities: readonly string[]): ReadonlyMap<string, number> {
  return new Map(entities.map((name, at) => [name, Math.round(212 + at * 137.5) % 360]))
}
