import type { Item } from 'singletable/engine'
import { OTHER_ORDER, OWN_WORDS, type TextPair } from './allowed-messages.ts'
import { canonical } from './canonical.ts'
import { faultStage } from './fault-stage.ts'
import type { Body, Outcome, Refused } from './outcome.ts'
import { plainNumber, withPlainNumbers } from './plain-number.ts'
import type { Step } from './program.ts'
import { type TableDesign, tableKey } from './table-design.ts'

/** A step on which the engine and DynamoDB Local did not do the same. */
export interface Disagreement {
  readonly step: Step
  readonly design: TableDesign
  readonly engine: Outcome
  readonly local: Outcome
  /** The items that the step updates, as they were before it; `undefined` where there was none. */
  readonly before: readonly (Item | undefined)[]
}

export interface AllowedDifference {
  readonly name: string
  /** What DynamoDB Local does instead, and how we know that AWS does what the engine does. */
  readonly reason: string
  matches(disagreement: Disagreement): boolean
}

/** Each rule is as narrow as it can be; what no rule allows is a failure. */
export const ALLOWED_DIFFERENCES: readonly AllowedDifference[] = [
  ...OWN_WORDS.map((pair) => textRule('its own words', pair)),
  ...OTHER_ORDER.map((pair) => textRule('another order', pair)),
  {
    name: 'which path overlaps',
    reason:
      'Local names as path two any of the paths after path one, by the order of a hash table; the engine names the one that overlaps.',
    matches: bothRefuse(({ message: own }, { message: local }) => {
      const head =
        /^Invalid \w+Expression: Two document paths (overlap|conflict) .* path one: \[.*?\], path two: /
      return own !== local && head.exec(own)?.[0] === head.exec(local)?.[0] && head.test(own)
    }),
  },
  {
    name: 'the later of two faults',
    reason:
      'Local checks a request with several faults in another order; AWS looks for one kind of fault in the whole request before the next kind (order of each operation as measured on AWS by dynalite and dynoxide).',
    matches: (disagreement) =>
      !computesNumber(disagreement) &&
      bothRefuse((own, local) => {
        const [first, second] = [faultStage(own.message), faultStage(local.message)]
        return first !== undefined && second !== undefined && first < second
      })(disagreement),
  },
  {
    name: 'precision of a result',
    reason:
      'Local has a text for results of more than 38 digits; AWS calls every such result an overflow (measured by the tests of Scylla).',
    matches: bothRefuse(
      (own, local) =>
        /^Number overflow/.test(own.message) &&
        /^DynamoDB only supports precision up to 38 digits/.test(local.message),
    ),
  },
  {
    name: 'name of a duplicate',
    reason:
      'Local says DuplicateItem; the exception is called DuplicateItemException (API reference).',
    matches: bothRefuse(
      (own, local) =>
        own.name === 'DuplicateItemException' &&
        local.name === 'DuplicateItem' &&
        own.message === local.message,
    ),
  },
  {
    name: 'reasons of a transaction',
    reason:
      'Local refuses the whole request with ValidationException where AWS cancels the transaction and gives the fault as the reason of its action.',
    matches: bothRefuse((own, local, disagreement) => {
      const fault = own.CancellationReasons?.find(({ Code }) => Code === 'ValidationError')
      return (
        fault?.Message !== undefined &&
        local.name === 'ValidationException' &&
        sameFault(disagreement, fault.Message, local.message)
      )
    }),
  },
  {
    name: 'order of names',
    reason:
      'Local lists names in the order of a hash table; the engine in the order of the request.',
    matches: bothRefuse(({ message: own }, { message: local }) => {
      const list = /(does not project|valid types:) [[{](.*)[\]}]$/
      const sorted = (text: string): string =>
        text.replace(list, (_all, head, names) => `${head} ${names.split(/, ?/).sort()}`)
      return list.test(own) && sorted(own) === sorted(local)
    }),
  },
  {
    name: 'spelling of numbers in a text',
    reason:
      'Local prints a number of the request as it was spelled; the engine prints numbers plain everywhere.',
    matches: bothRefuse(
      ({ message: own }, { message: local }) =>
        /BETWEEN operator requires/.test(own) &&
        own === local.replaceAll(/\{N:([^}]*)\}/g, (_all, text) => `{N:${plainNumber(text)}}`),
    ),
  },
  {
    name: 'full stop after a failed check',
    reason:
      'Local ends the text of a failed ConditionCheck with a full stop, that of other actions without.',
    matches: bothRefuse((own, local) => {
      const reasons = local.CancellationReasons?.map((reason) =>
        reason.Message === undefined
          ? reason
          : { ...reason, Message: reason.Message.replace(/\.$/, '') },
      )
      return (
        own.message === local.message && canonical(own.CancellationReasons) === canonical(reasons)
      )
    }),
  },
  {
    name: 'projection of nothing in a transaction',
    reason:
      'Local gives an empty item where a projection matches nothing; AWS leaves the item out (measured by dynoxide).',
    matches: ({ step, engine, local }) =>
      step.operation === 'TransactGetItems' &&
      engine.pages !== undefined &&
      local.pages !== undefined &&
      canonical(engine.pages[0]?.Responses) ===
        canonical(local.pages[0]?.Responses).replaceAll('{"Item":{}}', '{}'),
  },
  {
    name: 'one key twice',
    reason:
      'Local compares the keys of one request as strings, so that 1 and 1.0 are two, and binary keys as objects; they are one item, which AWS refuses to name twice.',
    matches: ({ step, design, engine, local }) =>
      (local.error === undefined || !isValidation(local.error)) &&
      /multiple operations on one item|list of item keys contains duplicates/.test(
        engine.error?.message ?? '',
      ) &&
      keysTwice(step, design),
  },
  {
    name: 'filter on what an index does not project',
    reason:
      'Local filters the scan of an index by attributes that the index does not hold, reading the table; AWS refuses that in a Query and never reads the table for a global index.',
    matches: ({ step, design, engine, local }) => {
      const index = design.indexes.find(({ name }) => name === step.request.IndexName)
      const scanned = (pages: readonly Body[]): number =>
        pages.reduce((sum, page) => sum + Number(page.ScannedCount), 0)
      return (
        step.operation === 'Scan' &&
        index !== undefined &&
        index.projection !== 'ALL' &&
        (step.request.FilterExpression ?? step.request.ScanFilter) !== undefined &&
        engine.pages !== undefined &&
        local.pages !== undefined &&
        scanned(engine.pages) === scanned(local.pages)
      )
    },
  },
  {
    name: 'a local index key of a wrong type',
    reason:
      'Local overlooks the type of a local index key in some updates, and then holds an item that its index cannot; AWS refuses such a value in every write (Developer Guide on index keys).',
    matches: ({ step, engine, local }) => {
      const reasons = engine.error?.CancellationReasons?.map(({ Message }) => Message) ?? []
      return (
        (step.operation === 'UpdateItem' || step.operation === 'TransactWriteItems') &&
        local.error === undefined &&
        [engine.error?.message, ...reasons].some((text) =>
          /Type mismatch for Index Key .* IndexName: local$/.test(text ?? ''),
        )
      )
    },
  },
  {
    name: 'an update that only removes, without an item',
    reason: 'Local makes an item of the key alone and shows it; AWS makes none (tests of Scylla).',
    matches: ({ step, design, engine, local, before }) => {
      const keys = new Set(tableKey(design).map(({ name }) => name))
      const shown = Object.keys(local.pages?.[0]?.Attributes ?? {})
      return (
        step.operation === 'UpdateItem' &&
        before[0] === undefined &&
        engine.pages !== undefined &&
        engine.pages[0]?.Attributes === undefined &&
        shown.length > 0 &&
        shown.every((name) => keys.has(name))
      )
    },
  },
  {
    name: 'the first of several faults in an update',
    reason:
      'An update with several faults that show only when it is applied: Local computes sums of constants first, and looks for removed paths before it reads values.',
    matches: (disagreement) =>
      SEVERAL_ACTIONS.test(JSON.stringify(disagreement.step.request)) &&
      bothRefuse(
        (own, local) =>
          (APPLY_FAULT.test(own.message) || /^Number overflow/.test(own.message)) &&
          (APPLY_FAULT.test(local.message) ||
            /^DynamoDB only supports precision|^Number overflow/.test(local.message)),
      )(disagreement),
  },
  {
    name: 'reasons together with a fault',
    reason:
      'Local continues after a faulty action of a transaction, or gives no reasons but that one; on AWS a fault ends the check, all other reasons are None (tests of Scylla).',
    matches: bothRefuse((own, local, disagreement) => {
      const isFault = ({ Code }: { readonly Code: string }): boolean => Code === 'ValidationError'
      const fault = own.CancellationReasons?.find(isFault)
      const other = local.CancellationReasons?.find(isFault)?.Message ?? local.message
      return (
        fault?.Message !== undefined &&
        local.name === 'TransactionCanceledException' &&
        sameFault(disagreement, fault.Message, other)
      )
    }),
  },
  {
    name: 'faults of several actions',
    reason:
      'Local checks keys and values of all actions before it runs the first; AWS cancels with the first action that has a fault.',
    matches: bothRefuse((own, local) => {
      const fault = own.CancellationReasons?.find(({ Code }) => Code === 'ValidationError')
      return (
        fault?.Message !== undefined &&
        own.CancellationReasons?.length !== 1 &&
        local.name === 'ValidationException' &&
        /key|Key|attribute value type|update expression|does not exist in the item|multiple operations|only supports precision|overflow/.test(
          local.message,
        )
      )
    }),
  },
  {
    name: 'restart of a query for one item',
    reason:
      'Local lets a query that can find one item at most continue; AWS gives no key to continue from and refuses one (tests of Scylla).',
    matches: ({ step, engine, local }) =>
      step.operation === 'Query' &&
      local.pages !== undefined &&
      (/^The provided exclusive start key is invalid|^The query can return at most one row/.test(
        engine.error?.message ?? '',
      ) ||
        (step.request.Limit === 1 &&
          engine.pages?.length === 1 &&
          local.pages.length === 2 &&
          local.pages[1]?.ScannedCount === 0 &&
          canonical(engine.pages[0]) ===
            canonical({ ...local.pages[0], LastEvaluatedKey: undefined }))),
  },
  {
    name: 'the reserved word size',
    reason:
      "Local takes size as a name in expressions; it is on AWS's list of reserved words (Developer Guide).",
    matches: ({ engine }) => /reserved keyword: size$/i.test(engine.error?.message ?? ''),
  },
  {
    name: 'parts of updated attributes',
    reason:
      'For UPDATED_OLD and UPDATED_NEW Local shows the whole attribute around an updated path; AWS shows the path alone (tests of Scylla).',
    matches: ({ step, engine, local }) =>
      step.operation === 'UpdateItem' &&
      /^UPDATED_/.test(String(step.request.ReturnValues)) &&
      /[.[]/.test(String(step.request.UpdateExpression)) &&
      engine.pages !== undefined &&
      local.pages !== undefined &&
      isPart(engine.pages[0]?.Attributes, local.pages[0]?.Attributes),
  },
  {
    name: 'a failure of Local',
    reason: 'Local fails on IS MISSING for a key attribute.',
    matches: ({ step, local }) =>
      step.operation === 'ExecuteStatement' &&
      /IS (NOT )?MISSING/.test(String(step.request.Statement)) &&
      local.error?.name === 'InternalFailure',
  },
  {
    name: 'a key attribute twice in a WHERE clause',
    reason:
      'Local takes every comparison with a key attribute for a key condition and refuses other types; where the whole key is given, the rest of a WHERE clause is a filter, which compares any types.',
    matches: ({ step, design, engine, local }) =>
      step.operation === 'ExecuteStatement' &&
      engine.pages !== undefined &&
      /Condition parameter type does not match schema type$/.test(local.error?.message ?? '') &&
      tableKey(design).some(
        ({ name }) => String(step.request.Statement).split(`"${name}"`).length > 2,
      ),
  },
  {
    name: 'a number added in another spelling',
    reason:
      'Local keeps set elements of updates as they were spelled, and then finds two of one number in the union; AWS stores numbers, not spellings.',
    matches: ({ step, engine, local }) =>
      step.operation === 'UpdateItem' &&
      engine.pages !== undefined &&
      local.error?.message === 'Input collection contains duplicates' &&
      /"Action":"ADD"|\badd\b/i.test(JSON.stringify(step.request)),
  },
  {
    name: 'the end of a range',
    reason:
      'Local knows that nothing follows the bound of BETWEEN, <= or >=: it gives no key to continue from there, and for BETWEEN refuses one. AWS gives one whenever Limit ended the page.',
    matches: ({ step, engine, local }) =>
      step.operation === 'Query' &&
      / between |<=|>=|"BETWEEN"|"LE"|"GE"/i.test(
        JSON.stringify([step.request.KeyConditionExpression, step.request.KeyConditions]),
      ) &&
      engine.pages !== undefined &&
      (local.pages === undefined
        ? /^The provided starting key does not match the range key predicate$/.test(
            local.error.message,
          )
        : canonical(withoutLastKey(engine.pages)) === canonical(withoutLastKey(local.pages))),
  },
  {
    name: 'a token used again',
    reason:
      'Local looks at the token before it looks at the request; AWS validates a request first.',
    matches: bothRefuse(
      (own, local) => isValidation(own) && local.name === 'IdempotentParameterMismatchException',
    ),
  },
  {
    name: 'types of the keys of local indexes',
    reason:
      'Local does not check in updates that the sort key of a local index has its type; AWS refuses the update (Developer Guide on index keys; tests of Scylla).',
    matches: ({ step, design, engine, local }) =>
      local.error === undefined &&
      canonical(engine.error).includes(
        'The update expression attempted to update the secondary index key to unsupported type',
      ) &&
      design.indexes.some(
        (index) => index.local && index.sort.some(({ name }) => mentions(step, name)),
      ),
  },
  {
    name: 'paths of a ConditionCheck',
    reason:
      'Local refuses to look inside a key attribute in every condition but that of a ConditionCheck.',
    matches: ({ step, engine, local }) =>
      local.error?.name !== 'ValidationException' &&
      canonical(engine.error).includes('Key attributes must be scalars') &&
      canonical(step.request).includes('"ConditionCheck"'),
  },
  {
    name: 'which index refuses',
    reason:
      'For a value that no index can take the message names one of the indexes; Local may name another.',
    matches: bothRefuse(({ message: own }, { message: local }) => {
      const head = (text: string): string => text.replace(/ IndexName: [\w-]+/, '')
      return /IndexName: /.test(own) && head(own) === head(local)
    }),
  },
  {
    name: 'paths into an item that does not exist',
    reason:
      'Local refuses to remove a nested attribute of an item that does not exist; on AWS there is nothing to remove (tests of Scylla).',
    matches: ({ step, engine, local, before }) =>
      engine.error === undefined &&
      /^The document path provided in the update expression is invalid/.test(
        local.error?.message ?? '',
      ) &&
      before.includes(undefined) &&
      /remove [^=]*[.[]/i.test(JSON.stringify(step.request)),
  },
]

/** An update expression with two actions or with an action that computes. */
const SEVERAL_ACTIONS =
  /"UpdateExpression":"([^"]*[,+-]|.*\b(set|remove|add|delete)\b.*\b(set|remove|add|delete)\b)/i

