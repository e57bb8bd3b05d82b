import { setImmediate } from 'node:timers/promises'
import { pollStream, type StreamRecord } from 'singletable/streams'
import type { Item } from 'singletable/tools'
import type { StreamChange, StreamEvent, StreamValue } from './contract.ts'
import { stringsOf } from './read-items.ts'
import { StudioError } from './studio-error.ts'
import type { StudioSource } from './studio-source.ts'

/** Longer values are cut: the item itself has all of them. */
const VALUE_CHARACTERS_MAX = 300
const BATCH_RECORDS = 100
const IDLE_MS = 400
/** AWS allows five reads of a shard in a second, for all readers together. */
const IDLE_MS_AWS = 2000

/** Sends each change of the table from now on, until the signal is aborted. */
export async function followStream(
  source: StudioSource,
  signal: AbortSignal,
  emit: (event: StreamEvent) => Promise<void>,
): Promise<void> {
  const { transport, tableName, isAws } = source.connection
  const { Table } = await transport.send('DescribeTable', { TableName: tableName })
  const { LatestStreamArn, StreamSpecification } = Table ?? {}
  if (!StreamSpecification?.StreamEnabled || LatestStreamArn === undefined) {
    await emit({ kind: 'off' })
    return
  }
  await emit({ kind: 'following', images: StreamSpecification.StreamViewType ?? '' })
  const stop = source.causes.watch()
  const { reason } = await pollStream({
    source: transport,
    streamArn: LatestStreamArn,
    from: 'latest',
    batchSize: BATCH_RECORDS,
    idleMsMax: isAws ? IDLE_MS_AWS : IDLE_MS,
    signal,
    handler: async ({ Records }) => {
      // A request that was just answered is reported before the next turn of the event loop.
      await setImmediate()
      for (const record of Records) {
        await emit({ kind: 'change', change: changeOf(source, record) })
      }
    },
    // A page that shows changes has nothing to repeat.
    onFailure: () => 'skip',
    onGap: () => emit({ kind: 'gap' }),
  }).finally(stop)
  if (reason === 'ended') await emit({ kind: 'off' })
}

/** Gives the table a stream with both images. */
export async function startStream({ connection }: StudioSource): Promise<{ readonly ok: true }> {
  if (connection.isAws) {
    throw new StudioError(
      'The studio starts no stream on AWS.',
      "add stream: 'new-and-old' to table in the schema, and run singletable table apply",
    )
  }
  await connection.transport.send('UpdateTable', {
    TableName: connection.tableName,
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  })
  return { ok: true }
}

const KINDS = { INSERT: 'insert', MODIFY: 'modify', REMOVE: 'remove' } as const

function changeOf(source: StudioSource, record: StreamRecord): StreamChange {
  const { dynamodb, eventName, userIdentity } = record
  const { Keys, OldImage, NewImage, SequenceNumber, ApproximateCreationDateTime } = dynamodb
  const { entity, kept } = source.found(NewImage ?? OldImage ?? Keys)
  const before = OldImage && valuesOf(source, entity, OldImage)
  const after = NewImage && valuesOf(source, entity, NewImage)
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  return {
    id: SequenceNumber,
    kind: KINDS[eventName],
    at: new Date(ApproximateCreationDateTime * 1000).toISOString(),
    entity,
    kept,
    key: Keys,
    isExpiry: userIdentity?.principalId === 'dynamodb.amazonaws.com',
    cause: causeOf(source, record),
    values: [...names].flatMap((name): StreamValue[] => {
      const [old = null, now = null] = [before?.[name], after?.[name]]
      const isSame = eventName === 'MODIFY' && old === now
      return isSame ? [] : [{ name, before: cut(old), after: cut(now) }]
    }),
  }
}

function causeOf({ causes }: StudioSource, { eventID }: StreamRecord): StreamChange['cause'] {
  const cause = causes.causeOf(eventID)
  if (cause === undefined) return null
  const { operation, by, entity, verb, pattern = null } = cause
  const call = verb === undefined ? null : `${entity === undefined ? '' : `${entity}.`}${verb}()`
  return { operation, by, call, pattern }
}

/** Attributes as the entity reads them; of other items, as they are stored. */
function valuesOf(
  source: StudioSource,
  entity: string | null,
  item: Item,
): Readonly<Record<string, string>> {
  const model = entity === null ? undefined : source.schema.models.get(entity)
  try {
    if (model) return stringsOf(model, model.decode(item, false))
  } catch {
    // What the entity can't read is shown as it is stored.
  }
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => [name, JSON.stringify(value)]),
  )
}

function cut(text: string | null): string | null {
  return text === null || text.length <= VALUE_CHARACTERS_MAX
    ? text
    : `${text.slice(0, VALUE_CHARACTERS_MAX)}…`
}
