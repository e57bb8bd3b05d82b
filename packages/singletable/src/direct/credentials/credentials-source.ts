import { ServiceError } from '../../wire/service-error.ts'
import {
  type Credentials,
  type CredentialsProvider,
  credentialsError,
  requireCredentials,
} from './credentials.ts'

/** Credentials end in the middle of a request otherwise, and a provider that is down for a moment
 * should not matter. */
const REFRESH_AHEAD_MS = 5 * 60_000
/** A provider that failed, or has nothing newer, is left alone for so long while there are valid
 * credentials. */
const REFRESH_PAUSE_MS = 10_000

/** Where requests get their credentials from. */
export interface CredentialsSource {
  /** The current ones; a promise only if they have to be fetched first. */
  get(): Credentials | Promise<Credentials>
  /** Others than these, which the service refused; `undefined` if there are none. */
  replace(refused: Credentials): Promise<Credentials | undefined>
}

/** Credentials that stay as they are. */
export function fixedCredentials(credentials: Credentials): CredentialsSource {
  return { get: () => credentials, replace: () => Promise.resolve(undefined) }
}

/**
 * Remembers what a provider gave until it ends. Five minutes before, others are fetched in the
 * background; while the old ones are valid a failure of that does not fail a request. The provider
 * is never asked twice at a time.
 */
export function credentialsFrom(
  provider: CredentialsProvider,
  now: () => number,
): CredentialsSource {
  let current: Credentials | undefined
  let expiresAt = Number.POSITIVE_INFINITY
  let refreshing: Promise<Credentials> | undefined
  let askedAt = Number.NEGATIVE_INFINITY

  const refresh = (forceRefresh: boolean): Promise<Credentials> => {
    refreshing ??= ask(provider, forceRefresh)
      .then((credentials) => {
        current = credentials
        expiresAt =
          credentials.expiration === undefined
            ? Number.POSITIVE_INFINITY
            : new Date(credentials.expiration).getTime()
        return credentials
      })
      .finally(() => {
        refreshing = undefined
      })
    return refreshing
  }

  return {
    get() {
      const time = now()
      if (current === undefined || time >= expiresAt) return refresh(false)
      if (time >= expiresAt - REFRESH_AHEAD_MS && time >= askedAt + REFRESH_PAUSE_MS) {
        askedAt = time
        // Nobody waits for it, and a failure shows when the old ones have ended.
        refresh(false).catch(() => undefined)
      }
      return current
    },
    async replace(refused) {
      const before = current
      // Another request may have replaced them meanwhile.
      const credentials = isSame(before, refused) ? await refresh(true) : before
      return credentials === undefined || isSame(credentials, refused) ? undefined : credentials
    },
  }
}

async function ask(provider: CredentialsProvider, forceRefresh: boolean): Promise<Credentials> {
  try {
    const options = forceRefresh ? { forceRefresh } : undefined
    return requireCredentials(await provider(options), 'The credentials provider')
  } catch (error) {
    if (error instanceof ServiceError) throw error
    const message = error instanceof Error ? error.message : String(error)
    throw credentialsError(`The credentials provider failed: ${message}`, error)
  }
}

function isSame(one: Credentials | undefined, other: Credentials): boolean {
  return (
    one !== undefined &&
    one.accessKeyId === other.accessKeyId &&
    one.secretAccessKey === other.secretAccessKey &&
    one.sessionToken === other.sessionToken
  )
}
