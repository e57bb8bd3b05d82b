import type { LivingDocument, Section } from './document.ts'
import { BASIS_MARKS, basisWords } from './document.ts'
import { DOCUMENT_STYLE } from './document-style.ts'
import { escapeHtml } from './escape-html.ts'
import { blockHtml } from './html-blocks.ts'
import type { HtmlPlace } from './html-inline.ts'
import { usedBases } from './used-bases.ts'

/** Nothing is loaded and no script runs: not even what a text of the schema might smuggle in. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

/** The document as one file that needs nothing else: no network, no script. */
export function renderHtml(document: LivingDocument): string {
  const { title, sections, entities } = document
  const place: HtmlPlace = { colors: entityHues(entities) }
  const contents = sections.map(
    ({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`,
  )
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
<header>
<p class="eyebrow">DynamoDB table</p>
<h1>${escapeHtml(title)}</h1>
</header>
<div class="page">
<nav aria-label="Contents">
<details open><summary>Contents</summary>
<ol>
${contents.join('\n')}
</ol>
</details>
</nav>
<main>
${sections.map((section) => sectionHtml(section, place)).join('\n')}
</main>
</div>
</body>
</html>
`
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

/** Hues that are far from each other, however many entities there are: each a golden angle from the one before. */
function entityHues(entities: readonly string[]): ReadonlyMap<string, number> {
  return new Map(entities.map((name, at) => [name, Math.round(212 + at * 137.5) % 360]))
}
