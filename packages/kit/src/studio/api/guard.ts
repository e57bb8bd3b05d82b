import { timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { SECURITY_HEADERS } from './security-headers.ts'
import { createToken } from './token.ts'

const FAILURES_MAX = 10
const FAILURE_WINDOW_MS = 60_000
/** A request with it is never a simple one, so that a browser asks before it sends it elsewhere. */
export const STUDIO_HEADER = 'x-singletable-studio'

const GETS = ['/api/events', '/api/stream', '/api/export']

/** Keeps everybody out but the page that this process opened. */
export class Guard {
  /** For the address that is printed: behind the `#`, which browsers send to nobody. */
  readonly token: string
  readonly #session: string = createToken()
  readonly #hosts: () => ReadonlySet<string>
  #failures: number[] = []

  /** `hosts` are the names, with port, by which the server is meant. */
  constructor(hosts: () => ReadonlySet<string>, token: string = createToken()) {
    this.#hosts = hosts
    this.token = token
  }

  /** For every request, of files as well: another host name is a page that was rebound to us. */
  get everywhere(): MiddlewareHandler {
    return async (context, next) => {
      const host = context.req.header('host') ?? ''
      if (!this.#hosts().has(host.toLowerCase())) {
        return this.#refuse(context, 421, 'HOST_REFUSED', 'This host name is not served.')
      }
      await next()
      for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
        context.res.headers.set(name, value)
      }
      return undefined
    }
  }

  /** For the API: only our own page, with its session. */
  get api(): MiddlewareHandler {
    return async (context, next) => {
      const origin = context.req.header('origin')
      const site = context.req.header('sec-fetch-site')
      const isForeign =
        (origin !== undefined && !this.#isOurOrigin(origin)) ||
        (site !== undefined && site !== 'same-origin')
      if (isForeign) {
        return this.#refuse(context, 403, 'ORIGIN_REFUSED', 'Only the studio itself is answered.')
      }
      const { method, path } = context.req
      if (
        method === 'POST' &&
        !/^application\/json\b/i.test(context.req.header('content-type') ?? '')
      ) {
        return this.#refuse(context, 415, 'TYPE_REFUSED', 'Only JSON is accepted.')
      }
      // A browser asks for these by itself, and gives them no header. All of them only read.
      const isAsked = method === 'GET' && GETS.includes(path)
      if (!isAsked && context.req.header(STUDIO_HEADER) === undefined) {
        return this.#refuse(context, 403, 'ORIGIN_REFUSED', 'Only the studio itself is answered.')
      }
      if (path === '/api/session') return next()
      if (!isEqual(getCookie(context, this.#cookie(context)) ?? '', this.#session)) {
        return this.#refuse(context, 401, 'SESSION_MISSING', 'This page has no session.')
      }
      return next()
    }
  }

  /** Gives the session to who has the token; false after a wrong one, undefined after too many. */
  enter(context: Context, token: string): boolean | undefined {
    const now = Date.now()
    this.#failures = this.#failures.filter((at) => now - at < FAILURE_WINDOW_MS)
    if (this.#failures.length >= FAILURES_MAX) return undefined
    if (!isEqual(token, this.token)) {
      this.#failures.push(now)
      return false
    }
    setCookie(context, this.#cookie(context), this.#session, {
      httpOnly: true,
      sameSite: 'Strict',
      path: '/',
    })
    return true
  }

  /** Cookies are shared by all ports of a host, so that each studio needs its own. */
  #cookie(context: Context): string {
    const port = /:(\d+)$/.exec(context.req.header('host') ?? '')?.[1] ?? '80'
    return `singletable-studio-${port}`
  }

  #isOurOrigin(origin: string): boolean {
    return [...this.#hosts()].some((host) => origin === `http://${host}`)
  }

  #refuse(context: Context, status: 401 | 403 | 415 | 421, code: string, what: string): Response {
    const fix = 'open the address that singletable studio printed'
    const response = context.json({ failure: { code, what, where: null, fix } }, status)
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.headers.set(name, value)
    return response
  }
}

/** Takes the same time wherever two strings of the same length differ. */
function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