const APPLY_FAULT =
  /^The provided expression refers to an attribute that does not exist|^The document path provided in the update expression|^An operand in the update expression/

/** Whether the engine refuses the result of a computation, not a number of the request: then
 * nothing earlier was wrong. */
function computesNumber({ step, engine }: Disagreement): boolean {
  return (
    /^Number overflow/.test(engine.error?.message ?? '') &&
    !/"-?1e126"/.test(JSON.stringify(step.request))
  )
}

/** Whether an expression of the step names the attribute, in place or behind a placeholder. */
function mentions({ request }: Step, name: string): boolean {
  const text = JSON.stringify(request)
  return new RegExp(`[ ,"]${name} ?=`).test(text) || text.includes(`:${JSON.stringify(name)}`)
}

/** Whether a value is what a projection could leave of another. */
function isPart(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part) && Array.isArray(whole)) {
    let next = 0
    return part.every((element) => {
      while (next < whole.length && !isPart(element, whole[next])) next++
      return next++ < whole.length
    })
  }
  if (typeof part !== 'object' || typeof whole !== 'object' || part === null || whole === null) {
    return part === whole
  }
  const members = whole as Record<string, unknown>
  return Object.entries(part).every(
    ([name, member]) =>
      Object.hasOwn(members, name) &&
      (canonical({ [name]: member }) === canonical({ [name]: members[name] }) ||
        isPart(member, members[name])),
  )
}

