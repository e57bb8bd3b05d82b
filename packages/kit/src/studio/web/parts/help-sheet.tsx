import type { JSX } from 'preact'
import { SHORTCUTS } from '../state/shortcuts.ts'
import { isHelpOpen } from '../state/studio-state.ts'
import { Dialog } from './dialog.tsx'

export function HelpSheet(): JSX.Element {
  return (
    <Dialog title="Shortcuts" close={() => (isHelpOpen.value = false)}>
      <dl class="facts is-compact">
        {SHORTCUTS.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
