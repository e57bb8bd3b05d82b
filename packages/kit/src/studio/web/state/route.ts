import { signal } from '@preact/signals'

export const SCREENS = [
  'tables',
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
  tables: 'Tables',
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
  /** The name in the address, if no screen has it. */
  readonly unknown?: string | undefined
  readonly parameters: ReadonlyMap<string, string>
}

let shownHash = ''
export const route = signal<Route>(readRoute())

addEventListener('hashchange', follow)

/** Goes to a screen; the browser's back button leads back. */
export function go(
  screen: Screen,
  parameters: Readonly<Record<string, string | undefined>> = {},
): void {
  location.hash = hashOf(screen, parameters)
  follow()
}

/** Changes parameters of this screen; `undefined` removes one. */
export function change(
  parameters: Readonly<Record<string, string | undefined>>,
  isStep = true,
): void {
  const { screen, parameters: now } = route.value
  const hash = hashOf(screen, { ...Object.fromEntries(now), ...parameters })
  if (isStep) location.hash = hash
  else history.replaceState(null, '', hash)
  follow()
}

export function hashOf(
  screen: Screen,
  parameters: Readonly<Record<string, string | undefined>> = {},
): string {
  // A table stays the table of all screens, until another is chosen.
  const shown = { table: tableOf(), ...parameters }
  const given = Object.entries(shown).filter(
    (each): each is [string, string] => each[1] !== undefined && each[1] !== '',
  )
  const query = new URLSearchParams(given).toString()
  return `#/${screen}${query === '' ? '' : `?${query}`}`
}

/** The table that the address names; none if it is the first. */
export function tableOf(): string | undefined {
  return route.peek().parameters.get('table')
}

/** An address of the server, with the table if it is another than the first. */
export function withTable(path: string): string {
  const table = tableOf()
  if (table === undefined) return path
  return `${path}${path.includes('?') ? '&' : '?'}table=${encodeURIComponent(table)}`
}

/**
 * Shows what the address says. The event of a changed address comes later than the next key may be
 * pressed, so that what changes the address does not wait for it.
 */
function follow(): void {
  if (location.hash !== shownHash) route.value = readRoute()
}

function readRoute(): Route {
  shownHash = location.hash
  const [, name = '', query = ''] = /^#\/([^?]*)(?:\?(.*))?$/.exec(shownHash) ?? []
  const screen = SCREENS.find((each) => each === name)
  const parameters = new Map(new URLSearchParams(query))
  if (screen || name === '') return { screen: screen ?? 'overview', parameters }
  return { screen: 'overview', unknown: name, parameters }
}
