import { type Model, type Pattern, planPattern } from 'singletable/tools'

/** What a pattern does on one index; transactions and batches need the rights of what is in
 * them. */
export interface PatternActions {
  /** By name; `primary` is the table itself. */
  readonly index: string
  readonly actions: readonly string[]
  /** The models with whose keys it is done. */
  readonly models: readonly Model[]
}

/** All that one pattern does, as the library carries it out. */
export function patternActions(pattern: Pattern): readonly PatternActions[] {
  const { definition, models, use, target, steps } = pattern
  const onTable = (...actions: readonly string[]): PatternActions => ({
    index: 'primary',
    actions,
    models,
  })
  switch (definition.op) {
    case 'external':
      return []
    case 'transact':
      return [...steps.values()].flatMap(patternActions)
    case 'query': {
      const query = { index: use?.index.name ?? 'primary', actions: ['Query'], models }
      return target
        ? [query, { index: 'primary', actions: ['BatchGetItem'], models: [target] }]
        : [query]
    }
    case 'scan':
      return [onTable('Scan')]
    case 'get':
    case 'transactGet':
      return [onTable('GetItem')]
    case 'batchGet':
      return [onTable('BatchGetItem')]
    case 'check':
      return [onTable('ConditionCheckItem')]
    default:
      return [writeActions(pattern)]
  }
}

/** A write with all that follows from it: copies, guards of unique values, counters, and what is
 * read before. */
function writeActions(pattern: Pattern): PatternActions {
  const { definition, models } = pattern
  const [model] = models
  const { op } = definition
  const plan = planPattern(pattern)
  const action = op === 'update' ? 'UpdateItem' : op === 'delete' ? 'DeleteItem' : 'PutItem'
  const actions = new Set([action])
  const isMove =
    op === 'update' && (definition.set ?? []).some((name) => model?.primary.names.includes(name))
  if (plan.requests > 1 || isMove) actions.add('GetItem')
  if (isMove) actions.add('PutItem').add('DeleteItem')
  if (plan.op !== 'TransactWriteItems') {
    return { index: 'primary', actions: [...actions], models }
  }
  const { copies = [], unique = [], counters = [] } = model?.derivedItems ?? {}
  if (copies.length + unique.length > 0) {
    if (op !== 'delete') actions.add('PutItem')
    if (op !== 'create') actions.add('DeleteItem')
  }
  if (counters.length > 0) actions.add('UpdateItem')
  // What has expired and is not deleted yet is deleted first, with all that followed from it.
  if (op === 'create' && model?.ttl) actions.add('GetItem').add('DeleteItem')
  const others = [...copies.map((copy) => copy.model), ...counters.map(({ parent }) => parent)]
  return { index: 'primary', actions: [...actions], models: [...models, ...others] }
}
