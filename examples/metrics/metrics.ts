import type { Table } from 'singletable'
import type { metricsSchema } from './schema.ts'

const DAY_MS = 86_400_000

/** The access patterns of the measurements. */
export function createMetrics(table: Table<typeof metricsSchema>) {
  const { Reading, Latest } = table.entities

  return {
    /** All readings of one moment. */
    async record(at: Date, cpuByServer: ReadonlyMap<string, number>): Promise<void> {
      const readings = Array.from(cpuByServer, ([server, cpu]) => ({ server, at, cpu }))
      const expiresAt = new Date(at.getTime() + DAY_MS)
      await table.batchWrite(
        readings.flatMap((reading) => [
          Reading.put({ ...reading, expiresAt }),
          Latest.put(reading),
        ]),
      )
    },

    /** Of all servers: shards are merged by time, hours follow each other. */
    between: (from: Date, to: Date) =>
      Reading.query().where((attr, op) => op.between(attr.at, from, to)),

    /** The newest first, as many as are asked for: hours are read as they are needed. */
    newest: (count: number) => Reading.query().useIndex('primary').order('desc').limit(count),

    ofServer: (server: string, from: Date, to: Date) =>
      Reading.query({ server })
        .where((attr, op) => op.between(attr.at, from, to))
        .useIndex('byServer'),

    /** A page, and where the next one begins: one cursor for all shards and hours. */
    page: (from: Date, to: Date, count: number, cursor?: string) =>
      Reading.query()
        .where((attr, op) => op.between(attr.at, from, to))
        .limit(count)
        .cursor(cursor)
        .page(),

    current: () => Latest.query().useIndex('primary'),
  }
}
