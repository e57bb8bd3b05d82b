import type { Model, Pattern, Schema } from 'singletable/tools'
import { patternActions } from './iam-actions.ts'
import { leadingKeys, type ScopeValue } from './iam-leading-keys.ts'
import { InfraError, InfraUsageError } from './infra-error.ts'
import { checkNames } from './table-shape.ts'

export interface IamOptions {
  readonly table: string
  /** `*` unless given. */
  readonly region?: string | undefined
  readonly account?: string | undefined
  /** The partition of AWS, such as `aws-cn`. */
  readonly partition?: string | undefined
  /** What callers are kept within: an attribute at the head of all partition keys. */
  readonly scope?: ScopeValue | undefined
  /** The patterns that are allowed; all unless given. */
  readonly patterns?: readonly string[] | undefined
}

export interface PolicyStatement {
  readonly Sid: string
  readonly Effect: 'Allow'
  readonly Action: readonly string[]
  readonly Resource: string
  readonly Condition?: {
    readonly 'ForAllValues:StringLike': { readonly 'dynamodb:LeadingKeys': readonly string[] }
    /** Without it a call that has no key, such as a scan, would pass the condition above. */
    readonly Null: { readonly 'dynamodb:LeadingKeys': 'false' }
  }
}

export interface Policy {
  readonly Version: '2012-10-17'
  readonly Statement: readonly PolicyStatement[]
}

/** What is done on one index of the table, and the models whose keys it is done with. */
interface Use {
  readonly actions: Set<string>
  readonly models: Set<Model>
  /** Those that are written: the guards of their unique values are written with them. */
  readonly written: Set<Model>
}

const WRITES = /^(Put|Update|Delete|BatchWrite|ConditionCheck)/

/** The policy that allows what the declared access patterns do, and nothing else. */
export function iamPolicy(schema: Schema, options: IamOptions): Policy {
  checkNames(schema, options.table)
  checkArnParts(options)
  const uses = usesOf(schema, options)
  const { region = '*', account = '*', partition = 'aws', table, scope } = options
  const arn = `arn:${partition}:dynamodb:${region}:${account}:table/${table}`
  const statements: PolicyStatement[] = []
  // In the order of the schema, whatever pattern was first.
  for (const [position, name] of [...schema.indexes.keys()].entries()) {
    const use = uses.get(name)
    if (use === undefined) continue
    const keys = scope && leadingKeys(schema, name, use, scope)
    statements.push({
      Sid: name === 'primary' ? 'Table' : `Index${position}${name.replace(/[^a-zA-Z0-9]/g, '')}`,
      Effect: 'Allow',
      Action: [...use.actions].sort().map((action) => `dynamodb:${action}`),
      Resource: name === 'primary' ? arn : `${arn}/index/${name}`,
      ...(keys && {
        Condition: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys },
          Null: { 'dynamodb:LeadingKeys': 'false' },
        },
      }),
    })
  }
  return { Version: '2012-10-17', Statement: statements }
}

function checkArnParts({ region = '*', account = '*', partition = 'aws' }: IamOptions): void {
  const parts = [
    [region, /^([a-z0-9-]+|\*)$/, 'region', 'such as eu-west-1'],
    [account, /^(\d{12}|\*)$/, 'account', 'of twelve digits'],
    [partition, /^aws[a-z-]*$/, 'partition', 'such as aws or aws-cn'],
  ] as const
  for (const [text, pattern, what, such] of parts) {
    if (pattern.test(text)) continue
    throw new InfraUsageError(`"${text}" is not a valid AWS ${what}.`, `give one ${such}`)
  }
}

function usesOf(schema: Schema, options: IamOptions): ReadonlyMap<string, Use> {
  const patterns = chosenPatterns(schema, options.patterns)
  const uses = new Map<string, Use>()
  for (const pattern of patterns) {
    for (const { index, actions, models } of patternActions(pattern)) {
      if (options.scope && actions.includes('Scan')) {
        throw new InfraError(
          `The pattern "${pattern.name}" scans the table, which no policy can limit to a scope.`,
          'leave the pattern out with --pattern, and give what runs it a policy of its own',
        )
      }
      const use = uses.get(index) ?? {
        actions: new Set(),
        models: new Set(),
        written: new Set(),
      }
      uses.set(index, use)
      for (const action of actions) use.actions.add(action)
      const isWrite = actions.some((action) => WRITES.test(action))
      for (const model of models) {
        use.models.add(model)
        if (isWrite) use.written.add(model)
      }
    }
  }
  return uses
}

function chosenPatterns(schema: Schema, names: readonly string[] | undefined): readonly Pattern[] {
  const { patterns } = schema
  const unknown = names?.find((name) => !patterns.has(name))
  if (unknown !== undefined) {
    throw new InfraUsageError(
      `The schema has no pattern "${unknown}".`,
      `choose among ${[...patterns.keys()].join(', ') || 'those that it declares: there is none'}`,
    )
  }
  const chosen = [...patterns.values()].filter(({ name }) => !names || names.includes(name))
  if (chosen.length === 0) {
    throw new InfraError(
      'The schema declares no access pattern, so it is unknown what to allow.',
      'declare patterns in the schema',
    )
  }
  return chosen
}
