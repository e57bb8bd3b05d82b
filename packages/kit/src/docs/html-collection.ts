import type { Collection } from './collections.ts'
import type { Line } from './document.ts'
import { escapeHtml } from './escape-html.ts'
import { entityHtml, type HtmlPlace, keyHtml, lineHtml } from './html-inline.ts'
import { tableHtml } from './html-table.ts'
import { indexName } from './index-name.ts'
import { sampleTable } from './sample-table.ts'

/** A partition: its key, and below it the sort keys in their order. */
export function collectionHtml(
  { collection, readBy }: { readonly collection: Collection; readonly readBy: Line },
  place: HtmlPlace,
): string {
  const { id, index, partition, hash, sort, members } = collection
  const steps = members.map(({ entity, sort: text, when }) => {
    const hue = place.colors.get(entity) ?? 0
    const name = text === undefined ? '' : `<span class="sort">${keyHtml(text)}</span>`
    const condition =
      when === undefined ? '' : `<span class="when">while ${escapeHtml(when)}</span>`
    return `<li style="--hue:${hue}">${name}<span class="who">${entityHtml(entity, place)}${condition}</span></li>`
  })
  const order = sort.length === 0 ? '' : `, ordered by <code>${escapeHtml(sort.join(' · '))}</code>`
  const rows = sampleTable(collection)
  return [
    '<figure class="collection">',
    `<figcaption><h3 id="${id}"><a href="#${id}">${keyHtml(partition)}</a></h3><span class="order">${escapeHtml(indexName(index))}: <code>${escapeHtml(hash.join(' · '))}</code>${order}</span></figcaption>`,
    `<ol>${steps.join('')}</ol>`,
    ...(readBy.length === 0 ? [] : [`<p class="readers">${lineHtml(readBy, place)}</p>`]),
    ...(rows === undefined ? [] : [`<div class="sample">${tableHtml(rows, place)}</div>`]),
    '</figure>',
  ].join('\n')
}
