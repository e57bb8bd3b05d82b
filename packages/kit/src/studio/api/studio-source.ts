import { type SchemaDefinition, Table, type Transport } from 'singletable'
import type { EngineSendOptions } from 'singletable/engine'
import { GUARD, type Item, itemSizeBytes, modelOf, SEQUENCE } from 'singletable/tools'
import { metered, Traffic } from '../../dev/traffic.ts'
import { ChangeCauses } from '../../recorder/change-causes.ts'
import { PatternCalls } from '../../recorder/pattern-calls.ts'
import type { LoadedSchema } from '../../schema-file/load-schema.ts'
import type { CloudWatch } from './cloudwatch.ts'
import type { Design, Failure, FoundItem, Spent } from './contract.ts'
import { describeSchema, describeShape, type SchemaView } from './describe-design.ts'

/** Where the studio finds its table. */
export interface StudioConnection {
  readonly transport: Transport
  readonly tableName: string
  /** In words, such as `http://localhost:8000`. */
  readonly place: string
  readonly isAws: boolean
  readonly isReadOnly: boolean
  /** Other tables of the endpoint can be opened too. */
  readonly showsTables?: boolean | undefined
  /** It is one of those. */
  readonly isOther?: boolean | undefined
  /** The schema was guessed from the table. */
  readonly isGuessed?: boolean | undefined
  /** Counts requests by partition; those of other programs too, where they come through here. */
  readonly traffic?: Traffic | undefined
  /** Reports of Contributor Insights; only of tables on AWS. */
  readonly cloudWatch?: CloudWatch | undefined
  /** The folder of the project's migrations; none unless given. */
  readonly migrations?: string | undefined
  /** What `singletable recorder` writes; the file need not be there. */
  readonly recording?: string | undefined
  /** Queries of other programs by the pattern that has their plan. */
  readonly programs?: PatternCalls | undefined
  /** What caused changes; also those of other programs, where they come through here. */
  readonly causes?: ChangeCauses | undefined
}

/** The table that is shown, with the schema as it is now. */
export class StudioSource {
  readonly connection: StudioConnection
  readonly traffic: Traffic
  readonly causes: ChangeCauses
  /** What was run here. */
  readonly calls: PatternCalls = new PatternCalls()
  #loaded: LoadedSchema
  #described: SchemaView | undefined
  #version = 1
  #broken: Failure | null = null

  constructor(connection: StudioConnection, loaded: LoadedSchema) {
    this.traffic = connection.traffic ?? new Traffic(loaded.definition)
    this.causes = connection.causes ?? new ChangeCauses()
    const transport = followed(counted(connection.transport, this.traffic), this.causes)
    this.connection = { ...connection, transport }
    this.#loaded = loaded
  }

  /** Made when it is first needed: the rules take longer than the rest of the start. */
  get #view(): SchemaView {
    this.#described ??= describeSchema(this.#loaded, today())
    return this.#described
  }

  get loaded(): LoadedSchema {
    return this.#loaded
  }

  get schema(): LoadedSchema['schema'] {
    return this.#loaded.schema
  }

  /** Shows another schema from now on. */
  replace(loaded: LoadedSchema): void {
    this.#described = describeSchema(loaded, today())
    this.#loaded = loaded
    this.traffic.follow(loaded.definition)
    this.#broken = null
    this.#version++
  }

  /** The schema can't be used; the one before is still shown. */
  refuse(failure: Failure): void {
    this.#broken = failure
    this.#version++
  }

  /** What can be shown at once; all of the design if it was computed before. */
  firstDesign(): Design {
    if (this.#described) return this.design()
    return { ...this.#complete(describeShape(this.#loaded)), isPartial: true }
  }

  design(): Design {
    return this.#complete(this.#view)
  }

  #complete(view: SchemaView): Design {
    const { tableName, place, isAws, isReadOnly } = this.connection
    const { showsTables = false, isOther = false, isGuessed = false } = this.connection
    return {
      ...view,
      showsTables,
      isOther,
      isGuessed,
      isPartial: false,
      table: tableName,
      schemaFile: this.#loaded.file,
      version: this.#version,
      place,
      isAws,
      isReadOnly,
      broken: this.#broken,
    }
  }

  /** A table that counts what it sends. */
  open(transport: Transport = this.connection.transport): {
    readonly table: Table<SchemaDefinition>
    readonly meter: Meter
  } {
    const meter = new Meter(transport)
    const table = new Table({
      name: this.connection.tableName,
      schema: this.#loaded.definition,
      client: meter.transport,
      onWarning: () => {},
    })
    return { table, meter }
  }

  found(item: Item): FoundItem {
    return {
      entity: modelOf({ schema: this.schema }, item)?.name ?? null,
      kept: keptKind(item[this.schema.params.typeField]?.S),
      item,
      bytes: itemSizeBytes(item),
    }
  }
}

/** Answers as an empty table does, so that requests can be seen without being sent. */
export const NOWHERE: Transport = {
  // Every read takes this for an answer: no item, no items, none left.
  send: async () => ({ Items: [], Count: 0, ScannedCount: 0 }) as never,
}

/** Outside of all that makes another request of one: the library names the one that it has sent. */
function followed(transport: Transport, causes: ChangeCauses): Transport {
  return {
    send: (operation, request, options) =>
      causes.follow({ operation, request, by: 'studio' }, (onStreamRecord) => {
        // Only an engine takes it.
        const engineOptions: EngineSendOptions = { ...options, onStreamRecord }
        return transport.send(operation, request, onStreamRecord ? engineOptions : options)
      }),
  }
}

function counted(transport: Transport, traffic: Traffic): Transport {
  return {
    send: async (operation, request, options) => {
      let answer: Awaited<ReturnType<typeof transport.send<typeof operation>>> | undefined
      try {
        answer = await transport.send(operation, metered(operation, request) ?? request, options)
        return answer
      } finally {
        traffic.note(operation, request, answer)
      }
    },
  }
}

/** Counts the requests and units of one action. */
export class Meter {
  readonly transport: Transport
  readonly #start = performance.now()
  readonly #sent: { readonly operation: string; readonly request: object }[] = []
  #units = 0
  #itemsRead = 0

  constructor(transport: Transport) {
    this.transport = {
      send: async (operation, request, options) => {
        this.#sent.push({ operation, request })
        const answer = await transport.send(operation, request, options)
        const { ConsumedCapacity, ScannedCount, Item, Items } = answer as Answer
        const consumed = Array.isArray(ConsumedCapacity) ? ConsumedCapacity : [ConsumedCapacity]
        for (const each of consumed) this.#units += each?.CapacityUnits ?? 0
        this.#itemsRead += ScannedCount ?? Items?.length ?? (Item ? 1 : 0)
        return answer
      },
    }
  }

  get sent(): readonly { readonly operation: string; readonly request: object }[] {
    return this.#sent
  }

  spent(itemsReturned: number, index: string | null): Spent {
    return {
      units: Math.round(this.#units * 10) / 10,
      itemsRead: this.#itemsRead,
      itemsReturned,
      requests: this.#sent.length,
      ms: Math.round((performance.now() - this.#start) * 10) / 10,
      index,
    }
  }
}

interface Answer {
  readonly ConsumedCapacity?:
    | { readonly CapacityUnits?: number }
    | readonly { readonly CapacityUnits?: number }[]
  readonly ScannedCount?: number
  readonly Item?: object
  readonly Items?: readonly object[]
}

function keptKind(type: string | undefined): FoundItem['kept'] {
  return type === GUARD.type ? 'guard' : type === SEQUENCE.type ? 'sequence' : null
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}
