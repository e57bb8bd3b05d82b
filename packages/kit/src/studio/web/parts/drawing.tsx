import type { JSX, RefObject } from 'preact'
import type { Drawing } from '../../api/contract.ts'
import { hashOf } from '../state/route.ts'
import { hueOf } from '../state/studio-state.ts'

const HEAD_PX = 30
const ROW_PX = 20

type Line = Drawing['lines'][number]
type Box = Drawing['boxes'][number]

/** The entities and their relations; a line with a foot of three means many. */
export function DrawingView({
  drawing,
  element,
}: {
  readonly drawing: Drawing
  readonly element?: RefObject<SVGSVGElement | null>
}): JSX.Element {
  const { width, height, boxes, lines } = drawing
  return (
    <svg
      ref={element ?? null}
      class="drawing"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="group"
      aria-label="Entities and relations"
    >
      {lines.map((line, at) => (
        <path
          key={at}
          class="drawing-line"
          style={{ '--hue': hueOf(line.parent) }}
          d={pathOf(line, boxes)}
        />
      ))}
      {boxes.map((box) => (
        <a
          key={box.entity}
          href={hashOf('data', { entity: box.entity })}
          style={{ '--hue': hueOf(box.entity) }}
        >
          <rect
            class="drawing-box"
            x={box.x}
            y={box.y}
            width={box.width}
            height={box.height}
            rx={6}
          />
          <rect
            class="drawing-head"
            x={box.x}
            y={box.y}
            width={box.width}
            height={HEAD_PX}
            rx={6}
          />
          <text class="drawing-title" x={box.x + 12} y={box.y + 20}>
            {box.entity}
          </text>
          {box.attributes.map(({ name, type, isKey }, at) => {
            const y = box.y + HEAD_PX + ROW_PX * (at + 0.5) + 9
            return (
              <g key={name}>
                <text class={isKey ? 'drawing-key' : undefined} x={box.x + 12} y={y}>
                  {cut(name, 20)}
                </text>
                <text class="drawing-type" x={box.x + box.width - 12} y={y}>
                  {cut(type, 10)}
                </text>
              </g>
            )
          })}
        </a>
      ))}
      {lines.map(({ label }, at) => (
        <text key={at} class="drawing-label" x={label.x} y={label.y}>
          {label.text}
        </text>
      ))}
    </svg>
  )
}

/** Straight stretches with bends between them, and the foot at the child. */
function pathOf({ parent, child, many, stretches }: Line, boxes: readonly Box[]): string {
  const [first] = stretches
  const last = stretches.at(-1)
  if (first === undefined || last === undefined) return ''
  if (parent === child) {
    const box = boxes.find(({ entity }) => entity === parent)
    const bottom = box ? box.y + box.height : last.y
    return `M${first.from} ${bottom}V${first.y}H${first.to}V${bottom}`
  }
  const way = stretches.map(({ from, to, y }, at) => {
    const before = stretches[at - 1]
    if (before === undefined) return `M${from} ${y}H${to}`
    const middle = (before.to + from) / 2
    return `C${middle} ${before.y} ${middle} ${y} ${from} ${y}H${to}`
  })
  const back = last.to > last.from ? -1 : 1
  const tip = last.to + back * 11
  const foot = `M${tip} ${last.y}L${last.to} ${last.y - 6}M${tip} ${last.y}L${last.to} ${last.y + 6}`
  return way.join('') + (many ? foot : `M${last.to + back * 7} ${last.y - 5}v10`)
}

function cut(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, characters - 1)}…` : text
}
