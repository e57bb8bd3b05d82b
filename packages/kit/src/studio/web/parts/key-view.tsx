import type { JSX } from 'preact'
import type { StoredItem } from '../../api/contract.ts'
import { keyText, segmentsOf, splitKey, templateText } from '../state/keys.ts'
import { visible } from '../state/format.ts'
import { entitiesByName } from '../state/studio-state.ts'

/** A stored key: what the template adds is dim, values stand out and say whose they are. */
export function KeyView({
  item,
  entity,
  index,
  names,
}: {
  readonly item: StoredItem
  readonly entity: string | null
  readonly index: string
  readonly names: readonly string[]
}): JSX.Element {
  return (
    <span class="key">
      {names.map((name, at) => {
        const segments = segmentsOf(entitiesByName.value.get(entity ?? ''), index, name)
        const text = keyText(item[name])
        const title = segments ? `${name}: ${templateText(segments)}` : name
        return (
          <span key={name} title={title}>
            {at > 0 && <span class="key-text"> · </span>}
            {splitKey(text, segments).map((piece, position) => (
              <span
                key={position}
                class={piece.attribute === undefined && segments ? 'key-text' : 'key-value'}
                title={piece.attribute === undefined ? title : `${piece.attribute} in ${title}`}
              >
                {visible(piece.text)}
              </span>
            ))}
          </span>
        )
      })}
    </span>
  )
}
