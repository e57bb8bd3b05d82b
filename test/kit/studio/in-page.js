// Runs in the page before its own code: how far things move, and how they are drawn.
{
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  /** Red, green, blue and opacity. However a browser prints a color, it paints the same. */
  const channels = (color) => {
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = color
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data]
  }

  const shifts = []
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      const names = sources.map(({ node }) => {
        const element = node instanceof Element ? node : node?.parentElement
        return `${element?.tagName.toLowerCase()}.${element?.getAttribute('class') ?? ''}`
      })
      if (!hadRecentInput) shifts.push({ value, what: names.join(', ') })
    }
  }).observe({ type: 'layout-shift', buffered: true })

  /** Looks at every string in sight. */
  const faults = () => {
    const luminance = (color) =>
      [0.2126, 0.7152, 0.0722].reduce((sum, weight, at) => {
        const part = (color[at] ?? 0) / 255
        return sum + weight * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
      }, 0)
    const contrast = (one, other) => {
      const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
      return (light + 0.05) / (dark + 0.05)
    }
    const background = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const found = channels(getComputedStyle(at).backgroundColor)
        if ((found[3] ?? 0) > 250) return found
      }
      return [255, 255, 255, 255]
    }
    const meet = (one, other) => ({
      left: Math.max(one.left, other.left),
      top: Math.max(one.top, other.top),
      right: Math.min(one.right, other.right),
      bottom: Math.min(one.bottom, other.bottom),
    })
    const name = (element) =>
      `${element?.tagName.toLowerCase()}.${element?.getAttribute('class') ?? ''}`
    const clipOf = (element) => {
      let clip = { left: 0, top: 0, right: innerWidth, bottom: innerHeight }
      for (let at = element; at; at = at.parentElement) {
        if (getComputedStyle(at).overflow !== 'visible') {
          clip = meet(clip, at.getBoundingClientRect())
        }
      }
      return clip
    }
    const found = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement
      const text = node.textContent?.trim() ?? ''
      if (
        !element ||
        text === '' ||
        element.closest('.unseen, [aria-hidden="true"], svg, option')
      ) {
        continue
      }
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const clip = clipOf(element)
      for (const rectangle of range.getClientRects()) {
        const box = meet(rectangle, clip)
        if (box.right - box.left < 2 || box.bottom - box.top < 2) continue
        // Dialogs and what floats are above the rest: only what can be pointed at is seen.
        const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
        const top = document.elementFromPoint(x, y)
        if (top && (top === element || element.contains(top) || top.contains(element))) {
          found.push({ text: text.slice(0, 40), element, box })
        }
      }
    }
    const overlaps = []
    found.sort((a, b) => a.box.top - b.box.top)
    for (const [at, one] of found.entries()) {
      for (const other of found.slice(at + 1)) {
        if (other.box.top >= one.box.bottom - 2) break
        const { left, top, right, bottom } = meet(one.box, other.box)
        if (right - left > 2 && bottom - top > 3 && one.element !== other.element) {
          overlaps.push(
            `"${one.text}" (${name(one.element)}) and "${other.text}" (${name(other.element)})`,
          )
        }
      }
    }
    const faint = found.flatMap(({ text, element }) => {
      const style = getComputedStyle(element)
      const isDisabled = element.closest(':disabled') !== null
      const seen = contrast(channels(style.color), background(element))
      return isDisabled || seen >= 4.5 ? [] : [`${seen.toFixed(2)} "${text}" (${name(element)})`]
    })
    const overflows = [...document.querySelectorAll('body *')].flatMap((element) => {
      const { left, right, width } = element.getBoundingClientRect()
      if (width === 0 || !element.checkVisibility()) return []
      if (element.closest('.unseen, svg')) return []
      const clip = clipOf(element.parentElement)
      const isClipped = clip.right < innerWidth || clip.left > 0
      return !isClipped && (right > innerWidth + 1 || left < -1) ? [name(element)] : []
    })
    if (document.documentElement.scrollWidth > innerWidth) overflows.push('the page')
    return { overlaps: [...new Set(overlaps)], overflows, faint: [...new Set(faint)] }
  }

  /** The selectors that something in sight has, with where it is and how it is drawn. */
  const measure = (wanted) => {
    const names = [
      ...['fontSize', 'fontWeight', 'lineHeight'],
      ...['padding', 'gap', 'borderRadius', 'borderWidth'],
    ]
    return Object.fromEntries(
      wanted.flatMap((selector) => {
        const element = [...document.querySelectorAll(selector)].find((each) =>
          each.checkVisibility(),
        )
        if (!element) return []
        const { x, y, width, height } = element.getBoundingClientRect()
        const style = getComputedStyle(element)
        const drawn = {
          ...{ x: Math.round(x), y: Math.round(y) },
          ...{ width: Math.round(width), height: Math.round(height) },
          color: channels(style.color),
          background: channels(style.backgroundColor),
          style: Object.fromEntries(names.map((name) => [name, style[name]])),
        }
        return [[selector, drawn]]
      }),
    )
  }

  Object.assign(window, { drawn: { shifts, faults, measure } })
}