/** The pages without the empty one at the end and without the key that led to it. */
function withoutLastKey(pages: readonly Body[]): Body[] {
  const filled = pages.filter(({ ScannedCount }) => ScannedCount !== 0)
  return filled.map(({ ConsumedCapacity, LastEvaluatedKey, ...page }, place) =>
    place === filled.length - 1 ? page : { ...page, LastEvaluatedKey },
  )
}

/** Whether two keys of the request are equal once their numbers are spelled alike. */
function keysTwice({ request }: Step, design: TableDesign): boolean {
  const keys = keysOf(request).map((source) =>
    canonical(tableKey(design).map(({ name }) => withPlainNumbers(source[name]))),
  )
  return new Set(keys).size < keys.length
}

interface Keyed {
  readonly Key?: Item
  readonly Item?: Item
}

function keysOf({ TransactItems, RequestItems }: Step['request']): Item[] {
  const listed = Object.values((RequestItems ?? {}) as Record<string, { readonly Keys?: Item[] }>)
  const actions = (TransactItems ?? []) as readonly Record<string, Keyed>[]
  const keyed = actions.flatMap((action) => Object.values(action))
  return [
    ...listed.flatMap(({ Keys = [] }) => Keys),
    ...keyed.flatMap(({ Key, Item: item = Key }) => (item === undefined ? [] : [item])),
  ]
}

