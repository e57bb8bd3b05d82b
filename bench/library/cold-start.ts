import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { median } from '../median.ts'
import { createCanned } from './canned.ts'
import { POSTS } from './model.ts'
import { COLD } from './operations.ts'

const PROGRAMS = [
  'empty',
  'raw',
  'electrodb',
  'toolbox',
  'onetable',
  'ours',
  'ours-direct',
] as const
type Program = (typeof PROGRAMS)[number]

/** Over a process that loads nothing. */
const DIRECT_MS_MAX = 30

/**
 * CPU milliseconds of a fresh process that imports a library, defines the model and gets one item;
 * each program is one minified file, as people deploy it. All but the last send through a client of
 * the SDK whose request handler answers; the direct transport has to open a real socket, to this
 * process.
 */
export async function measureColdStarts(
  rounds: number,
): Promise<Readonly<Record<Program, number>>> {
  const canned = createCanned()
  const server = createServer((_request, response) => response.end(canned.bytes('GetItem')))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const samples = new Map(PROGRAMS.map((name) => [name, [] as number[]]))
  for (let round = 0; round < rounds; round++) {
    for (const name of PROGRAMS) samples.get(name)?.push(await startOnce(name, url))
  }
  server.close()
  const empty = median(samples.get('empty') ?? [])
  const figures = [...samples].map(([name, values]) => [name, median(values) - empty])
  return { ...Object.fromEntries(figures), empty }
}

async function startOnce(name: Program, url: string): Promise<number> {
  const file = fileURLToPath(new URL(`./whole/${name}.mjs`, import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', file, COLD, url])
  const { microseconds, item } = JSON.parse(stdout)
  if (name !== 'empty' && item?.title !== POSTS[0]?.title) {
    throw new Error(`${name} got ${JSON.stringify(item)}`)
  }
  return microseconds / 1000
}

export function printColdStarts(figures: Readonly<Record<Program, number>>): string {
  const peers = Math.min(figures.electrodb, figures.toolbox, figures.onetable)
  const mark = (name: Program): string => {
    if (name === 'ours') return figures.ours >= peers ? '  ! not ahead of each peer' : ''
    if (name !== 'ours-direct') return ''
    return figures[name] > DIRECT_MS_MAX ? `  ! ceiling ${DIRECT_MS_MAX}` : ''
  }
  const lines = PROGRAMS.map(
    (name) => `${name.padEnd(16)}${figures[name].toFixed(1).padStart(10)}${mark(name)}`,
  )
  return lines.join('\n')
}
