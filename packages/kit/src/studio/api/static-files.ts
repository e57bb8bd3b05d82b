import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export interface StaticFile {
  readonly body: Uint8Array<ArrayBuffer>
  readonly headers: { readonly 'content-type': string; readonly 'cache-control': string }
}

/** The files of the page, read once: no path of a request ever reaches the file system. */
export interface StaticFiles {
  find(requestPath: string): StaticFile | undefined
}

const TYPES: { readonly [ending: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

export function readStaticFiles(folder: string): StaticFiles {
  const files = new Map<string, StaticFile>()
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const type = TYPES[path.extname(name)]
    if (type === undefined) continue
    const body = new Uint8Array(readFileSync(path.join(folder, name)))
    files.set(`/${name.split(path.sep).join('/')}`, {
      body,
      headers: {
        'content-type': type,
        // The name of an asset changes with its contents, so that it can be kept.
        'cache-control': name.includes('assets') ? 'max-age=31536000, immutable' : 'no-store',
      },
    })
  }
  return {
    // The page keeps its state in the fragment, so that there is one address for all of it.
    find: (requestPath) => files.get(requestPath === '/' ? '/index.html' : requestPath),
  }
}
