/** A key as people read it: `USER#${username}` as `USER#<username>`. */
export function shownKey(text: string): string {
  return text.replaceAll(/\$\{([^}]*)\}/g, '<$1>')
}

/** A key in pieces: literals, and the names of its placeholders. */
export function keyPieces(
  text: string,
): readonly { readonly text: string; readonly isPlaceholder: boolean }[] {
  return text
    .split(/\$\{([^}]*)\}/)
    .map((piece, at) => ({ text: piece, isPlaceholder: at % 2 === 1 }))
    .filter((piece) => piece.text !== '')
}
