import type { Schema } from '../schema/model.ts'
import type { DeriveAttribute, IndexStep, ItemStep, Step } from './step.ts'

/** The steps back, and why some can't be taken. */
export interface ReversedSteps {
  readonly steps: readonly Step[]
  readonly reasons: readonly string[]
}

/**
 * What takes items from the newer schema to the older one. With an undo log, what the steps took
 * away is given back.
 */
export function reverseSteps(
  steps: readonly Step[],
  before: Schema,
  hasUndoLog = false,
): ReversedSteps {
  const reasons: string[] = []
  const reversed = steps.flatMap((step, at): readonly (readonly Step[])[] => {
    if (!isLossy(step, { before, steps })) return [reverseStep(step, before)]
    if (!hasUndoLog) {
      reasons.push(lossOf(step, { before, steps }) ?? '')
      return []
    }
    const earlier = steps.slice(0, at)
    const lastIndex = earlier.findLastIndex(isIndexStep)
    return [
      [
        {
          kind: 'restore',
          model: step.model,
          step,
          earlier: earlier.slice(lastIndex + 1) as readonly ItemStep[],
          stage: stageOf(steps, at),
        },
        ...restOf(step, before, reasons),
      ],
    ]
  })
  return { steps: reversed.reverse().flat(), reasons }
}

export function isIndexStep(step: Step): step is IndexStep {
  return step.kind === 'createIndex' || step.kind === 'dropIndex'
}

/** The steps of a migration, and the schema that they start from. */
export interface StepsFrom {
  readonly before: Schema
  readonly steps: readonly Step[]
}

/** Whether a step takes something away that only the undo log has afterwards. */
export function isLossy(step: Step, all: StepsFrom): step is ItemStep {
  return lossOf(step, all) !== undefined
}

/** Whether items have had an attribute before a step, maybe under another name. */
function wasKnown(step: DeriveAttribute, { before, steps }: StepsFrom): boolean {
  let { model, attribute } = step
  for (const each of steps.slice(0, steps.indexOf(step)).reverse()) {
    if (each.kind === 'renameModel' && each.to === model) model = each.model
    if (each.kind === 'renameAttribute' && each.model === model && each.to === attribute) {
      attribute = each.from
    }
  }
  return before.models.get(model)?.attributes.has(attribute) === true
}

/**
 * How many steps on indexes come before a step: steps on items between two of them are one pass.
 */
function stageOf(steps: readonly Step[], position: number): number {
  return steps.slice(0, position).filter(isIndexStep).length
}

/** Why a step can't be undone without the undo log; undefined for one that can be. */
function lossOf(step: Step, all: StepsFrom): string | undefined {
  switch (step.kind) {
    case 'deriveAttribute':
      return wasKnown(step, all)
        ? `the values that ${step.model}.${step.attribute} had are gone`
        : undefined
    case 'retypeAttribute':
      return step.back
        ? undefined
        : `retypeAttribute of ${step.model}.${step.attribute} can't be undone without { back }: give it one`
    case 'custom':
      return step.back
        ? undefined
        : `a custom step of ${step.model} can't be undone without { back }: give it one`
    case 'removeAttribute':
      return `the values of ${step.model}.${step.attribute} are gone`
    case 'deleteModel':
      return `the items of ${step.model} are gone`
    case 'splitModel':
      return step.back
        ? undefined
        : `items that were split off ${step.model} can't be merged again without { back }: give it one`
    case 'mergeModel':
      return step.back
        ? undefined
        : `items of ${step.model} that were merged can't be split again without { back }: give it one`
    default:
      return undefined
  }
}

function reverseStep(step: Step, before: Schema): readonly Step[] {
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
      return [
        {
          ...step,
          convert: step.back!,
          back: step.convert,
          isConverted: step.isConverted && ((value) => !step.isConverted!(value)),
        },
      ]
    case 'custom':
      return [{ kind: step.kind, model: step.model, change: step.back! }]
    case 'renameModel':
      return [{ ...step, model: step.to, to: step.model }]
    case 'splitModel': {
      const { model, into, remove } = step
      return into.map((part) => ({
        kind: 'mergeModel',
        model: part,
        into: model,
        adds: remove,
        ...step.back!,
      }))
    }
    case 'mergeModel': {
      const { model, into, adds, back, key, merge } = step
      return [
        {
          kind: 'splitModel',
          model: into,
          into: [model],
          make: back!,
          remove: adds,
          back: { key, merge },
        },
      ]
    }
    // It has changed nothing.
    case 'checkAttribute':
      return []
    case 'createIndex':
      return [{ kind: 'dropIndex', index: step.index }]
    case 'dropIndex':
      return [{ kind: 'createIndex', index: step.index }]
    default:
      return [step]
  }
}

/** What else has to be done for a step that is undone by the log: what it made has to go. */
function restOf(step: ItemStep, before: Schema, reasons: string[]): readonly Step[] {
  if (step.kind === 'mergeModel') {
    return step.adds.map((attribute) => ({ kind: 'removeAttribute', model: step.into, attribute }))
  }
  if (step.kind !== 'splitModel') return []
  return step.into.flatMap((model) => {
    if (!before.models.has(model)) return [{ kind: 'deleteModel', model }]
    reasons.push(
      `items of ${model} that were split off ${step.model} look like all others without { back }: give it one`,
    )
    return []
  })
}
