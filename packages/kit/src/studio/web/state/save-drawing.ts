import { saveFile } from './save-file.ts'

/** What a drawing takes from the styles of the page, and needs outside of it. */
const STYLES = ['fill', 'stroke', 'stroke-width', 'font-size', 'font-weight', 'text-anchor']
const FONT = 'system-ui, sans-serif'
/** Sharp on screens with two pixels for one. */
const PNG_SCALE = 2

/** A drawing that any program shows. */
export interface Picture {
  readonly svg: string
  readonly width: number
  readonly height: number
}

/** A drawing of the page with its colours. */
export function pictureOf(drawing: SVGSVGElement): Picture {
  const { width, height } = drawing
  return { svg: standalone(drawing), width: width.baseVal.value, height: height.baseVal.value }
}

export function saveSvg({ svg }: Picture, name: string): void {
  saveFile(`${name}.svg`, [svg], 'image/svg+xml')
}

/** The same as pixels. */
export async function savePng({ svg, width, height }: Picture, name: string): Promise<void> {
  const image = new Image()
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = width * PNG_SCALE
  canvas.height = height * PNG_SCALE
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png')
  })
  if (blob) saveFile(`${name}.png`, [blob], 'image/png')
}

function standalone(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement
  const paper = getComputedStyle(document.body).backgroundColor
  const copies = [...copy.querySelectorAll('*')]
  for (const [at, element] of [...drawing.querySelectorAll('*')].entries()) {
    const style = getComputedStyle(element)
    const target = copies[at]
    target?.removeAttribute('class')
    target?.removeAttribute('style')
    target?.removeAttribute('href')
    if (!element.matches('rect, path, text')) continue
    for (const name of STYLES) {
      const value = style.getPropertyValue(name)
      target?.setAttribute(name, /^(fill|stroke)$/.test(name) ? plainColour(value) : value)
    }
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('font-family', FONT)
  const back = document.createElementNS('http://www.w3.org/2000/svg', 'rect')
  back.setAttribute('width', '100%')
  back.setAttribute('height', '100%')
  back.setAttribute('fill', plainColour(paper))
  copy.prepend(back)
  return new XMLSerializer().serializeToString(copy)
}

/** A colour as every program knows it; the page has some that only browsers do. */
export function plainColour(colour: string): string {
  if (colour === 'none') return colour
  const canvas = document.createElement('canvas')
  canvas.width = 1
  canvas.height = 1
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context === null) return colour
  context.fillStyle = colour
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  return `#${[red, green, blue].map((each) => each.toString(16).padStart(2, '0')).join('')}`
}
