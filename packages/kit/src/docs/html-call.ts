import type { CallBlock } from './document.ts'
import { escapeHtml } from './escape-html.ts'
import { type HtmlPlace, lineHtml } from './html-inline.ts'

/** A call and its request next to each other, collapsed at first. */
export function callHtml(
  { id, title, line, code, operation, request }: CallBlock,
  place: HtmlPlace,
): string {
  return `<details class="call" id="${id}"><summary><strong>${escapeHtml(title)}</strong><span class="operation">${escapeHtml(operation)}</span></summary>
<p>${lineHtml(line, place)}</p>
<div class="codes">${codeHtml('TypeScript', code)}${codeHtml(`${operation} request`, request)}</div></details>`
}

function codeHtml(title: string, text: string): string {
  return `<figure class="code"><figcaption>${escapeHtml(title)}</figcaption><pre class="scroll" tabindex="0" aria-label="${escapeHtml(title)}">${colored(text)}</pre></figure>`
}

/** Names of members, other strings, and keywords. */
const TOKEN =
  /(?<name>"(?:[^"\\]|\\.)*"(?=:)|\b\w+(?=: ))|(?<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?<word>\b(?:const|await|new|true|false|null)\b)/g

function colored(text: string): string {
  let html = ''
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? []
    html += `${escapeHtml(text.slice(end, match.index))}<span class="${kind}">${escapeHtml(match[0])}</span>`
    end = match.index + match[0].length
  }
  return html + escapeHtml(text.slice(end))
}
