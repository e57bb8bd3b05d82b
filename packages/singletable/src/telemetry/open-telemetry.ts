/** The parts of the OpenTelemetry API (`@opentelemetry/api`) that are used; its own tracer and
 * meter fit. */

export type TelemetryAttributes = {
  [name: string]: string | number | boolean | string[]
}

export interface TelemetrySpan {
  setStatus(status: { code: number; message?: string }): unknown
  recordException(exception: { name: string; message: string }): unknown
  end(endTime?: number): void
}

export interface TelemetryTracer {
  startSpan(
    name: string,
    options?: { kind?: number; attributes?: TelemetryAttributes; startTime?: number },
  ): TelemetrySpan
}

export interface TelemetryCounter {
  add(value: number, attributes?: TelemetryAttributes): void
}

export interface TelemetryHistogram {
  record(value: number, attributes?: TelemetryAttributes): void
}

interface InstrumentOptions {
  description?: string
  unit?: string
  advice?: { explicitBucketBoundaries?: number[] }
}

export interface TelemetryMeter {
  createCounter(name: string, options?: InstrumentOptions): TelemetryCounter
  createHistogram(name: string, options?: InstrumentOptions): TelemetryHistogram
}
