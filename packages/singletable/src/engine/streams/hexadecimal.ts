/** Two digits for each unit of a byte string. */
export function hexadecimal(bytes: string): string {
  let text = ''
  for (let index = 0; index < bytes.length; index++) {
    text += bytes.charCodeAt(index).toString(16).padStart(2, '0')
  }
  return text
}
