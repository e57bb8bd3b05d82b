import {
  BASIS_MARKS,
  type Block,
  basisWords,
  type Cell,
  elementId,
  type Inline,
  type Line,
  type LivingDocument,
  plainText,
  type Section,
  type TableBlock,
} from './document.ts'
import { printOrigin } from './document-origin.ts'
import { escapeMarkdown, markdownCode, oneLine } from './escape-markdown.ts'
import { indexName } from './index-name.ts'
import { collectionFlowchart, relationsDiagram } from './mermaid.ts'
import { sampleTable } from './sample-table.ts'
import { shownKey } from './shown-key.ts'
import { usedBases } from './used-bases.ts'

/** The document as GitHub shows it, with Mermaid's diagrams. */
export function renderMarkdown(document: LivingDocument): string {
  const { title, sections } = document
  const contents = sections.map(({ id, title, entries = [] }) => {
    const inside = entries.map((entry) => printLink(plainText(entry.line), entry.id, undefined))
    return `- [${title}](#${id})${inside.length > 0 ? `: ${inside.join(', ')}` : ''}`
  })
  return [
    printOrigin(document.origin),
    `# ${escapeMarkdown(title)}: access patterns and keys`,
    contents.join('\n'),
    ...sections.flatMap((section) => [
      `<a id="${section.id}"></a>`,
      `## ${section.title}`,
      markdownOf(section),
    ]),
  ]
    .join('\n\n')
    .concat('\n')
}

/** The possible targets of links; undefined allows any target. */
type Targets = ReadonlySet<string> | undefined

/** One section without its heading, for a place between markers in another file. */
export function markdownOf(section: Section, targets?: Targets): string {
  const blocks = section.blocks
    .map((block) => printBlock(block, targets))
    .filter((text) => text !== '')
  const bases = usedBases(section)
  if (bases.length > 0) {
    const legend = bases.map(
      (basis) => `<sup>${BASIS_MARKS[basis]}</sup> ${basisWords(basis, section)}`,
    )
    blocks.push(`<sub>${legend.join(' · ')}</sub>`)
  }
  return blocks.join('\n\n')
}

function printBlock(block: Block, targets: Targets): string {
  switch (block.kind) {
    case 'paragraph':
      return printLine(block.line, targets)
    case 'list':
      return block.items.map((line) => `- ${printLine(line, targets)}`).join('\n')
    case 'heading':
      return `<a id="${block.id}"></a>\n\n### ${printLine(block.line, targets)}`
    case 'facts':
      return block.rows
        .map(([label, value]) => {
          const text = value.map((line) => printLine(line, targets)).join('; ')
          return `- **${escapeMarkdown(label)}**: ${text}`
        })
        .join('\n')
    case 'table':
      return printTable(block, targets)
    case 'collection': {
      const { id, index, partition } = block.collection
      const title = `${escapeMarkdown(indexName(index))}: ${markdownCode(shownKey(partition))}`
      const rows = sampleTable(block.collection)
      return [
        `<a id="${id}"></a>`,
        `### ${title}`,
        fence('mermaid', collectionFlowchart(block.collection)),
        ...(block.readBy.length > 0 ? [printLine(block.readBy, targets)] : []),
        ...(rows === undefined ? [] : [printTable(rows, targets)]),
      ].join('\n\n')
    }
    case 'relations':
      return fence('mermaid', relationsDiagram(block))
    case 'call':
      return [
        `<a id="${block.id}"></a>`,
        `### ${escapeMarkdown(oneLine(block.title))}`,
        printLine(block.line, targets),
        fence('ts', block.code),
        `<details><summary>${block.operation}</summary>`,
        fence('json', block.request),
        '</details>',
      ].join('\n\n')
  }
}

/** Longer than any run of backticks in the text. */
function fence(language: string, text: string): string {
  const runs = text.match(/`{3,}/g) ?? []
  const marks = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)))
  return `${marks}${language}\n${text}\n${marks}`
}

function printTable({ columns, rows }: TableBlock, targets: Targets): string {
  if (rows.length === 0) return ''
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const rules = columns.map(({ align }) =>
    align === 'right' ? '--:' : align === 'center' ? ':-:' : '---',
  )
  return [
    line(columns.map(({ title }) => escapeMarkdown(title))),
    line(rules),
    ...rows.map(({ id, cells }) =>
      line(
        columns.map((_, at) => {
          const target = at === 0 && id !== undefined ? `<a id="${id}"></a>` : ''
          return target + printCell(cells[at] ?? [], targets)
        }),
      ),
    ),
  ].join('\n')
}

function printCell(cell: Cell, targets: Targets): string {
  return cell.map((line) => printLine(line, targets)).join('<br>')
}

function printLine(line: Line, targets: Targets): string {
  return line.map((inline) => printInline(inline, targets)).join('')
}

function printLink(text: string, to: string, targets: Targets): string {
  // Some programs parse the text of a link a second time, without its backslashes.
  const shown = escapeMarkdown(text)
    .replaceAll(String.raw`\[`, '&#91;')
    .replaceAll(String.raw`\]`, '&#93;')
  return targets === undefined || targets.has(to) ? `[${shown}](#${to})` : shown
}

function printInline(inline: Inline, targets: Targets): string {
  if (typeof inline === 'string') return escapeMarkdown(inline)
  switch (inline.kind) {
    case 'code':
      return markdownCode(inline.text)
    case 'key':
      return markdownCode(shownKey(inline.text))
    case 'strong':
      return `**${escapeMarkdown(oneLine(inline.text).trim())}**`
    case 'entity':
      return printLink(inline.name, elementId('entity', inline.name), targets)
    case 'link':
      return printLink(inline.text, inline.to, targets)
    case 'figure':
      return `${escapeMarkdown(inline.text)}<sup>${BASIS_MARKS[inline.basis]}</sup>`
  }
}
