import { createServer } from 'node:http'
import type { TestProject } from 'vitest/node'
import { type Referee, startReferee } from './start-referee.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    refereeStarter: string
  }
}

/**
 * Serves one referee to all test files of a run. Java takes a second and much memory, so it starts
 * at the first test file that asks for it: a run of unit tests alone never pays.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let started: Promise<Referee | undefined> | undefined
  const start = (): Promise<Referee | undefined> => {
    started = startReferee()
    void started.then(
      (referee) => {
        if (!referee) console.log('referee: skipped, Java 17 or newer not found')
      },
      () => undefined,
    )
    return started
  }
  const server = createServer((_request, response) => {
    void (started ?? start()).then(
      (referee) => response.end(JSON.stringify({ port: referee?.port ?? null })),
      (error) => response.end(JSON.stringify({ error: String(error) })),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('referee: no address')
  project.provide('refereeStarter', `http://127.0.0.1:${address.port}/`)

  return async () => {
    server.close()
    server.closeAllConnections()
    const referee = await started?.catch(() => undefined)
    referee?.stop()
  }
}
