import {
  LIBRARIES,
  type LibraryName,
  OPERATIONS,
  type Operation,
  type Setting,
} from './operations.ts'

/** CPU microseconds per call. */
export type Figures = ReadonlyMap<LibraryName, ReadonlyMap<Operation, number>>

export interface Row {
  readonly operation: Operation
  readonly microseconds: Partial<Record<LibraryName, number>>
  /** Alone: ours to the best peer. Through the SDK: each to the bare DocumentClient. */
  readonly ratios: Partial<Record<LibraryName, number>>
  readonly ceiling: number
}

const PEERS = LIBRARIES.filter((name) => name !== 'raw' && name !== 'ours')
const TITLES: Readonly<Record<LibraryName, string>> = {
  raw: 'DocumentClient',
  electrodb: 'ElectroDB',
  toolbox: 'toolbox',
  onetable: 'OneTable',
  ours: 'ours',
}

export function rowsOf(setting: Setting, figures: Figures): Row[] {
  return OPERATIONS.map(({ name, ceilingAlone, ceilingSdk }) => {
    const measured = [...figures].map(([library, costs]) => [library, costs.get(name)] as const)
    const microseconds: Row['microseconds'] = Object.fromEntries(measured)
    const best = Math.min(...PEERS.map((peer) => microseconds[peer] ?? Number.POSITIVE_INFINITY))
    const ratios =
      setting === 'alone'
        ? ratiosTo(best, microseconds, ['ours'])
        : ratiosTo(microseconds.raw ?? Number.NaN, microseconds, [...PEERS, 'ours'])
    const ceiling = setting === 'alone' ? ceilingAlone : ceilingSdk
    return { operation: name, microseconds, ratios, ceiling }
  })
}

/** The table of figures, and next to it the ratios that count. A ratio of ours above its ceiling
 * has an exclamation mark. */
export function printRows(setting: Setting, rows: readonly Row[]): string {
  const libraries = LIBRARIES.filter((name) => rows[0]?.microseconds[name] !== undefined)
  const compared = LIBRARIES.filter((name) => rows[0]?.ratios[name] !== undefined)
  const against = setting === 'alone' ? 'best peer' : 'DC'
  const head = [
    ...libraries.map((name) => TITLES[name]),
    ...compared.map((name) => `${TITLES[name]}÷${against}`),
    ...(compared.length === 0 ? [] : ['ceiling']),
  ]
  const lines = rows.map(({ operation, microseconds, ratios, ceiling }) => [
    operation,
    ...libraries.map((name) => microseconds[name]?.toFixed(1) ?? ''),
    ...compared.map((name) => {
      const ratio = ratios[name] ?? Number.NaN
      return `${name === 'ours' && ratio > ceiling ? '! ' : ''}${ratio.toFixed(2)}`
    }),
    ...(compared.length === 0 ? [] : [ceiling.toFixed(2)]),
  ])
  return [['', ...head], ...lines].map(line).join('\n')
}

function ratiosTo(
  base: number,
  microseconds: Row['microseconds'],
  names: readonly LibraryName[],
): Row['ratios'] {
  const present = names.filter((name) => microseconds[name] !== undefined)
  return Object.fromEntries(present.map((name) => [name, (microseconds[name] ?? 0) / base]))
}

function line(cells: readonly string[]): string {
  return cells
    .map((cell, column) => (column === 0 ? cell.padEnd(16) : cell.padStart(16)))
    .join('')
    .trimEnd()
}
