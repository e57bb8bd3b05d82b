import type { Fault } from 'singletable/engine'
import { UsageError } from './usage-error.ts'

/** How each member of a fault is written; which of them a kind may have is the engine's to say. */
const MEMBERS: Readonly<Record<string, (text: string) => unknown>> = {
  operation: (text) => (text.includes('+') ? text.split('+') : text),
  table: (text) => text,
  index: (text) => text,
  error: (text) => text,
  reason: (text) => text,
  when: (text) => text,
  key: (text) => JSON.parse(text) as unknown,
  ms: number,
  probability: number,
  seed: number,
  count: number,
}

const SYNTAX = "write kind:member=value,member=value, such as 'throttle:operation=PutItem,count=2'"

/**
 * Reads a fault as it is typed: `latency:ms=200,operation=Query+Scan`. The engine checks what is
 * read when the fault is put in force.
 *
 * @example
 * engine.faults.add(parseFault('throttle:operation=PutItem,probability=0.1,seed=7'))
 */
export function parseFault(text: string): Fault {
  const colon = text.indexOf(':')
  const kind = colon < 0 ? text : text.slice(0, colon)
  const fault = new Map<string, unknown>([['kind', kind]])
  const members = colon < 0 ? [] : splitMembers(text.slice(colon + 1))
  for (const member of members) {
    const equals = member.indexOf('=')
    if (equals < 1) throw wrong(text, `"${member}" is not member=value`, SYNTAX)
    const name = member.slice(0, equals)
    const value = member.slice(equals + 1)
    const read = Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined
    if (read === undefined) {
      throw wrong(text, `there is no member "${name}"`, `use ${Object.keys(MEMBERS).join(', ')}`)
    }
    if (fault.has(name)) throw wrong(text, `"${name}" is given twice`, SYNTAX)
    try {
      fault.set(name, read(value))
    } catch {
      const fix =
        name === 'key' ? `write key={"pk":{"S":"a"}}` : 'give a number, such as 0.5 or 200'
      throw wrong(text, `${name} is "${value}"`, fix)
    }
  }
  // The engine rejects an invalid fault and names the members of its kind.
  return Object.fromEntries(fault) as unknown as Fault
}

function number(text: string): number {
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new Error('no number')
  return Number(text)
}

/** Splits at the commas that are not inside the JSON of a key. */
function splitMembers(text: string): readonly string[] {
  const members: string[] = []
  let depth = 0
  let quoted = false
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (quoted) {
      if (character === '\\') at++
      else if (character === '"') quoted = false
    } else if (character === '"') quoted = true
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    else if (character === ',' && depth <= 0) {
      members.push(text.slice(start, at))
      start = at + 1
    }
  }
  members.push(text.slice(start))
  return members.filter((member) => member !== '')
}

function wrong(text: string, problem: string, fix: string): UsageError {
  return new UsageError(`--fault ${text}: ${problem}.`, fix)
}
