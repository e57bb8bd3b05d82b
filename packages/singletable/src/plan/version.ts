import type { PrintedPlaceholders } from '../expression/print.ts'
import type { Model } from '../schema/model.ts'
import { refuseInput } from './refuse-input.ts'
import { printIs } from './write-condition.ts'

/** The condition that the item has this version; none if no version is asked for. */
export function printVersion(
  version: number | undefined,
  model: Model,
  place: string,
  placeholders: PrintedPlaceholders,
): string {
  if (version === undefined) return ''
  if (model.version === undefined) {
    return refuseInput(
      [{ path: [], message: `${model.name} has no version` }],
      place,
      'declare a Number attribute with version: true, or leave the version out',
    )
  }
  if (!(Number.isSafeInteger(version) && version >= 0)) {
    refuseInput(
      [{ path: [model.version.name], message: 'is no version: versions are whole numbers' }],
      place,
      'give the version the item had when it was read',
    )
  }
  return printIs(model.version.stored, { N: String(version) }, placeholders)
}
