import { channel } from 'node:diagnostics_channel'
import type { RequestEvent } from '../execute/send.ts'
import { type Environment, systemEnvironment } from '../values/environment.ts'
import { capacityUnits, errorType, metricAttributes, spanAttributes } from './describe-request.ts'
import type { TelemetryMeter, TelemetryTracer } from './open-telemetry.ts'

export interface InstrumentOptions {
  /** Makes a span of every request: `trace.getTracer('singletable')`. */
  readonly tracer?: TelemetryTracer | undefined
  /** Measures duration, capacity and repetitions: `metrics.getMeter('singletable')`. */
  readonly meter?: TelemetryMeter | undefined
  /** The clock, for tests that control it. */
  readonly environment?: Pick<Environment, 'now'> | undefined
}

/** As OpenTelemetry numbers them. */
const SPAN_KIND_CLIENT = 2
const STATUS_ERROR = 2

/** Advised by OpenTelemetry's conventions for the duration of database calls. */
const DURATION_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

/**
 * Reports to OpenTelemetry every request that the tables of this process send; gives a function
 * that ends it. Spans belong to the span that is active where the call was made.
 */
export function instrument({
  tracer,
  meter,
  environment = systemEnvironment,
}: InstrumentOptions): () => void {
  const duration = meter?.createHistogram('db.client.operation.duration', {
    description: 'Duration of database client operations',
    unit: 's',
    advice: { explicitBucketBoundaries: DURATION_SECONDS },
  })
  const capacity = meter?.createCounter('singletable.consumed_capacity', {
    description: 'Capacity units consumed, where requests ask for them',
    unit: '{capacity_unit}',
  })
  const retries = meter?.createCounter('singletable.retries', {
    description: 'Requests that were sent again',
    unit: '{request}',
  })

  const listener = (message: unknown): void => {
    // The channel is ours, and has no other messages.
    const event = message as RequestEvent
    const attributes = metricAttributes(event)
    duration?.record(event.durationMs / 1000, attributes)
    const units = capacityUnits(event)
    if (units > 0) capacity?.add(units, attributes)
    if (event.retries > 0) retries?.add(event.retries, attributes)
    if (tracer) trace(tracer, event, environment.now())
  }
  const requests = channel('singletable:request')
  requests.subscribe(listener)
  return () => {
    requests.unsubscribe(listener)
  }
}

/** Events come when requests have ended, so that a span begins and ends at once, with the times of
 * the request. */
function trace(tracer: TelemetryTracer, event: RequestEvent, now: number): void {
  const { operation, table, durationMs, error } = event
  const span = tracer.startSpan(`${operation} ${table}`, {
    kind: SPAN_KIND_CLIENT,
    startTime: now - durationMs,
    attributes: spanAttributes(event),
  })
  if (error !== undefined) {
    const message = firstLine(error)
    span.recordException({ name: errorType(error), message })
    span.setStatus({ code: STATUS_ERROR, message })
  }
  span.end(now)
}

/** What went wrong, without where and what to do. */
function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n', 1)[0]!
}
