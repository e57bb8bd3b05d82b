import { ServiceError, type ServiceErrorMembers } from './service-error.ts'

/** What an answer says about an error: `cause` of the `ServiceError`, with members in the places
 * where errors of the AWS SDK have them. */
export interface AnswerDetails {
  readonly name: string
  readonly message: string
  readonly $fault: 'client' | 'server'
  readonly $metadata: {
    readonly httpStatusCode: number
    /** What AWS's support asks for. */
    readonly requestId: string | undefined
    /** How often the request was sent for this answer. */
    readonly attempts: 1
    readonly totalRetryDelay: 0
  }
}

type Headers = Readonly<Record<string, unknown>>
type Body = Readonly<Record<string, unknown>>

/** Exceptions that the service documents. With a status of 500 and above, any other name says no
 * more than the status. */
const DOCUMENTED =
  /^(InternalServerError|RequestLimitExceeded|((Backup|Table)InUse|(Backup|Export|GlobalTable|Import|Index|Policy|Replica|Resource|Table)NotFound|ConditionalCheckFailed|(ContinuousBackups|PointInTimeRecovery)Unavailable|DuplicateItem|(Export|Import|Transaction|ReplicatedWrite)Conflict|(GlobalTable|Replica|Table)AlreadyExists|IdempotentParameterMismatch|Invalid(Endpoint|ExportTime|RestoreTime)|(ItemCollectionSize)?LimitExceeded|ProvisionedThroughputExceeded|ResourceInUse|Throttling|Transaction(Canceled|InProgress))Exception)$/

export function isDocumented(name: string): boolean {
  return DOCUMENTED.test(name)
}

/** The error that an answer describes, with the service's own members. Names of headers are in
 * lower case. */
export function readRefusal(
  status: number,
  headers: Headers,
  text: string,
): Error & AnswerDetails & ServiceErrorMembers {
  const body = bodyOf(status, text)
  const message = body.message ?? body.Message
  const error = new Error(typeof message === 'string' ? message : 'UnknownError')
  const members = {
    Item: body.Item,
    CancellationReasons: body.CancellationReasons,
    ThrottlingReasons: body.ThrottlingReasons ?? body.throttlingReasons,
  }
  const present = Object.entries(members).filter(([, member]) => member)
  // They have the shapes of the wire, which is where they come from.
  return Object.assign(error, Object.fromEntries(present) as ServiceErrorMembers, {
    name: nameIn(body, headers['x-amzn-errortype']),
    $fault: status < 500 ? ('client' as const) : ('server' as const),
    $metadata: metadataOf(status, headers),
  })
}

/** What AWS's clients give along with each answer. A request is sent once for it: repeating is the
 * business of others. */
export function metadataOf(status: number, headers: Headers): AnswerDetails['$metadata'] {
  const requestId = headers['x-amzn-requestid']
  return {
    httpStatusCode: status,
    requestId: typeof requestId === 'string' ? requestId : undefined,
    attempts: 1,
    totalRetryDelay: 0,
  }
}

/** The error that a transport throws for a refusal: AWS's own name and text, where they say more
 * than the status. */
export function serviceErrorOf(
  cause: { readonly name: string; readonly message: string },
  status: number,
  members?: ServiceErrorMembers,
): ServiceError {
  let { name } = cause
  if (status >= 500 && !isDocumented(name)) {
    name = status === 500 ? 'InternalServerError' : 'ServiceUnavailable'
  }
  const error = new ServiceError(name, cause.message, members)
  error.cause = cause
  return error
}

function bodyOf(status: number, text: string): Body {
  try {
    const body: unknown = JSON.parse(text)
    // The keys are the service's own.
    if (typeof body === 'object' && body !== null) return body as Body
  } catch {}
  const start = text.slice(0, 200).replaceAll(/\s+/g, ' ')
  return {
    __type: 'SyntaxError',
    message: `The service answered ${status} and something that is not JSON: ${start}`,
  }
}

function nameIn(body: Body, header: unknown): string {
  const type = body.__type ?? body.code ?? body.Code ?? header
  if (type === undefined || type === null) return 'Unknown'
  const [first = ''] = String(type).split(/[,:]/)
  return first.slice(first.indexOf('#') + 1)
}
