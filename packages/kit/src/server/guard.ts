import type { KnownHeaders } from './wire-request.ts'

/** Who may talk to the server. */
export interface GuardOptions {
  /** Names in `Host`, in small letters, without a port. */
  readonly hosts: ReadonlySet<string>
  /** Whether an address instead of a name is good enough: a rebound name can't pretend to be
   * one. */
  readonly anyAddress: boolean
  /** Web origins that may use the server from a browser. */
  readonly origins: ReadonlySet<string>
}

export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

const PORT_MAX = 65_535
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/
const HOST = /^(\[[\da-f:.]+\]|[^\s:/?#@[\]\\]+)(?::(\d{1,5}))?$/i

type Verdict = 400 | 403 | undefined

/**
 * Refuses what a web page in the developer's browser could send, before the body is looked at: 400
 * for no proper `Host`, 403 for a host or origin that is not on the list. Without this any page
 * could reach a server on loopback, by a name that resolves to it.
 */
export class Guard {
  readonly origins: ReadonlySet<string>
  readonly #hosts: ReadonlySet<string>
  readonly #anyAddress: boolean
  /** Clients send the same host again and again. */
  #lastHost: string | undefined
  #lastVerdict: Verdict

  constructor(options: GuardOptions) {
    this.origins = options.origins
    this.#hosts = options.hosts
    this.#anyAddress = options.anyAddress
  }

  judge(url: string, headers: KnownHeaders): Verdict {
    const { host, hosts, origin, fetchSite } = headers
    if (hosts !== 1 || host === undefined) return 400
    // A request line may name a host itself, which then goes before the header: both must be the
    // same.
    if (url[0] !== '/' && url !== '*' && authorityOf(url) !== host) return 400
    if (host !== this.#lastHost) {
      this.#lastVerdict = this.#judgeHost(host)
      this.#lastHost = host
    }
    if (this.#lastVerdict !== undefined) return this.#lastVerdict
    if (origin !== undefined) return this.origins.has(origin) ? undefined : 403
    // Browsers leave the origin out of some requests but always say this; tools that aren't
    // browsers say neither.
    if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none') return 403
    return undefined
  }

  #judgeHost(host: string): Verdict {
    const name = nameOf(host)
    if (name === undefined) return 400
    return this.#hosts.has(name) || (this.#anyAddress && ADDRESS.test(name)) ? undefined : 403
  }
}

/** The host in small letters, without its port; `undefined` when it is none. */
function nameOf(host: string): string | undefined {
  const match = HOST.exec(host)
  if (match === null || Number(match[2] ?? 0) > PORT_MAX) return undefined
  return match[1]?.toLowerCase()
}

/** The host in a request line such as `POST http://localhost:8000/`. */
function authorityOf(url: string): string | undefined {
  return /^http:\/\/([^/?#]*)/i.exec(url)?.[1]
}
