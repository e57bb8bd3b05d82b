// Evaluated inside of the page, which has no other scripts. It is JavaScript, because nothing else
// here knows the types of a browser.
globalThis.pageMeasures = {
  /**
   * Text with less contrast to what is behind it than asked for, as WCAG computes it. The browser
   * itself resolves colours.
   */
  faintLabels(minimum) {
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = 1
    const context = canvas.getContext('2d', { willReadFrequently: true })
    const rgba = (color) => {
      context.clearRect(0, 0, 1, 1)
      context.fillStyle = color
      context.fillRect(0, 0, 1, 1)
      return [...context.getImageData(0, 0, 1, 1).data]
    }
    const over = (front, back) => {
      const alpha = (front[3] ?? 255) / 255
      return [0, 1, 2].map((at) => (front[at] ?? 0) * alpha + (back[at] ?? 0) * (1 - alpha))
    }
    const backgroundOf = (element) => {
      if (element === null) return rgba(getComputedStyle(document.body).backgroundColor)
      // Text of a drawing is on its boxes or, with a rim of the page's colour, on the page.
      const box = element.closest('g')?.querySelector('.box')
      if (box) return rgba(getComputedStyle(box).fill)
      const color = rgba(getComputedStyle(element).backgroundColor)
      return color[3] === 255 ? color : over(color, backgroundOf(element.parentElement))
    }
    const luminance = (color) => {
      const [red = 0, green = 0, blue = 0] = color.map((channel) => {
        const part = channel / 255
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const faint = []
    for (const element of document.querySelectorAll('body *')) {
      const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
      const text = own
        .map((node) => node.textContent ?? '')
        .join('')
        .trim()
      if (text === '' || element.tagName === 'title') continue
      const style = getComputedStyle(element)
      const background = backgroundOf(element)
      const color = element instanceof SVGElement ? style.fill : style.color
      const [a, b] = [luminance(over(rgba(color), background)), luminance(background)]
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
      if (contrast >= minimum) continue
      faint.push({ text: text.slice(0, 40), color, background: background.join(), contrast })
    }
    return faint
  },

  /** Elements outside of what scrolls by itself that reach beyond the window. */
  overflowing() {
    const width = document.documentElement.clientWidth
    const wide = [...document.querySelectorAll('body *')].filter((element) => {
      const { right } = element.getBoundingClientRect()
      return right > width + 1 && element.parentElement?.closest('.scroll') === null
    })
    const found = wide.map((element) => `${element.tagName}: ${element.textContent?.slice(0, 40)}`)
    const { scrollWidth } = document.documentElement
    return scrollWidth > width ? [`page is ${scrollWidth} of ${width} wide`, ...found] : found
  },

  /** Links to places of the page that are not there, and places that are there twice. */
  brokenTargets() {
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
    const targets = [...document.querySelectorAll('a')].map((link) => link.getAttribute('href'))
    return [
      ...targets.filter((href) => !href?.startsWith('#') || !ids.includes(href.slice(1))),
      ...ids.filter((id, at) => ids.indexOf(id) !== at),
    ].map(String)
  },

  /**
   * Where the large parts of the page are and what is in them; nothing that depends on the fonts of
   * a machine.
   */
  layoutOf() {
    const place = (element) => {
      const { left, width } = element.getBoundingClientRect()
      return `from ${Math.round(left)}, ${Math.round(width)} wide`
    }
    const count = (element, selector, name) => {
      const found = element.querySelectorAll(selector).length
      return found === 0 ? '' : `, ${found} ${name}`
    }
    const lines = ['header', 'nav', 'main'].map((name) => {
      const element = document.querySelector(name)
      return `${name}: ${element ? place(element) : 'missing'}`
    })
    for (const section of document.querySelectorAll('main > section')) {
      lines.push(
        `  ${section.id}: ${place(section)}${count(section, 'table', 'tables')}${count(section, 'tbody tr', 'rows')}${count(section, '.collection > ol > li', 'sort keys')}${count(section, '.facts > div', 'facts')}${count(section, 'svg .box', 'boxes')}${count(section, 'svg .label', 'relations')}`,
      )
    }
    return lines.join('\n')
  },

  /** Text of the drawing that leaves its box, and labels that touch one. */
  misplacedLabels() {
    const boxes = [...document.querySelectorAll('svg g')].map((group) => ({
      group,
      box: group.querySelector('.box')?.getBoundingClientRect(),
    }))
    const leaving = boxes.flatMap(({ group, box }) =>
      [...group.querySelectorAll('text')]
        .filter((text) => {
          const { left, right, top, bottom } = text.getBoundingClientRect()
          return (
            box && (left < box.left || right > box.right || top < box.top || bottom > box.bottom)
          )
        })
        .map((text) => `${text.textContent} leaves its box`),
    )
    const colliding = [...document.querySelectorAll('svg .label')].filter((label) => {
      const { left, right, top, bottom } = label.getBoundingClientRect()
      return boxes.some(
        ({ box }) =>
          box && left < box.right && right > box.left && top < box.bottom && bottom > box.top,
      )
    })
    return [...leaving, ...colliding.map((label) => `${label.textContent} touches a box`)]
  },

  /**
   * Lines of the drawing that go through a box or a label, and labels and boxes that are on each
   * other.
   */
  crossedPlaces() {
    const drawing = document.querySelector('svg.relations')
    const places = [...drawing.querySelectorAll('.box, .label')].map((element) => ({
      element,
      name: element.parentElement.querySelector('.title')?.textContent ?? element.textContent,
      // In the drawing's own units, whatever the size it is shown in.
      box: element.getBBox(),
    }))
    const met = places.flatMap((place, at) =>
      places
        .slice(at + 1)
        .filter(
          ({ box: { x, y, width, height } }) =>
            x < place.box.x + place.box.width - 1 &&
            place.box.x < x + width - 1 &&
            y < place.box.y + place.box.height - 1 &&
            place.box.y < y + height - 1,
        )
        .map(({ name }) => `${place.name} is on ${name}`),
    )
    const crossed = [...drawing.querySelectorAll('.edge')].flatMap((edge, line) => {
      const length = edge.getTotalLength()
      const found = new Set()
      for (let at = 0; at <= length; at += 3) {
        const point = edge.getPointAtLength(at)
        for (const { name, box } of places) {
          const isInside =
            point.x > box.x + 1 &&
            point.x < box.x + box.width - 1 &&
            point.y > box.y + 1 &&
            point.y < box.y + box.height - 3
          if (isInside) found.add(`line ${line} goes through ${name}`)
        }
      }
      return [...found]
    })
    return [...met, ...crossed]
  },

  /** Moves what scrolls by itself, and says how far it went and whether the keyboard reaches it. */
  scrolled() {
    const wide = [...document.querySelectorAll('.scroll')].filter(
      (element) => element.scrollWidth > element.clientWidth,
    )
    return wide.map((element) => {
      element.scrollLeft = 50
      return { left: element.scrollLeft, focus: element.tabIndex }
    })
  },
}
