import { seededRandom } from 'singletable/engine'

/** What a client of the SIGKILL test does: plain data, so that the parent knows what the child has
 * tried. */
export interface Operation {
  readonly id: number
  readonly client: number
  readonly kind: 'put' | 'update' | 'delete' | 'move' | 'transact' | 'batch'
  readonly steps: readonly Step[]
  /** The transaction's token. */
  readonly token?: string
}

/** One change to one item. An `update` wants the item to be there; a `set` makes it if need be. */
export interface Step {
  readonly kind: 'put' | 'update' | 'set' | 'delete'
  readonly table: TableName
  readonly sk: string
  readonly value: string
  /** The item's partition in the index. */
  readonly group: string
}

export type TableName = 'main' | 'side'

export const CLIENTS = 8
const CELLS = 12
const GROUPS = 5
const STEPS_MAX = 24

/** Operations of one client for ever; each client has items of its own, so that its operations come
 * one after the other. */
export function* operationsOf(client: number, firstId: number, seed: number): Generator<Operation> {
  const random = seededRandom(seed * CLIENTS + client)
  const below = (limit: number): number => Math.floor(random() * limit)
  for (let count = 0; ; count++) {
    const id = firstId + count * CLIENTS + client
    const step = (kind: Step['kind'], cell: number, table: TableName = 'main'): Step => ({
      kind,
      table,
      sk: `K${cell}`,
      value: `${id}.${cell}`,
      group: `G${below(GROUPS)}`,
    })
    const cells = Array.from({ length: CELLS * 2 }, (_, cell) => cell).sort(() => random() - 0.5)
    const several = (count: number, kinds: readonly Step['kind'][]): Step[] =>
      cells
        .slice(0, count)
        .map((cell) =>
          step(kinds[below(kinds.length)]!, cell % CELLS, cell < CELLS ? 'main' : 'side'),
        )
    const kind = random()
    if (kind < 0.25) yield { id, client, kind: 'put', steps: [step('put', below(CELLS))] }
    else if (kind < 0.45)
      yield { id, client, kind: 'update', steps: [step('update', below(CELLS))] }
    else if (kind < 0.55)
      yield { id, client, kind: 'delete', steps: [step('delete', below(CELLS))] }
    else if (kind < 0.65) yield { id, client, kind: 'move', steps: [step('set', below(CELLS))] }
    else if (kind < 0.9) {
      const steps = several(2 + below(STEPS_MAX - 2), ['put', 'set', 'delete'])
      yield { id, client, kind: 'transact', steps, token: `${seed}-${id}` }
    } else yield { id, client, kind: 'batch', steps: several(2 + below(8), ['put', 'delete']) }
  }
}
