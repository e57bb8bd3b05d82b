import { ServiceError } from '../../wire/service-error.ts'

/** Who signs. The shape is that of the AWS SDK. */
export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Comes with temporary credentials. */
  readonly sessionToken?: string | undefined
  /** When they end; never if absent. */
  readonly expiration?: Date | undefined
}

/** Returns credentials, new ones when asked again. Every provider of the AWS SDK is one. */
export type CredentialsProvider = (options?: {
  /** Asks a provider that remembers its last answer for another one. */
  readonly forceRefresh?: boolean
}) => Promise<Credentials>

/** The name under which the SDK reports missing credentials; a table makes `ACCESS_DENIED` of
 * it. */
export function credentialsError(message: string, cause?: unknown): ServiceError {
  const error = new ServiceError('CredentialsProviderError', message)
  if (cause !== undefined) error.cause = cause
  return error
}

/** The same credentials if they can be used, otherwise an error that says what is wrong without
 * showing them. */
export function requireCredentials(credentials: unknown, from: string): Credentials {
  const { accessKeyId, secretAccessKey, sessionToken, expiration } = Object(
    credentials,
  ) as Partial<Credentials>
  const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
  if (!isText(accessKeyId) || !isText(secretAccessKey)) {
    throw credentialsError(`${from} gave no accessKeyId and secretAccessKey.`)
  }
  // A line break in a header would end it.
  for (const [name, value] of Object.entries({ accessKeyId, sessionToken })) {
    if (value !== undefined && (typeof value !== 'string' || !/^[\x20-\x7e]*$/.test(value))) {
      throw credentialsError(`${from} gave a ${name} with characters that a header can't have.`)
    }
  }
  if (expiration !== undefined && !Number.isFinite(new Date(expiration).getTime())) {
    throw credentialsError(`${from} gave an expiration that is not a date.`)
  }
  return credentials as Credentials
}
