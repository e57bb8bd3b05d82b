import type { ComponentChildren, JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** A window over the page; Escape closes it, and the keyboard stays inside. */
export function Dialog({
  title,
  close,
  children,
}: {
  readonly title: string
  readonly close: () => void
  readonly children: ComponentChildren
}): JSX.Element {
  const element = useRef<HTMLDialogElement>(null)
  // Before the next key is pressed, which belongs to the window.
  useLayoutEffect(() => {
    element.current?.showModal()
  }, [])
  return (
    <dialog
      ref={element}
      class="dialog"
      aria-label={title}
      onClose={close}
      onClick={(event) => {
        if (event.target === element.current) close()
      }}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2>{title}</h2>
          <button type="button" class="quiet-button" aria-label="Close" onClick={close}>
            ✕
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
