import { signal } from '@preact/signals'

export const SCREENS = [
  'overview',
  'data',
  'patterns',
  'query',
  'design',
  'lint',
  'heat',
  'stream',
  'migrate',
  'transfer',
] as const
export type Screen = (typeof SCREENS)[number]

export const TITLES: { readonly [screen in Screen]: string } = {
  overview: 'Overview',
  data: 'Data',
  patterns: 'Patterns',
  query: 'Query',
  design: 'Design',
  lint: 'Lint',
  heat: 'Heat',
  stream: 'Stream',
  migrate: 'Migrations',
  transfer: 'Import, export',
}

/** Where the page is: everything that somebody may want to send to a colleague. */
export interface Route {
  readonly screen: Screen
  readonly parameters: ReadonlyMap<string, string>
}

export const route = signal<Route>(readRoute())

addEventListener('hashchange', () => {
  route.value = readRoute()
})

/** Goes to a screen; the browser's back button leads back. */
export function go(
  screen: Screen,
  parameters: Readonly<Record<string, string | undefined>> = {},
): void {
  location.hash = hashOf(screen, parameters)
}

/** Changes parameters of this screen; `undefined` removes one. */
export function change(
  parameters: Readonly<Record<string, string | undefined>>,
  isStep = true,
): void {
  const { screen, parameters: now } = route.value
  const hash = hashOf(screen, { ...Object.fromEntries(now), ...parameters })
  if (isStep) location.hash = hash
  else {
    history.replaceState(null, '', hash)
    route.value = readRoute()
  }
}

export function hashOf(
  screen: Screen,
  parameters: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries(parameters).filter(
    (each): each is [string, string] => each[1] !== undefined && each[1] !== '',
  )
  const query = new URLSearchParams(given).toString()
  return `#/${screen}${query === '' ? '' : `?${query}`}`
}

function readRoute(): Route {
  const [, name = '', query = ''] = /^#\/(\w*)(?:\?(.*))?$/.exec(location.hash) ?? []
  const screen = SCREENS.find((each) => each === name) ?? 'overview'
  return { screen, parameters: new Map(new URLSearchParams(query)) }
}
