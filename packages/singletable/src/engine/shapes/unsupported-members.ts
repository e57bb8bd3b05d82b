import { validationError } from '../messages/request-messages.ts'
import { memberNotSupported } from '../messages/table-messages.ts'
import { boolean, list, type Shape, structure, text } from './shape.ts'

/**
 * Members that stand for something AWS has and the engine has not: settings of global tables,
 * resource policies, vector indexes. A member nobody knows is ignored, but to ignore these would be
 * to promise them.
 */
type UnsupportedMembers = Readonly<Record<string, Shape>>

const anyList = list(structure({}))

export const unsupportedInCreateTable: UnsupportedMembers = {
  GlobalTableSettingsReplicationMode: text(),
  GlobalTableSourceArn: text(),
  ResourcePolicy: text(),
  VectorIndexes: anyList,
}

export const unsupportedInUpdateTable: UnsupportedMembers = {
  DisassociationProtectionEnabled: boolean,
  GlobalTableSettingsReplicationMode: text(),
  VectorIndexUpdates: anyList,
}

export const unsupportedInRestore: UnsupportedMembers = {
  VectorIndexOverride: anyList,
}

/** Refuses a request, as it was read by its shape, that has one of the members. */
export function refuseMembers(request: object, members: UnsupportedMembers): void {
  for (const name of Object.keys(members)) {
    if (Object.hasOwn(request, name)) throw validationError(memberNotSupported(name))
  }
}
