import { ServiceError } from '../../wire/service-error.ts'
import type { UpdateTableRequest } from '../../wire/table-operations.ts'
import type { Replicas, TableRecord } from '../catalog/table-record.ts'
import { validationError } from '../messages/request-messages.ts'
import { replicaExists, strongRegions } from '../messages/table-messages.ts'
import { list, oneOf, type Shape, structure, text } from '../shapes/shape.ts'

const region = structure({ RegionName: { required: text() } })

/** The members of UpdateTable that make and delete replicas. */
export const replicaMembers: Readonly<Record<string, Shape>> = {
  ReplicaUpdates: list(
    structure({
      Create: structure({ RegionName: { required: text() }, KMSMasterKeyId: text() }),
      Update: region,
      Delete: region,
    }),
  ),
  MultiRegionConsistency: oneOf('EVENTUAL', 'STRONG'),
  GlobalTableWitnessUpdates: list(structure({ Create: region, Delete: region })),
}

/** A strongly consistent table is in this many regions, one of which may be a witness. (AWS
 * Developer Guide, global tables.) */
const STRONG_REGIONS = 3

/** The table with other replicas, as far as the request says so. */
export function changeReplicas(record: TableRecord, request: UpdateTableRequest): TableRecord {
  const { ReplicaUpdates, GlobalTableWitnessUpdates, MultiRegionConsistency } = request
  if (!ReplicaUpdates && !GlobalTableWitnessUpdates) return record
  const { replicas: before, ...rest } = record
  const regions = changed(before?.regions, ReplicaUpdates)
  const witnesses = changed(before?.witnesses, GlobalTableWitnessUpdates)
  const consistency = MultiRegionConsistency ?? before?.consistency ?? 'EVENTUAL'
  if (regions.length === 0) return rest
  if (consistency === 'STRONG' && 1 + regions.length + witnesses.length !== STRONG_REGIONS) {
    throw validationError(strongRegions(STRONG_REGIONS))
  }
  const replicas: Replicas = { regions, witnesses, consistency }
  return { ...rest, replicas }
}

type RegionUpdate = {
  readonly [TAction in 'Create' | 'Delete']?: { readonly RegionName: string }
}

function changed(
  before: readonly string[] = [],
  updates: readonly RegionUpdate[] = [],
): readonly string[] {
  const regions = new Set(before)
  for (const { Create, Delete } of updates) {
    // Any region may be that of the table: the engine's own has no meaning.
    if (Create && regions.has(Create.RegionName)) {
      throw validationError(replicaExists(Create.RegionName))
    }
    if (Create) regions.add(Create.RegionName)
    if (Delete && !regions.delete(Delete.RegionName)) {
      throw new ServiceError('ReplicaNotFoundException', `Replica not found: ${Delete.RegionName}`)
    }
  }
  return [...regions]
}
