import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ExchangeEvent } from 'singletable/tools'
import { matchingPatterns } from './match-pattern.ts'
import { requestShape } from './request-shape.ts'

/** What wrote an item. */
export interface ChangeCause {
  /** DynamoDB's operation, `UpdateItem`. */
  readonly operation: string
  /** Which side sent it: the tool itself, or another program through its endpoint. */
  readonly by: 'studio' | 'program'
  /** What was called, where that is known. */
  readonly entity: string | undefined
  readonly verb: string | undefined
  /** The declared pattern that was called, or the only one that sends such a request. */
  readonly pattern: string | undefined
}

/** Changes whose cause is kept; older ones give way. */
export const CAUSES_MAX = 5000
const CHANNEL = 'singletable:exchange'

type Mutable = { -readonly [Name in keyof ChangeCause]: ChangeCause[Name] }

/**
 * What caused changes, by the `eventID` of their stream records. The engine names the records that
 * a request makes, and the library reports which call sent the request; nothing is guessed from keys
 * or times.
 */
export class ChangeCauses {
  readonly #causes = new Map<string, ChangeCause>()
  readonly #requests = new WeakMap<object, Mutable>()
  #watchers = 0

  /** Collects causes until the returned function is called. */
  watch(): () => void {
    if (this.#watchers++ === 0) subscribe(CHANNEL, this.#explain)
    return () => {
      if (--this.#watchers > 0) return
      unsubscribe(CHANNEL, this.#explain)
      this.#causes.clear()
    }
  }

  /** Sends a request, and keeps what it changes if it succeeds. */
  async follow<TAnswer>(
    { operation, request, by }: Pick<ChangeCause, 'operation' | 'by'> & { request: unknown },
    send: (onStreamRecord: ((eventId: string) => void) | undefined) => Promise<TAnswer>,
  ): Promise<TAnswer> {
    if (this.#watchers === 0) return send(undefined)
    const cause: Mutable = {
      ...{ operation, by, entity: undefined, verb: undefined, pattern: undefined },
    }
    this.#requests.set(writtenPart(Object(request)), cause)
    const eventIds: string[] = []
    const answer = await send((eventId) => eventIds.push(eventId))
    for (const eventId of eventIds) this.#causes.set(eventId, cause)
    for (const eventId of this.#causes.keys()) {
      if (this.#causes.size <= CAUSES_MAX) break
      this.#causes.delete(eventId)
    }
    return answer
  }

  /** Undefined if it is not known. */
  causeOf(eventId: string): ChangeCause | undefined {
    return this.#causes.get(eventId)
  }

  /** The library reports a request after its answer. */
  readonly #explain = (message: unknown): void => {
    // The library publishes nothing else there.
    const event = message as ExchangeEvent
    const cause = this.#requests.get(writtenPart(event.request))
    if (cause === undefined) return
    cause.entity = event.entity
    cause.verb = event.verb
    cause.pattern = event.pattern ?? onlyPattern(event)
  }
}

/**
 * The object that the sent request and the reported one have in common. The request itself may be a
 * copy that asks for its consumed capacity as well.
 */
function writtenPart(request: {
  readonly Item?: object
  readonly Key?: object
  readonly TransactItems?: object
  readonly RequestItems?: object
}): object {
  return request.Item ?? request.Key ?? request.TransactItems ?? request.RequestItems ?? request
}

/** Of several patterns that send the same request, none is named. */
function onlyPattern(event: ExchangeEvent): string | undefined {
  const shape = requestShape(event)
  const [pattern, ...others] = shape ? matchingPatterns(event.schema, shape) : []
  return others.length === 0 ? pattern : undefined
}
