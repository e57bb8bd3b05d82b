const ENTITIES: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Any text as HTML that shows just that text, also in the value of an attribute. */
export function escapeHtml(text: string): string {
  return (
    text
      .replaceAll(/\r\n?/g, '\n')
      .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
      // Signs that turn the direction of what follows could make it look like something else.
      .replaceAll(/[\u202a-\u202e\u2066-\u2069]|[^\P{Cc}\n\t]/gu, '\ufffd')
  )
}
