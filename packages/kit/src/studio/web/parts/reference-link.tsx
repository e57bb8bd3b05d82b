import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import type { ReferenceView } from '../../api/contract.ts'
import { call, failureIn } from '../state/api.ts'
import { keyText } from '../state/keys.ts'
import { go } from '../state/route.ts'
import { design } from '../state/studio-state.ts'

/** A value that names another item: it leads there. */
export function ReferenceLink({
  reference: { entity, by },
  strings,
  children,
}: {
  readonly reference: ReferenceView
  /** Attributes of the item that has the value, as a form shows them. */
  readonly strings: { readonly [attribute: string]: string | undefined }
  readonly children: ComponentChildren
}): JSX.Element {
  const problem = useSignal<string | undefined>(undefined)
  const key = Object.entries(by).map(([name, own]) => [name, strings[own]] as const)
  // Where a part is missing, nothing is named.
  if (key.some(([, text]) => text === undefined)) return <>{children}</>
  const open = async (event: Event): Promise<void> => {
    event.stopPropagation()
    try {
      await openItem(entity, Object.fromEntries(key) as Record<string, string>)
    } catch (error) {
      problem.value = failureIn(error).what
    }
  }
  return (
    <button
      type="button"
      class="link"
      title={problem.value ?? `Show this ${entity}`}
      onClick={(event) => void open(event)}
    >
      {children}
    </button>
  )
}

/** Goes to the partition of an item, and shows the item. */
export async function openItem(
  entity: string,
  strings: Readonly<Record<string, string>>,
  from?: string,
): Promise<void> {
  const { key } = await call('/api/key', { entity, strings })
  const [primary] = design.value?.indexes ?? []
  const hash = primary?.hash.map((name) => keyText(key[name])) ?? []
  go('data', { index: primary?.name, pk: JSON.stringify(hash), item: JSON.stringify(key), from })
}
