import { median } from '../median.ts'
import { measureColdStarts, printColdStarts } from './cold-start.ts'
import { measureCursor, printCursor } from './cursor-cost.ts'
import { LIBRARIES, type LibraryName, OPERATIONS, type Operation, SETTINGS } from './operations.ts'
import { type Figures, printRows, rowsOf } from './report.ts'
import { startWorker, type WorkerProcess } from './worker-process.ts'

/**
 * CPU microseconds per call of single-table libraries, first alone, then through a client of the
 * SDK. Each library has a process of its own, so that none spoils the compiled code of another;
 * they take turns, so that what else the machine does strikes all alike.
 */
const quick = process.argv.includes('--quick')
const json = process.argv.includes('--json')
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice(7)
const isWanted = (part: string): boolean => only === undefined || only === part
const WARM_UP = { rounds: quick ? 3 : 5, milliseconds: quick ? 80 : 180 }
const MEASURED = { rounds: quick ? 3 : 7, milliseconds: quick ? 40 : 100 }

const HEADINGS = {
  alone: 'Library alone: the client answers at once with a ready response.',
  sdk: 'Through the SDK: a real DynamoDBClient whose request handler answers at once with the same bytes.',
} as const

const report: Record<string, unknown> = {}
if (!json && isWanted('calls')) {
  console.log(`CPU µs per call, median of ${MEASURED.rounds} rounds in turn, one process a library`)
}
for (const setting of isWanted('calls') ? SETTINGS : []) {
  const workers: WorkerProcess[] = []
  const skipped: Partial<Record<LibraryName, string>> = {}
  for (const name of LIBRARIES) {
    try {
      workers.push(await startWorker(name, setting))
    } catch (error) {
      skipped[name] = error instanceof Error ? error.message : String(error)
      console.error(`skipped ${name} (${setting}): ${skipped[name]}`)
    }
  }
  const rows = rowsOf(setting, await measure(workers))
  for (const worker of workers) await worker.stop()
  report[setting] = { rows, skipped }
  if (!json) console.log(`\n${HEADINGS[setting]}\n${printRows(setting, rows)}`)
}
if (isWanted('cursor')) {
  const cursor = await measureCursor(quick ? 25 : 100)
  report.cursor = cursor
  if (!json) {
    console.log(
      '\nCursor: CPU µs of a page of 25 items in ours, and how much more than without one.',
    )
    console.log(printCursor(cursor))
  }
}
if (isWanted('cold')) {
  const coldStarts = await measureColdStarts(quick ? 5 : 15)
  report.coldStarts = coldStarts
  if (!json) {
    console.log(
      '\nCold start: CPU ms of a fresh process with one call, over one that loads nothing.',
    )
    console.log(printColdStarts(coldStarts))
  }
}
if (json) console.log(JSON.stringify(report, null, 2))

async function measure(workers: readonly WorkerProcess[]): Promise<Figures> {
  const samples = new Map(
    workers.map(({ name }) => [name, new Map<Operation, number[]>()] as const),
  )
  for (let round = -WARM_UP.rounds; round < MEASURED.rounds; round++) {
    const { milliseconds } = round < 0 ? WARM_UP : MEASURED
    for (const { name: operation } of OPERATIONS) {
      for (const worker of workers) {
        const microseconds = await worker.round(operation, milliseconds)
        if (round < 0) continue
        const ofWorker = samples.get(worker.name)
        ofWorker?.set(operation, [...(ofWorker.get(operation) ?? []), microseconds])
      }
    }
  }
  return new Map(
    [...samples].map(([name, operations]) => [
      name,
      new Map([...operations].map(([operation, values]) => [operation, median(values)])),
    ]),
  )
}
