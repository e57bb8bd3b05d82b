import type { Item } from '../values/attribute-value.ts'

/** Why a request was throttled, as DynamoDB lists it on throttling errors. */
export interface ThrottlingReason {
  readonly reason: string
  readonly resource: string
}

/** The fate of one action of a cancelled transaction, in the order of the request's actions. */
export interface CancellationReason {
  readonly Code: string
  readonly Message?: string
  readonly Item?: Item
}

/** Members that some errors carry besides name and text. */
export interface ServiceErrorMembers {
  readonly Item?: Item
  readonly CancellationReasons?: readonly CancellationReason[]
  readonly ThrottlingReasons?: readonly ThrottlingReason[]
}

/**
 * What DynamoDB answers when it refuses: AWS's exception name, AWS's text, AWS's extra members,
 * nothing of ours. Test `name`; AWS changes its messages now and then.
 *
 * @example
 * new ServiceError('ValidationException', 'The provided key element does not match the schema').name // => 'ValidationException'
 */
export class ServiceError extends Error {
  override readonly name: string
  // Declared only: an error has just the members that AWS sends with it.
  declare readonly Item?: Item
  declare readonly CancellationReasons?: readonly CancellationReason[]
  declare readonly ThrottlingReasons?: readonly ThrottlingReason[]

  constructor(name: string, message: string, members: ServiceErrorMembers = {}) {
    super(message)
    this.name = name
    if (members.Item !== undefined) this.Item = members.Item
    if (members.CancellationReasons !== undefined)
      this.CancellationReasons = members.CancellationReasons
    if (members.ThrottlingReasons !== undefined) this.ThrottlingReasons = members.ThrottlingReasons
  }

  /** 500 for faults of the service, 400 for everything the caller can fix. */
  get statusCode(): number {
    return this.name === 'InternalServerError'
      ? 500
      : this.name === 'ServiceUnavailable'
        ? 503
        : 400
  }
}
