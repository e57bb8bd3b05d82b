import type { Target } from '../conformance/targets.ts'
import { RefereeUnavailable } from '../conformance/targets.ts'
import type { Step } from './program.ts'

/** An answer, or the answers of all pages. */
export type Body = Readonly<Record<string, unknown>>

/** What a target did with a step. */
export type Outcome =
  | { readonly pages: readonly Body[]; readonly error?: undefined }
  | { readonly error: Refused; readonly pages?: undefined }

export interface Refused {
  readonly name: string
  readonly message: string
  readonly Item?: unknown
  readonly CancellationReasons?: readonly { readonly Code: string; readonly Message?: string }[]
}

const PAGES_MAX = 200

/** Runs a step and remembers an answer or a refusal alike. */
export async function outcomeOf(target: Target, step: Step): Promise<Outcome> {
  try {
    const pages: Body[] = []
    if (step.everySegment) {
      const total = Number(step.request.TotalSegments)
      for (let Segment = 0; Segment < total; Segment++) {
        pages.push(...(await allPages(target, step, { ...step.request, Segment })))
      }
    } else if (step.follow) {
      pages.push(...(await allPages(target, step, step.request)))
    } else {
      pages.push(await target.send(step.operation, step.request))
    }
    return { pages }
  } catch (error) {
    if (!(error instanceof Error) || error instanceof RefereeUnavailable) throw error
    const { name, message } = error
    const { Item, CancellationReasons } = error as unknown as Refused
    return {
      error: {
        name,
        message,
        ...(Item === undefined ? {} : { Item }),
        ...(CancellationReasons === undefined ? {} : { CancellationReasons }),
      },
    }
  }
}

async function allPages(target: Target, step: Step, request: object): Promise<Body[]> {
  const pages: Body[] = []
  let start: object = {}
  do {
    const page: Body = await target.send(step.operation, { ...request, ...start })
    pages.push(page)
    start = { ExclusiveStartKey: page.LastEvaluatedKey }
    if (pages.length > PAGES_MAX) throw new Error('The pages never end.')
  } while (pages.at(-1)?.LastEvaluatedKey !== undefined)
  return pages
}
