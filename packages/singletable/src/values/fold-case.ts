/** The version of Unicode whose characters are folded; it is written into what is made of folded
 * text. */
export const FOLDING_VERSION = '14.0'

/**
 * The characters of that version that have case, decompose or combine, as ranges: the distance from
 * the end of the last range, and after a dot the length, in base 36. Characters between them are in
 * a range only if they were assigned as well.
 */
const RANGES =
  '1n.n0 4.4 6.5 2 2.j 2.b0 2.11 b.12 a.1i 9.q 8 u.65 10.1l 4h.8 a.1c 18.2 1p.5j 1u.1 d d.2 9 ' +
  '4.2 a 5.1 2 v o.6 f 7.1 3 2 4 h c.2 3 2m h 2c.1 q.2 9.1 3.2 9.1 5.1 1h.2 16 8.1 3.3 a 2t a.2 ' +
  '5 8.1 2u.6 4.2 2.3 8.1 2t.3 8.1 3.3 a 37 5 a.6 2h.2 e.3 31.2 e.3 25.17 9.t 8.y 9.t d 2n.4g 2 ' +
  '6 3.8f 9q.2 1t.2d 3.5 lz.1 v 4e.b 5o 40.2 64.1 20.s 3 1d.u 1j.1r 13.8 1j.21 1w 21.8 8.16 3.2 ' +
  'h.15 3k.bg 3.5 3.11 3.5 3.7 2 2 2 2.u 3.1g 2.e 2.d 3.5 2.i 3.2 2.8 2.3 5p.w 1i.2m c.be ' +
  'b0.17r 83.6r d.11 2 6 2a 2p.v eh.13 n.26 5.2t ps.l4u 1b8.4x 1d.4o 6.1 5.3 s.1j 48 s.37 2o.d ' +
  '6o.h 1h 2l t.3h j.8mb 6l9.a5 3.2x 13.6 d.4 6.p 2.4 2 2.1 2.1 2.8 k2.f 6q.1l ir 6b 46.4 3q.27 ' +
  '2p.z 5.z 39.a 2.e 2.6 2.1 2.a 2.e 2.6 2.1 up.2 15.2 5 4m.1 be.1e e.1e 1e.3 as.1 4a.a 1e.3 5d ' +
  '16 f.1n 1y.1g 1r 25.a 2z.1 4z.1 29.3 9 4.2 a f.6 4.4 5q.4 o 2a.j 6k 9.8 3j 3b.1 38 7i.1 ' +
  '2u.1r 29.5 3 5.6 4d 2c.j 2a bq 77.3 2a fa1.4 1o.6 lm.1r a9.1 f59 43d.2x 3m.2 2po.6 2.g 3.6 ' +
  '2.1 2.4 7a.6 ag 1q.3 15t.6 16.22 4pk.wke g74.f1'

/** Has no capital of its own: that of `i` would make the two equal, which they are in Turkish
 * neither. */
const DOTLESS_I = '\u0131'

let pattern: RegExp | undefined

/**
 * The text without differences of case: Unicode's full case folding, in form NFC (canonical
 * caseless matching, D145). Characters of later versions of Unicode stay as they are, so that every
 * version of Node gives the same; of the others, the standard promises that neither case nor form
 * will change.
 *
 * @example
 * foldCase('STRASSE') === foldCase('stra\u00dfe') // => true
 */
export function foldCase(text: string): string {
  pattern ??= new RegExp(`[${readRanges()}]+`, 'gu')
  return text.replace(pattern, foldKnown)
}

function foldKnown(text: string): string {
  let folded = ''
  for (const character of text.normalize('NFD')) {
    // Small letters alone keep apart what has one capital, such as the two small sigmas, and
    // capitals alone what has one small letter.
    folded +=
      character === DOTLESS_I ? character : character.toLowerCase().toUpperCase().toLowerCase()
  }
  return folded.normalize('NFC')
}

function readRanges(): string {
  let end = 0
  let ranges = ''
  for (const range of RANGES.split(' ')) {
    const [distance = '', length = '0'] = range.split('.')
    const start = end + Number.parseInt(distance, 36)
    end = start + Number.parseInt(length, 36)
    ranges += `\\u{${start.toString(16)}}-\\u{${end.toString(16)}}`
  }
  return ranges
}
