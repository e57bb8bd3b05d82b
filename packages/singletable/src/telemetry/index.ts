export type { RequestEvent } from '../execute/send.ts'
export { type InstrumentOptions, instrument } from './instrument.ts'
export type {
  TelemetryAttributes,
  TelemetryCounter,
  TelemetryHistogram,
  TelemetryMeter,
  TelemetrySpan,
  TelemetryTracer,
} from './open-telemetry.ts'
