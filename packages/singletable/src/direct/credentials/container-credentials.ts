import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { Environment } from '../../values/environment.ts'
import { agentExchange } from '../agent-exchange.ts'
import type { Answer } from '../exchange.ts'
import { type Credentials, credentialsError, requireCredentials } from './credentials.ts'

export type Variables = Readonly<Record<string, string | undefined>>

/** Where containers of ECS find their credentials. */
const CONTAINER_HOST = 'http://169.254.170.2'
/** Hosts of ECS and EKS that may be asked without TLS; so may this machine, and no other. */
const OPEN_HOSTS = new Set([
  '169.254.170.2',
  '169.254.170.23',
  '[fd00:ec2::23]',
  'localhost',
  '[::1]',
])
const ATTEMPTS_MAX = 3
const TIMEOUT_MS = 1_000

/** What a container asks for its credentials; `undefined` if nothing is set. */
export function containerUrl(variables: Variables): URL | undefined {
  const relative = variables.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI
  const full = variables.AWS_CONTAINER_CREDENTIALS_FULL_URI
  if (!relative && !full) return undefined
  const text = relative ? CONTAINER_HOST + relative : (full ?? '')
  const name = `AWS_CONTAINER_CREDENTIALS_${relative ? 'RELATIVE' : 'FULL'}_URI`
  if (!URL.canParse(text)) throw credentialsError(`${name} is not a valid address.`)
  const url = new URL(text)
  if (relative ? url.origin !== CONTAINER_HOST : !isAllowed(url)) {
    throw credentialsError(
      `${name} names the host ${url.host}, which is not allowed to give credentials: only https, this machine and the addresses of ECS and EKS are.`,
    )
  }
  return url
}

function isAllowed({ protocol, hostname }: URL): boolean {
  if (protocol !== 'http:') return protocol === 'https:'
  return OPEN_HOSTS.has(hostname) || (isIP(hostname) === 4 && hostname.startsWith('127.'))
}

/** Asks the endpoint of the container for credentials. */
export async function containerCredentials(
  url: URL,
  variables: Variables,
  environment: Environment,
): Promise<Credentials> {
  const token = await authorizationToken(variables)
  const headers = ['host', url.host, 'accept', 'application/json']
  if (token !== undefined) headers.push('authorization', token)
  const line = {
    environment,
    protocol: url.protocol,
    hostname: url.hostname.replaceAll(/^\[|\]$/g, ''),
    port: url.port,
    connectionTimeoutMs: TIMEOUT_MS,
    requestTimeoutMs: TIMEOUT_MS,
  }
  const exchange = agentExchange(line, false)
  const message = { method: 'GET', path: url.pathname + url.search, headers, body: '' }
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await exchange(message, undefined)
      if (answer.status < 500 || attempt === ATTEMPTS_MAX) return readCredentials(url, answer)
    } catch (error) {
      if (attempt === ATTEMPTS_MAX) {
        const message = error instanceof Error ? error.message : String(error)
        throw credentialsError(`${url.host} gave no credentials: ${message}`, error)
      }
    }
  }
}

async function authorizationToken(variables: Variables): Promise<string | undefined> {
  const file = variables.AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE
  let token = variables.AWS_CONTAINER_AUTHORIZATION_TOKEN
  if (file) {
    try {
      // It is read each time, because its content changes while the program runs.
      token = await readFile(file, 'utf8')
    } catch (error) {
      throw credentialsError(`AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE can't be read.`, error)
    }
  }
  token = token?.replace(/\r?\n$/, '')
  if (!token) return undefined
  if (!/^[\x20-\x7e]+$/.test(token)) {
    throw credentialsError(
      "The container authorization token has characters that a header can't have.",
    )
  }
  return token
}

function readCredentials(url: URL, { status, body }: Answer): Credentials {
  if (status !== 200)
    throw credentialsError(`${url.host} answered ${status} instead of credentials.`)
  let answer: Readonly<Record<string, unknown>>
  try {
    answer = Object(JSON.parse(body.toString('utf8')))
  } catch {
    // The error of the parser would show parts of a secret.
    throw credentialsError(
      `${url.host} answered something that is not JSON instead of credentials.`,
    )
  }
  const { AccessKeyId, SecretAccessKey, Token, Expiration } = answer
  return requireCredentials(
    {
      accessKeyId: AccessKeyId,
      secretAccessKey: SecretAccessKey,
      sessionToken: Token ?? undefined,
      expiration: typeof Expiration === 'string' ? new Date(Expiration) : undefined,
    },
    url.host,
  )
}
