import type { Extra } from './extra.ts'
import { InfraError } from './infra-error.ts'
import { camelName, pascalName } from './names.ts'
import { type Literal, printCode } from './print-code.ts'
import { encryptionArgument, replicaArguments, unitsArguments } from './pulumi.ts'
import type { IndexShape, TableShape } from './table-shape.ts'

const TYPES = { S: 'string', N: 'number', B: 'binary' } as const
const STREAMS = {
  KEYS_ONLY: 'keys-only',
  NEW_IMAGE: 'new-image',
  OLD_IMAGE: 'old-image',
  NEW_AND_OLD_IMAGES: 'new-and-old-images',
} as const

/** SST's component for the `run` of an sst.config.ts. What it has no words for is set on the
 * resource it makes. */
export function printSst(shape: TableShape, extra: Extra = {}): string {
  const { ttl, stream, sort } = shape
  if (!shape.pointInTimeRecovery) {
    throw new InfraError(
      'SST always turns point-in-time recovery on, and the schema turns it off.',
      'leave pointInTimeRecovery: false out of the schema, or use another target',
    )
  }
  if (shape.capacity) {
    throw new InfraError(
      "SST's tables are on demand, and the schema asks for fixed capacity.",
      'leave billing out of the schema, or use another target',
    )
  }
  const properties: { readonly [name: string]: Literal } = {
    fields: new Map(shape.keys.map(({ name, type }) => [name, TYPES[type]])),
    primaryIndex: { hashKey: shape.hash, rangeKey: sort },
    globalIndexes: mapOrNone(shape.global.map((index) => [index.name, globalIndex(index)])),
    localIndexes: mapOrNone(
      shape.local.map((index) => [
        index.name,
        { rangeKey: index.sort[0], projection: projected(index) },
      ]),
    ),
    ttl,
    stream: stream && STREAMS[stream],
    deletionProtection: shape.deletionProtection,
    ...extra,
  }
  const text = printCode(properties)
  const transform = printTransform(shape)
  const opened = text.endsWith('\n}') ? text.slice(0, -1) : `${text.slice(0, -2)},\n`
  return [
    '// SST names the table by app and stage, pays by request and turns point-in-time recovery on.',
    `export const ${camelName(shape.name)} = new sst.aws.Dynamo('${pascalName(shape.name)}', ${opened}${transform}})`,
    '',
  ].join('\n')
}

function globalIndex({ hash, sort, ...index }: IndexShape): Literal {
  // Lists are for keys of several attributes; older versions of SST know none.
  const oneOrList = (names: readonly string[]): Literal => (names.length > 1 ? names : names[0])
  return { hashKey: oneOrList(hash), rangeKey: oneOrList(sort), projection: projected(index) }
}

function projected({ projection }: Pick<IndexShape, 'projection'>): Literal {
  if (typeof projection === 'object') return projection
  return projection === 'ALL' ? 'all' : 'keys-only'
}

function printTransform(shape: TableShape): string {
  const { infrequentAccess, tags, recoveryDays } = shape
  const settings: string[] = []
  const set = (name: string, value: Literal): void => {
    if (value !== undefined) settings.push(`args.${name} = ${printCode(value, '      ')}`)
  }
  const own = { ...unitsArguments(shape), ...replicaArguments(shape) }
  for (const [name, value] of Object.entries(own)) set(name, value)
  const units = mapOrNone(
    shape.global.flatMap((index) =>
      index.maximum || index.warm ? [[index.name, unitsArguments(index)] as const] : [],
    ),
  )
  if (units) {
    settings.push(
      `const units: Record<string, object> = ${printCode(units, '      ')}`,
      'args.globalSecondaryIndexes = $util',
      '  .output(args.globalSecondaryIndexes)',
      '  .apply((all) => all?.map((index) => ({ ...index, ...units[index.name] })))',
    )
  }
  if (recoveryDays !== undefined) {
    set('pointInTimeRecovery', { enabled: true, recoveryPeriodInDays: recoveryDays })
  }
  set('serverSideEncryption', encryptionArgument(shape))
  if (infrequentAccess) settings.push("args.tableClass = 'STANDARD_INFREQUENT_ACCESS'")
  if (tags.size > 0) settings.push(`args.tags = ${printCode(tags, '      ')}`)
  return [
    '  transform: {',
    `    table: (${settings.length > 0 ? 'args' : '_args'}, options) => {`,
    ...[...settings, 'options.retainOnDelete = true'].map((line) => `      ${line}`),
    '    },',
    '  },',
    '',
  ].join('\n')
}

function mapOrNone(
  entries: readonly (readonly [string, Literal])[],
): ReadonlyMap<string, Literal> | undefined {
  return entries.length > 0 ? new Map(entries) : undefined
}
