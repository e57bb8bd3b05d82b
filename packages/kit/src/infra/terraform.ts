import { named } from './cloudformation.ts'
import type { Extra, Json } from './extra.ts'
import { InfraError } from './infra-error.ts'
import { snakeName } from './names.ts'
import { type Hcl, type HclValue, printHcl } from './print-hcl.ts'
import {
  AWS_MANAGED,
  type Capacity,
  type IndexShape,
  keyArn,
  type TableShape,
  type Units,
} from './table-shape.ts'

/** Since this version indexes have `key_schema`, which keys of several attributes need. */
const PROVIDER = '>= 6.29.0'

export interface TerraformOptions {
  readonly extra?: Extra | undefined
  /** The provider's major version: 5 knows `hash_key` alone. */
  readonly provider?: 5 | 6 | undefined
}

export function printTerraform(shape: TableShape, options: TerraformOptions = {}): string {
  const isOld = options.provider === 5
  const providers: readonly Hcl[] = [
    argument(
      'aws',
      new Map([
        ['source', 'hashicorp/aws'],
        ['version', isOld ? '>= 5.0.0' : PROVIDER],
      ]),
    ),
  ]
  return printHcl([
    block('terraform', [block('required_providers', providers)]),
    {
      block: 'resource',
      labels: ['aws_dynamodb_table', snakeName(shape.name)],
      body: tableBody(shape, isOld, options.extra ?? {}),
    },
  ])
}

function tableBody(shape: TableShape, isOld: boolean, extra: Extra): readonly Hcl[] {
  const { capacity, ttl, stream, tags } = shape
  return [
    argument('name', shape.name),
    argument('billing_mode', capacity ? 'PROVISIONED' : 'PAY_PER_REQUEST'),
    ...capacityArguments(capacity),
    argument('hash_key', shape.hash),
    ...(shape.sort === undefined ? [] : [argument('range_key', shape.sort)]),
    argument('deletion_protection_enabled', shape.deletionProtection),
    ...(shape.infrequentAccess ? [argument('table_class', 'STANDARD_INFREQUENT_ACCESS')] : []),
    ...(stream ? [argument('stream_enabled', true), argument('stream_view_type', stream)] : []),
    ...(tags.size > 0 ? [argument('tags', tags)] : []),
    ...Object.entries(extra).map(([name, value]) => extraPart(name, value)),
    ...shape.keys.map(({ name, type }) =>
      block('attribute', [argument('name', name), argument('type', type)]),
    ),
    ...(ttl === undefined
      ? []
      : [block('ttl', [argument('attribute_name', ttl), argument('enabled', true)])]),
    ...unitsBlocks(shape),
    block('point_in_time_recovery', [
      argument('enabled', shape.pointInTimeRecovery),
      ...(shape.recoveryDays === undefined
        ? []
        : [argument('recovery_period_in_days', shape.recoveryDays)]),
    ]),
    ...(shape.encryptionKey === undefined
      ? []
      : [
          block('server_side_encryption', [
            argument('enabled', true),
            ...(shape.encryptionKey === AWS_MANAGED
              ? []
              : [argument('kms_key_arn', keyArn(shape.encryptionKey, 'Terraform'))]),
          ]),
        ]),
    ...shape.replicas.map((region) =>
      block('replica', [
        argument('region_name', region),
        ...(shape.isStrong ? [argument('consistency_mode', 'STRONG')] : []),
        argument('point_in_time_recovery', shape.pointInTimeRecovery),
        ...(tags.size > 0 ? [argument('propagate_tags', true)] : []),
        ...(isOld ? [] : [argument('deletion_protection_enabled', shape.deletionProtection)]),
      ]),
    ),
    ...(shape.witness === undefined
      ? []
      : [block('global_table_witness', [argument('region_name', shape.witness)])]),
    ...shape.global.map((index) => block('global_secondary_index', globalBody(index, isOld))),
    ...shape.local.map((index) =>
      block('local_secondary_index', [
        argument('name', index.name),
        argument('range_key', index.sort[0] ?? ''),
        ...projectionArguments(index),
      ]),
    ),
    block('lifecycle', [argument('prevent_destroy', true)]),
  ]
}

function globalBody(index: IndexShape, isOld: boolean): readonly Hcl[] {
  const { name, hash, sort, capacity } = index
  if (isOld && (hash.length > 1 || sort.length > 1)) {
    throw new InfraError(
      `The index "${name}" has several key attributes, which version 5 of Terraform's provider doesn't know.`,
      'leave out --tf-provider 5, and use version 6.29 or newer',
    )
  }
  const rest = [...capacityArguments(capacity), ...projectionArguments(index)]
  if (isOld) {
    return [
      argument('name', name),
      ...hash.map((attribute) => argument('hash_key', attribute)),
      ...sort.map((attribute) => argument('range_key', attribute)),
      ...rest,
      ...unitsBlocks(index),
    ]
  }
  const keyPart = (type: string) => (attribute: string) =>
    block('key_schema', [argument('attribute_name', attribute), argument('key_type', type)])
  return [
    argument('name', name),
    ...rest,
    ...hash.map(keyPart('HASH')),
    ...sort.map(keyPart('RANGE')),
    ...unitsBlocks(index),
  ]
}

function projectionArguments({ projection }: IndexShape): readonly Hcl[] {
  if (typeof projection === 'string') return [argument('projection_type', projection)]
  return [argument('projection_type', 'INCLUDE'), argument('non_key_attributes', projection)]
}

/** What the table or an index serves each second at most, and at once. */
function unitsBlocks({ maximum, warm }: Pick<IndexShape, 'maximum' | 'warm'>): readonly Hcl[] {
  return [
    ...unitsBlock('on_demand_throughput', maximum, [
      'max_read_request_units',
      'max_write_request_units',
    ]),
    ...unitsBlock('warm_throughput', warm, ['read_units_per_second', 'write_units_per_second']),
  ]
}

function unitsBlock(
  name: string,
  units: Units | undefined,
  [read, write]: readonly [string, string],
): readonly Hcl[] {
  if (units === undefined) return []
  const given = Object.entries(named(units, read, write))
  return [
    block(
      name,
      given.map(([option, value]) => argument(option, value)),
    ),
  ]
}

function capacityArguments(capacity: Capacity | undefined): readonly Hcl[] {
  if (capacity === undefined) return []
  return [argument('read_capacity', capacity.read), argument('write_capacity', capacity.write)]
}

/** An object of the user is a block, and anything else an argument. */
function extraPart(name: string, value: Json): Hcl {
  if (!/^[a-zA-Z_][\w-]*$/.test(name)) {
    throw new InfraError(
      `"${name}" can't be an argument in Terraform.`,
      'name the arguments of aws_dynamodb_table',
    )
  }
  if (value === null || Array.isArray(value) || typeof value !== 'object') {
    return argument(name, argumentValue(name, value))
  }
  return block(
    name,
    Object.entries(value).map(([inner, each]) => extraPart(inner, each)),
  )
}

function argumentValue(name: string, value: Json): HclValue {
  if (Array.isArray(value)) return value.map((item: Json) => argumentValue(name, item))
  if (typeof value === 'object') {
    throw new InfraError(
      `"${name}" has ${value === null ? 'null' : 'an object in a list'}, which is not a value in Terraform.`,
      'give strings, numbers, booleans, lists of them, or an object for a block',
    )
  }
  return value as HclValue
}

function argument(name: string, value: HclValue): Hcl {
  return { argument: name, value }
}

function block(name: string, body: readonly Hcl[]): Hcl {
  return { block: name, body }
}
