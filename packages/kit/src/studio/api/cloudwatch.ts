import { createHash, createHmac } from 'node:crypto'
import type { Credentials } from 'singletable/direct'
import { StudioError } from './studio-error.ts'

/** Reports of CloudWatch, with the credentials that stay in this process. */
export interface CloudWatch {
  /** What contributed most to a rule of Contributor Insights, the first the most. */
  report(question: RuleQuestion): Promise<RuleReport>
}

export interface RuleQuestion {
  readonly rule: string
  readonly startMs: number
  readonly endMs: number
  readonly contributorsMax: number
}

export interface RuleReport {
  /** Of all contributors; CloudWatch reports it as approximate. */
  readonly total: number
  readonly uniqueCount: number
  readonly contributors: readonly { readonly keys: readonly string[]; readonly value: number }[]
}

export interface CloudWatchOptions {
  readonly region: string
  readonly credentials: () => Promise<Credentials | undefined>
  /** Default: that of AWS in the region. */
  readonly endpoint?: string | undefined
}

const TIMEOUT_MS = 10_000
const ANSWER_CHARACTERS_MAX = 1_000_000
const CONTENT_TYPE = 'application/x-amz-json-1.0'
const TARGET = 'GraniteServiceVersion20100801.GetInsightRuleReport'
const SERVICE = 'monitoring'

/** CloudWatch by its protocol AWS JSON 1.0: one action is not worth a client of the SDK. */
export function cloudWatch({ region, credentials, endpoint }: CloudWatchOptions): CloudWatch {
  const suffix = region.startsWith('cn-') ? '.cn' : ''
  const url = new URL(endpoint ?? `https://monitoring.${region}.amazonaws.com${suffix}`)
  return {
    async report({ rule, startMs, endMs, contributorsMax }) {
      const signer = await credentials()
      if (signer === undefined) {
        throw new StudioError(
          'There are no credentials for CloudWatch.',
          'set AWS_ACCESS_KEY_ID, or install @aws-sdk/credential-providers',
          'ACCESS_DENIED',
        )
      }
      const body = JSON.stringify({
        RuleName: rule,
        StartTime: startMs / 1000,
        EndTime: endMs / 1000,
        Period: (endMs - startMs) / 1000,
        MaxContributorCount: contributorsMax,
      })
      const answer = await post(url, body, signedHeaders({ url, region, body, signer }))
      return readReport(answer)
    },
  }
}

async function post(url: URL, body: string, headers: Record<string, string>): Promise<unknown> {
  let status: number
  let text: string
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(url, { method: 'POST', body, headers, signal, redirect: 'error' })
    status = response.status
    text = await response.text()
  } catch (cause) {
    throw new StudioError(
      `CloudWatch does not answer: ${describe(cause)}.`,
      'look whether this machine reaches it, and try again',
      'NO_ANSWER',
      url.host,
    )
  }
  const answer: unknown = text.length <= ANSWER_CHARACTERS_MAX ? parse(text) : undefined
  if (status === 200 && answer !== undefined) return answer
  const { __type = '', message, Message = message } = Object(answer)
  const code = String(__type).split('#').at(-1) || `HTTP ${status}`
  const isDenied = /AccessDenied|Unrecognized|Signature|Token/.test(code)
  throw new StudioError(
    `CloudWatch refused the report: ${Message ?? code}`,
    isDenied
      ? 'allow cloudwatch:GetInsightRuleReport to the credentials of the studio'
      : 'try again later',
    isDenied ? 'ACCESS_DENIED' : code,
    url.host,
  )
}

function describe(cause: unknown): string {
  const { name, message, cause: inner } = Object(cause)
  if (name === 'TimeoutError') return `no answer came in ${TIMEOUT_MS / 1000} seconds`
  return String(Object(inner).message ?? message)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Everything from outside may be missing. */
function readReport(answer: unknown): RuleReport {
  const { AggregateValue = 0, ApproximateUniqueCount = 0, Contributors } = Object(answer)
  const contributors: readonly unknown[] = Array.isArray(Contributors) ? Contributors : []
  return {
    total: Number(AggregateValue),
    uniqueCount: Number(ApproximateUniqueCount),
    contributors: contributors.map((each) => {
      const { Keys, ApproximateAggregateValue = 0 } = Object(each)
      const keys: readonly unknown[] = Array.isArray(Keys) ? Keys : []
      return { keys: keys.map(String), value: Number(ApproximateAggregateValue) }
    }),
  }
}

/** The headers of a request with AWS's Signature Version 4. */
function signedHeaders(request: {
  readonly url: URL
  readonly region: string
  readonly body: string
  readonly signer: Credentials
}): Record<string, string> {
  const { url, region, body, signer } = request
  const { accessKeyId, secretAccessKey, sessionToken } = signer
  const date = `${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
  const scope = [date.slice(0, 8), region, SERVICE, 'aws4_request']
  const headers: Readonly<Record<string, string>> = {
    'content-type': CONTENT_TYPE,
    host: url.host,
    'x-amz-date': date,
    ...(sessionToken && { 'x-amz-security-token': sessionToken }),
    'x-amz-target': TARGET,
  }
  const names = Object.keys(headers).sort()
  const canonical = [
    ...['POST', url.pathname, ''],
    ...names.map((name) => `${name}:${headers[name]}`),
    ...['', names.join(';'), sha256(body)],
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', date, scope.join('/'), sha256(canonical)].join('\n')
  let key: string | Buffer = `AWS4${secretAccessKey}`
  for (const part of scope) key = createHmac('sha256', key).update(part).digest()
  const signature = createHmac('sha256', key).update(text).digest('hex')
  const { host: _, ...sent } = headers
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope.join('/')}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
