import type { Schema } from '../schema/model.ts'
import type { Step } from './step.ts'

/** The steps back, and why some can't be taken. */
export interface ReversedSteps {
  readonly steps: readonly Step[]
  readonly reasons: readonly string[]
}

/** What takes items from the newer schema to the older one. */
export function reverseSteps(steps: readonly Step[], before: Schema): ReversedSteps {
  const reasons: string[] = []
  const reversed = steps.toReversed().flatMap((step): readonly Step[] => {
    const back = reverseStep(step, before)
    if (typeof back !== 'string') return back
    reasons.push(back)
    return []
  })
  return { steps: reversed, reasons }
}

function reverseStep(step: Step, before: Schema): readonly Step[] | string {
  switch (step.kind) {
    case 'addAttribute':
    case 'deriveAttribute': {
      const { model, attribute } = step
      // What was there before, in some items, stays in all of them.
      const wasKnown = before.models.get(model)?.attributes.has(attribute)
      return wasKnown ? [] : [{ kind: 'removeAttribute', model, attribute }]
    }
    case 'renameAttribute':
      return [{ ...step, from: step.to, to: step.from }]
    case 'retypeAttribute':
      return step.back
        ? [
            {
              ...step,
              convert: step.back,
              back: step.convert,
              isConverted: step.isConverted && ((value) => !step.isConverted!(value)),
            },
          ]
        : `retypeAttribute of ${step.model}.${step.attribute} can't be undone without { back }: give it one`
    case 'custom':
      return step.back
        ? [{ kind: step.kind, model: step.model, change: step.back }]
        : `a custom step of ${step.model} can't be undone without { back }: give it one`
    case 'renameModel':
      return [{ ...step, model: step.to, to: step.model }]
    case 'createIndex':
      return [{ kind: 'dropIndex', index: step.index }]
    case 'dropIndex':
      return [{ kind: 'createIndex', index: step.index }]
    case 'removeAttribute':
      return `the values of ${step.model}.${step.attribute} are gone`
    case 'deleteModel':
      return `the items of ${step.model} are gone`
    case 'splitModel':
      return `items that were split off ${step.model} are not merged again`
    default:
      return [step]
  }
}
