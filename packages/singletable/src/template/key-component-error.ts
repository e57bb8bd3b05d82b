import { InputError } from '../errors/input-error.ts'

export interface KeyComponentProblem {
  readonly attribute: string
  /** Source of the template. */
  readonly template: string
  readonly where: string
  /** Completes "it …". */
  readonly problem: string
  readonly fix: string
}

/** A value that can't be part of a key: it would forge another key, share one with other values, or lose its order. */
export class KeyComponentError extends InputError {
  override readonly name: string = 'KeyComponentError'
  readonly attribute: string
  readonly template: string

  constructor({ attribute, template, where, problem, fix }: KeyComponentProblem) {
    const what = `The value of "${attribute}" can't be part of a key: it ${problem}.`
    super('KEY_COMPONENT_INVALID', { what, where: `${where}, template "${template}"`, fix }, [
      { path: [attribute], message: `${problem}; ${fix}` },
    ])
    this.attribute = attribute
    this.template = template
  }
}
