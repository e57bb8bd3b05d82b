import type { RelationsBlock } from './document.ts'
import { escapeHtml } from './escape-html.ts'
import { type Box, type Line, layOutRelations, ROW_HEIGHT } from './lay-out-relations.ts'

const TEXT_MAX = 22
/** A wide drawing is not made smaller than this, but scrolled, so that it stays readable. */
const SHRINK_MIN = 0.85
const HEAD_HEIGHT = 30
const RADIUS = 9

/**
 * The relations as a drawing: parents are to the left of their children, unless relations are
 * circular.
 */
export function drawRelations(block: RelationsBlock, colors: ReadonlyMap<string, number>): string {
  const { boxes, lines, width, height } = layOutRelations(block)
  return [
    `<svg class="relations" viewBox="0 0 ${width} ${height}" style="width:100%;max-width:${width}px;min-width:${Math.round(width * SHRINK_MIN)}px" role="img" aria-label="Entities and relations">`,
    ...lines.map(
      (line) =>
        `<g style="--hue:${colors.get(line.relation.parent) ?? 0}">${drawLine(line, boxes)}</g>`,
    ),
    ...boxes.map((box) => drawBox(box, colors.get(box.entity.name) ?? 0)),
    ...lines.map(({ label: { x, y, width, height, text, charactersMax } }) => {
      const base = y + height - 6
      return `<text class="label" x="${x + width / 2}" y="${base}">${shortened(text, charactersMax)}</text>`
    }),
    '</svg>',
  ].join('\n')
}

function drawBox({ entity, x, y, width, height }: Box, hue: number): string {
  const rows = entity.attributes.map((attribute, at) => {
    const base = y + HEAD_HEIGHT + ROW_HEIGHT * (at + 0.5) + 9
    return [
      `<text x="${x + 12}" y="${base}"${attribute.isKey ? ' class="key"' : ''}>${shortened(attribute.name, TEXT_MAX)}</text>`,
      `<text x="${x + width - 12}" y="${base}" class="type">${shortened(attribute.type, 10)}</text>`,
    ].join('')
  })
  return [
    `<g style="--hue:${hue}">`,
    `<rect class="box" x="${x}" y="${y}" width="${width}" height="${height}" rx="${RADIUS}"/>`,
    `<path class="head" d="M${x + 0.5} ${y + HEAD_HEIGHT}V${y + RADIUS}a${RADIUS} ${RADIUS} 0 0 1 ${RADIUS} -${RADIUS - 0.5}H${x + width - RADIUS}a${RADIUS} ${RADIUS} 0 0 1 ${RADIUS - 0.5} ${RADIUS - 0.5}V${y + HEAD_HEIGHT}z"/>`,
    `<rect class="bar" x="${x + 12}" y="${y + 11}" width="9" height="9" rx="4.5"/>`,
    `<text class="title" x="${x + 28}" y="${y + 20}">${shortened(entity.name, TEXT_MAX)}</text>`,
    ...rows,
    '</g>',
  ].join('\n')
}

/** From the parent to the child; a crow's foot means many. */
function drawLine({ relation, stretches }: Line, boxes: readonly Box[]): string {
  const [first] = stretches
  const last = stretches.at(-1)
  if (first === undefined || last === undefined) return ''
  if (relation.parent === relation.child) {
    const box = boxes.find(({ entity }) => entity.name === relation.parent)
    const bottom = box === undefined ? last.y : box.y + box.height
    const [tip, { from, to: end, y }] = [bottom + 11, first]
    const foot = `<path class="edge" d="M${end} ${tip}L${end - 6} ${bottom}M${end} ${tip}L${end + 6} ${bottom}"/>`
    return `<path class="edge" d="M${from} ${bottom}V${y - 8}C${from} ${y} ${from} ${y} ${from + 8} ${y}H${end - 8}C${end} ${y} ${end} ${y} ${end} ${y - 8}V${bottom}"/>${relation.many ? foot : ''}`
  }
  const path = stretches.map(({ from, to, y }, at) => {
    const before = stretches[at - 1]
    if (before === undefined) return `M${from} ${y}H${to}`
    const middle = (before.to + from) / 2
    return `C${middle} ${before.y} ${middle} ${y} ${from} ${y}H${to}`
  })
  const direction = last.to > last.from ? 1 : -1
  const tick = `<path class="edge" d="M${first.from + direction * 7} ${first.y - 5}v10"/>`
  return `<path class="edge" d="${path.join('')}"/>${tick}${footOf(relation.many, last.to, last.y, direction === 1 ? -1 : 1)}`
}

function footOf(many: boolean, x: number, y: number, direction: 1 | -1): string {
  const tip = x + direction * 11
  return many
    ? `<path class="edge" d="M${tip} ${y}L${x} ${y - 6}M${tip} ${y}L${x} ${y + 6}"/><circle class="dot" cx="${tip + direction * 4}" cy="${y}" r="3.5"/>`
    : `<circle class="dot" cx="${tip}" cy="${y}" r="3.5"/>`
}

/** Shortened to fit its box; the whole text is shown on hover. */
function shortened(text: string, characters: number): string {
  const all = [...text]
  if (all.length <= characters) return escapeHtml(text)
  const cut = escapeHtml(`${all.slice(0, characters - 1).join('')}…`)
  return `<title>${escapeHtml(text)}</title>${cut}`
}
