import type { RelationsBlock } from './document.ts'
import { escapeHtml } from './escape-html.ts'
import { type Box, labelOf, layOutBoxes } from './lay-out-boxes.ts'
import type { Relation } from './relations.ts'

const TEXT_MAX = 22
const LABEL_MAX = 30

/** The relations as a drawing: parents on the left of what names them. */
export function drawRelations(block: RelationsBlock, colors: ReadonlyMap<string, number>): string {
  const { boxes, width, height } = layOutBoxes(block)
  const places = new Map(boxes.map((box) => [box.entity.name, box]))
  const edges = block.relations.map((relation) => drawEdge(relation, block.relations, places))
  return [
    `<svg class="relations" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Entities and relations">`,
    ...edges.map(({ line }) => line),
    ...boxes.map((box) => drawBox(box, colors.get(box.entity.name) ?? 0)),
    ...edges.map(({ label }) => label),
    '</svg>',
  ].join('\n')
}

function drawBox({ entity, x, y, width, height, rowHeight }: Box, hue: number): string {
  const rows = entity.attributes.map((attribute, at) => {
    const base = y + rowHeight * (at + 1.5) + 13
    return [
      `<text x="${x + 12}" y="${base}"${attribute.isKey ? ' class="key"' : ''}>${shortened(attribute.name, TEXT_MAX)}</text>`,
      `<text x="${x + width - 12}" y="${base}" class="type">${shortened(attribute.type, 10)}</text>`,
    ].join('')
  })
  return [
    `<g style="--hue:${hue}">`,
    `<rect class="box" x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>`,
    `<rect class="bar" x="${x}" y="${y}" width="${width}" height="4" rx="2"/>`,
    `<text class="title" x="${x + 12}" y="${y + 22}">${shortened(entity.name, TEXT_MAX)}</text>`,
    ...rows,
    '</g>',
  ].join('\n')
}

/** From the parent's side to the child's, which has a foot for many. */
function drawEdge(
  relation: Relation,
  all: readonly Relation[],
  places: ReadonlyMap<string, Box>,
): { readonly line: string; readonly label: string } {
  const from = places.get(relation.parent)
  const to = places.get(relation.child)
  if (from === undefined || to === undefined) return { line: '', label: '' }
  const start = portOf(relation, all, from, 'parent')
  const end = portOf(relation, all, to, 'child')
  const isForward = to.layer > from.layer
  const x1 = from.x + from.width
  // What points back goes around on the right, so that no line crosses a box it has nothing to do with.
  const x2 = isForward ? to.x : to.x + to.width
  const bend = isForward ? Math.max(36, (x2 - x1) / 2) : 64
  const path = `M${x1} ${start}C${x1 + bend} ${start} ${isForward ? x2 - bend : x2 + bend} ${end} ${x2} ${end}`
  const foot = footOf(relation.many, x2, end, isForward ? -1 : 1)
  const text = labelOf(relation.label, relation.average)
  const middleX = isForward ? (x1 + x2) / 2 : Math.max(x1, x2) + 50
  const middleY = (start + end) / 2 - 5
  return {
    line: `<path class="edge" d="${path}"/><path class="edge" d="M${x1 + 7} ${start - 5}v10"/>${foot}`,
    label: `<text class="label" x="${middleX}" y="${middleY}">${shortened(text, LABEL_MAX)}</text>`,
  }
}

/** Lines that end at one box share its side out among themselves. */
function portOf(
  relation: Relation,
  all: readonly Relation[],
  { entity, y, height }: Box,
  side: 'parent' | 'child',
): number {
  const sharing = all.filter((each) => each[side] === entity.name)
  const at = sharing.indexOf(relation)
  return Math.round(y + (height * (at + 1)) / (sharing.length + 1))
}

function footOf(many: boolean, x: number, y: number, direction: 1 | -1): string {
  const tip = x + direction * 11
  return many
    ? `<path class="edge" d="M${tip} ${y}L${x} ${y - 6}M${tip} ${y}L${x} ${y + 6}"/><circle class="dot" cx="${tip + direction * 4}" cy="${y}" r="3.5"/>`
    : `<circle class="dot" cx="${tip}" cy="${y}" r="3.5"/>`
}

/** Cut where a box ends; the whole text is told on hovering. */
function shortened(text: string, characters: number): string {
  const all = [...text]
  if (all.length <= characters) return escapeHtml(text)
  const cut = escapeHtml(`${all.slice(0, characters - 1).join('')}…`)
  return `<title>${escapeHtml(text)}</title>${cut}`
}
