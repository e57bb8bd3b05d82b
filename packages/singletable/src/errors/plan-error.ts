import { SingletableError } from './singletable-error.ts'

/** A call that no index or operation can answer as it was put; nothing was sent. */
export class PlanError extends SingletableError {
  override readonly name: string = 'PlanError'
}