/** The rule that allows the disagreement, or `undefined`. */
export function allowedBy(disagreement: Disagreement): AllowedDifference | undefined {
  return ALLOWED_DIFFERENCES.find((rule) => rule.matches(disagreement))
}

function textRule(name: string, [engine, local]: TextPair): AllowedDifference {
  return {
    name: `${name}: ${local.source}`,
    reason: 'see allowed-messages.ts',
    matches: bothRefuse(
      (own, other) =>
        own.name === other.name && engine.test(own.message) && local.test(other.message),
    ),
  }
}

function bothRefuse(
  matches: (engine: Refused, local: Refused, disagreement: Disagreement) => boolean,
): (disagreement: Disagreement) => boolean {
  return (disagreement) => {
    const { engine, local } = disagreement
    if (engine.error === undefined || local.error === undefined) return false
    return matches(engine.error, local.error, disagreement)
  }
}

function isValidation({ name }: Refused): boolean {
  return name === 'ValidationException'
}

/** Whether two strings are equal or allowed to differ where the disagreement is. */
function sameFault(disagreement: Disagreement, engine: string, local: string): boolean {
  if (engine === local) return true
  const refused = (message: string): Outcome => ({
    error: { name: 'ValidationException', message },
  })
  const reworded = { ...disagreement, engine: refused(engine), local: refused(local) }
  return allowedBy(reworded) !== undefined
}
