import { gunzipSync } from 'node:zlib'
import { crc32 } from '../wire/crc32.ts'
import { NoAnswerError } from '../wire/no-answer-error.ts'
import { ServiceError, type ServiceErrorMembers } from '../wire/service-error.ts'
import { ANSWER_BYTES_MAX, type Answer } from './exchange.ts'

/** What the answer itself says about an error, as `cause` of the `ServiceError`; errors of the AWS SDK have it in the same places. */
export interface AnswerDetails {
  readonly name: string
  readonly message: string
  readonly $fault: 'client' | 'server'
  readonly $metadata: {
    readonly httpStatusCode: number
    /** What AWS's support asks for. */
    readonly requestId: string | undefined
  }
}

type Body = Readonly<Record<string, unknown>>

/** Exceptions that the service documents. With a status of 500 and above, any other name says no more than the status. */
const DOCUMENTED =
  /^(InternalServerError|RequestLimitExceeded|((Backup|Table)InUse|(Backup|Export|GlobalTable|Import|Index|Policy|Replica|Resource|Table)NotFound|ConditionalCheckFailed|(ContinuousBackups|PointInTimeRecovery)Unavailable|DuplicateItem|(Export|Import|Transaction|ReplicatedWrite)Conflict|(GlobalTable|Replica|Table)AlreadyExists|IdempotentParameterMismatch|Invalid(Endpoint|ExportTime|RestoreTime)|(ItemCollectionSize)?LimitExceeded|ProvisionedThroughputExceeded|ResourceInUse|Throttling|Transaction(Canceled|InProgress))Exception)$/

/** The response in an answer, or throws what the answer is instead: a `ServiceError`, or a `NoAnswerError` if it is damaged. */
export function readAnswer(answer: Answer): object {
  const { status, headers, body } = answer
  const checksum = headers['x-amz-crc32']
  if (checksum !== undefined && Number(checksum) !== crc32(body)) {
    throw damaged(new Error(`The answer has not the checksum ${checksum} that came with it.`))
  }
  const isSuccess = status >= 200 && status < 300
  let parsed: unknown
  try {
    const bytes =
      headers['content-encoding'] === 'gzip'
        ? gunzipSync(body, { maxOutputLength: ANSWER_BYTES_MAX })
        : body
    // A few operations answer with nothing.
    parsed = bytes.length === 0 ? {} : JSON.parse(bytes.toString('utf8'))
    if (typeof parsed !== 'object' || parsed === null) throw new SyntaxError('It is no object.')
  } catch (cause) {
    if (isSuccess) throw damaged(cause)
    const start = body.toString('utf8', 0, 200).replaceAll(/\s+/g, ' ')
    const message = `The service answered ${status} and something that is no JSON: ${start}`
    throw refusal(answer, 'SyntaxError', message)
  }
  if (isSuccess) return parsed
  // The keys are the service's own.
  const error = parsed as Body
  throw refusal(answer, nameIn(error, headers['x-amzn-errortype']), messageIn(error), {
    Item: error.Item ?? undefined,
    CancellationReasons: error.CancellationReasons ?? undefined,
    ThrottlingReasons: error.ThrottlingReasons ?? error.throttlingReasons ?? undefined,
    // They have the shapes of the wire, which is where they come from.
  } as ServiceErrorMembers)
}

/** It came, so the request was carried out, but nobody knows with what result. */
function damaged(cause: unknown): NoAnswerError {
  return new NoAnswerError({ sent: true, retryable: true, cause })
}

function refusal(
  { status, headers }: Answer,
  said: string,
  message: string,
  members?: ServiceErrorMembers,
): ServiceError {
  let name = said
  if (status >= 500 && !DOCUMENTED.test(said)) {
    name = status === 500 ? 'InternalServerError' : 'ServiceUnavailable'
  }
  const error = new ServiceError(name, message, members)
  const requestId = headers['x-amzn-requestid']
  const details: AnswerDetails = {
    name: said,
    message,
    $fault: status < 500 ? 'client' : 'server',
    $metadata: {
      httpStatusCode: status,
      requestId: typeof requestId === 'string' ? requestId : undefined,
    },
  }
  error.cause = details
  return error
}

function nameIn(body: Body, header: unknown): string {
  const type = body.__type ?? body.code ?? body.Code ?? header
  if (type === undefined || type === null) return 'Unknown'
  const [first = ''] = String(type).split(/[,:]/)
  return first.slice(first.indexOf('#') + 1)
}

function messageIn(body: Body): string {
  const message = body.message ?? body.Message
  return typeof message === 'string' ? message : 'UnknownError'
}
