/** Two digits for each unit of a byte string. */
export function hexadecimal(bytes: string): string {
  let text = ''
  for (let index = 0; index < bytes.length; index++) {
    text += bytes.charCodeAt(index).toString(16).padStart(2, '0')
  }
  return text
}

/** So many random digits, a multiple of eight. */
export function randomHexadecimal(random: () => number, digits: number): string {
  let text = ''
  while (text.length < digits) {
    text += Math.floor(random() * 4_294_967_296)
      .toString(16)
      .padStart(8, '0')
  }
  return text
}
