import type { PatternDefinition } from 'singletable/tools'
import type { Design, Fault } from './design.ts'
import type { Finding } from './rule.ts'

/** What the library refuses and no rule has told, under the library's own code. */
export function unclaimedFaults(design: Design, findings: readonly Finding[]): readonly Finding[] {
  return design.faults
    .filter((fault) => !isClaimed(fault, findings) && !isConsequence(fault, design))
    .map(({ error, model, pattern }) => {
      const { what, fix } = partsOf(error.message)
      return {
        code: error.code,
        name: error.code.toLowerCase().replaceAll('_', '-'),
        severity: 'error',
        message: what,
        fix,
        place: { model, pattern },
      }
    })
}

/** A rule has told an error of the same model or pattern. */
function isClaimed({ model, pattern }: Fault, findings: readonly Finding[]): boolean {
  return findings.some(
    ({ place, severity }) =>
      severity === 'error' &&
      (pattern === undefined
        ? model !== undefined && place.model === model && place.pattern === undefined
        : place.pattern === pattern),
  )
}

/** It can't be used because a model can't that it is about, which is told already. */
function isConsequence({ error, model, pattern }: Fault, { definition, faults }: Design): boolean {
  const faulty = faults.flatMap((fault) =>
    fault.model !== undefined && fault.error !== error ? [fault.model] : [],
  )
  if (pattern === undefined) {
    const earlier = faulty.filter((name) => name !== model)
    return earlier.some(
      (name) => error.message.includes(`"${name}"`) && isRefusalOfName(error.message),
    )
  }
  const parts = definition.patterns?.[pattern]
  return parts !== undefined && entitiesOf(parts).some((name) => faulty.includes(name))
}

/** The message is about something that is not there. */
function isRefusalOfName(message: string): boolean {
  return /\bno (model|entity|attribute)\b|is not (a model|there)/.test(message)
}

/** All models that a pattern names. */
function entitiesOf(pattern: PatternDefinition): readonly string[] {
  // Patterns differ in their members, and a refused one may have any of them.
  const { entity, then, steps } = Object(pattern) as {
    readonly entity?: string | readonly string[]
    readonly then?: { readonly entity?: string }
    readonly steps?: { readonly [step: string]: { readonly entity?: string } }
  }
  const inSteps = Object.values(steps ?? {}).map((step) => step?.entity)
  return [entity, then?.entity, inSteps].flat(2).filter((name) => name !== undefined)
}

/** The parts of a message as the library lays it out. */
function partsOf(message: string): { readonly what: string; readonly fix: string } {
  const [first = '', ...lines] = message.split('\n')
  const part = (name: string): string | undefined =>
    lines
      .find((line) => line.startsWith(`  ${name}:`))
      ?.slice(name.length + 3)
      .trim()
  const where = part('where')
  const what = first.replace(/^[A-Z_]+: /, '')
  return {
    what: where === undefined ? what : `${what} (${where})`,
    fix: part('fix') ?? 'mend it as the message says',
  }
}
