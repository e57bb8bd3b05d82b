const ENTITIES: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes any string for HTML, also for the value of an attribute. */
export function escapeHtml(text: string): string {
  return (
    text
      .replaceAll(/\r\n?/g, '\n')
      .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
      // Characters that change the direction of text could make it look different.
      .replaceAll(/[\u202a-\u202e\u2066-\u2069]|[^\P{Cc}\n\t]/gu, '\ufffd')
  )
}
