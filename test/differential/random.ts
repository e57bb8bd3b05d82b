import { seededRandom } from 'singletable/engine'

/** Choices that follow from a seed alone. */
export interface Random {
  /** A whole number from 0 up to, but without, the limit. */
  below(limit: number): number
  chance(probability: number): boolean
  pick<T>(choices: readonly T[]): T
  /** One of the choices, each as likely as its weight says. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T
  /** This many different members of the list, in random order. */
  sample<T>(choices: readonly T[], count: number): T[]
}

export function createRandom(seed: number): Random {
  const next = seededRandom(seed)
  const below = (limit: number): number => Math.floor(next() * limit)
  const pick = <T>(choices: readonly T[]): T => {
    const choice = choices[below(choices.length)]
    if (choice === undefined) throw new Error('nothing to pick from')
    return choice
  }
  return {
    below,
    chance: (probability) => next() < probability,
    pick,
    weighted(choices) {
      let rest = next() * choices.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, choice] of choices) {
        rest -= weight
        if (rest < 0) return choice
      }
      return pick(choices)[1]
    },
    sample(choices, count) {
      const left = [...choices]
      const taken = []
      while (taken.length < count && left.length > 0)
        taken.push(...left.splice(below(left.length), 1))
      return taken
    },
  }
}
