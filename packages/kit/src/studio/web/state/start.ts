import type { StudioEvent } from '../../api/contract.ts'
import { call } from './api.ts'
import { go } from './route.ts'
import { design, isOffline } from './studio-state.ts'

/** Exchanges the token of the address for a session, then reads the design and follows it. */
export async function start(): Promise<void> {
  const token = /^#t=(.+)$/.exec(location.hash)?.[1]
  if (token !== undefined) {
    const { design: first } = await call('/api/session', { token })
    // Nobody should find the token in the history.
    history.replaceState(null, '', '#/overview')
    go('overview')
    design.value = first
    // After the first screen: what it asks for itself comes before.
    if (first.isPartial) setTimeout(readDesign)
  } else design.value = await call('/api/design')
  const events = new EventSource('/api/events')
  events.onmessage = ({ data }: MessageEvent<string>) => {
    const event = JSON.parse(data) as StudioEvent
    if (event.kind === 'design') readDesign()
    if (event.kind === 'stopped') isOffline.value = true
  }
  events.onerror = () => {
    isOffline.value = events.readyState !== EventSource.OPEN
  }
  events.onopen = () => {
    isOffline.value = false
  }
}

function readDesign(): void {
  call('/api/design').then(
    (next) => {
      // Another table may have been opened meanwhile.
      if (design.peek()?.table === next.table) design.value = next
    },
    // The bar at the top says that nothing answers.
    () => {},
  )
}
