import { closeSync, openSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { Failure, FailureLog } from '../migrate/failures.ts'
import { countOf } from '../text/counts.ts'
import type { CommandOutput } from './command.ts'
import type { OptionSpecification, Parameters } from './help.ts'
import { FailureError } from './usage-error.ts'

export const FAILURES: OptionSpecification = {
  name: 'failures',
  value: 'file',
  completes: 'file',
  text: "write all items that can't be migrated to this file: JSON lines with key, entity, step and reason",
}

/** Work that puts all items that can't be migrated into the file of `--failures`, if it is given. */
export async function withFailures<T>(
  given: Parameters,
  output: CommandOutput,
  work: (failures: FailureLog | undefined) => Promise<T>,
): Promise<T> {
  const file = given.text('failures')
  if (file === undefined) return work(undefined)
  const failures = new FailureFile(file, open(path.resolve(output.directory ?? '.', file), file))
  try {
    return await work(failures)
  } finally {
    failures.close()
    output.printError(`${file} has ${countOf(failures.count, 'item')}`)
  }
}

/** Lines are written one by one, so that any number of them takes no memory. */
class FailureFile implements FailureLog {
  readonly file: string
  readonly #descriptor: number
  #count = 0

  constructor(file: string, descriptor: number) {
    this.file = file
    this.#descriptor = descriptor
  }

  get count(): number {
    return this.#count
  }

  add({ key, entity, step, reason }: Failure): void {
    const line = { key, entity: entity ?? null, step: step ?? null, reason }
    writeSync(this.#descriptor, `${JSON.stringify(line)}\n`)
    this.#count++
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}

function open(place: string, file: string): number {
  try {
    return openSync(place, 'w')
  } catch (error) {
    throw new FailureError(
      `The file for --failures can't be written: ${(error as Error).message}`,
      file,
      'pass a file in a folder that exists',
    )
  }
}
