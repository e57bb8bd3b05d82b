import { SingletableError } from '../../errors/singletable-error.ts'
import type { Fault, FaultKind } from './fault.ts'

/** What a fault of each kind may say besides `kind`, `table`, `probability`, `seed` and `count`. */
const OWN_MEMBERS: Readonly<Record<FaultKind, readonly string[]>> = {
  throttle: ['operation', 'key', 'error', 'reason'],
  error: ['operation', 'key', 'when'],
  latency: ['operation', 'key', 'ms'],
  unprocessed: ['operation', 'key'],
  conflict: ['operation', 'key'],
  // These belong to a table, not to a call: they can't be bound to an operation or an item.
  indexLag: ['ms', 'index'],
  timeToLiveDelay: ['ms'],
  transition: ['ms'],
}
const COMMON_MEMBERS = ['kind', 'table', 'probability', 'seed', 'count']

/** Refuses a fault that could never strike, or not as its author thinks; a typing error must not
 * pass for a test that found nothing. */
export function validateFault(fault: Fault, operations: ReadonlySet<string>): void {
  const kinds = Object.keys(OWN_MEMBERS)
  if (!kinds.includes(fault.kind)) {
    throw invalid(
      `there is no fault of kind "${String(fault.kind)}"`,
      `use one of ${kinds.join(', ')}`,
    )
  }
  const members = [...COMMON_MEMBERS, ...OWN_MEMBERS[fault.kind]]
  for (const name of Object.keys(fault)) {
    if (members.includes(name)) continue
    throw invalid(
      `a fault of kind "${fault.kind}" has no member "${name}"`,
      `use one of ${members.join(', ')}`,
    )
  }
  for (const name of [fault.operation ?? []].flat()) {
    if (operations.has(name)) continue
    throw invalid(`there is no operation "${name}"`, "name one as in engine.send(): 'PutItem'")
  }
  validateFigures(fault)
}

function validateFigures(fault: Fault): void {
  if (OWN_MEMBERS[fault.kind].includes('ms')) {
    const ms = 'ms' in fault ? fault.ms : undefined
    if (ms === undefined || !Number.isFinite(ms) || ms < 0) {
      throw invalid(`ms is ${ms}`, 'give a number of milliseconds, 0 or more')
    }
  }
  if (fault.kind === 'error' && fault.when !== 'before' && fault.when !== 'after') {
    throw invalid(`when is "${String(fault.when)}"`, "use 'before' or 'after'")
  }
  const { probability, count } = fault
  if (probability !== undefined && !(probability >= 0 && probability <= 1)) {
    throw invalid(`probability is ${probability}`, 'give a number from 0 to 1')
  }
  if (count !== undefined && !(Number.isInteger(count) && count >= 0)) {
    throw invalid(`count is ${count}`, 'give a whole number, 0 or more')
  }
}

function invalid(problem: string, fix: string): SingletableError {
  return new SingletableError('FAULT_INVALID', {
    what: `The fault can't be used: ${problem}.`,
    where: 'engine.faults.add()',
    fix,
  })
}
