import { getOwn, type IndexDefinition, keyAttributes } from 'singletable/tools'
import type { Design } from '../../design/design.ts'
import type { Notice, Rule } from '../rule.ts'

/** Limits of a table. (AWS, Service, account and table quotas; API reference, Projection and
 * GlobalSecondaryIndex.) */
const GLOBAL_INDEXES_MAX = 20
const LOCAL_INDEXES_MAX = 5
const PROJECTED_PER_INDEX_MAX = 20
const PROJECTED_MAX = 100
const INDEX_NAME = /^[a-zA-Z0-9_.-]{3,255}$/

export const quota: Rule = {
  code: 'I06',
  name: 'quota',
  severity: 'error',
  source: 'schema',
  title: 'The indexes break a limit of DynamoDB.',
  explanation: `DynamoDB refuses to make a table with more than 20 global or 5 local indexes, with an index that lists more than 20 attributes in its projection, with more than 100 such attributes in all its
indexes together, or with an index whose name is not 3 to 255 letters, digits, "_", "-" and ".". An attribute that two indexes list counts twice; of the library's own, the type and the time to live are
listed where a projection is a list.

  wrong   indexes: { g1: { hash: 'gsi1pk', sort: 'gsi1sk' } }
  right   indexes: { gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' } }

The number of global indexes can be raised by AWS on request; then suppress the rule and say so.`,
  *check(design) {
    const indexes = Object.entries<IndexDefinition>(design.definition.indexes ?? {}).filter(
      ([name]) => name !== 'primary',
    )
    const global = indexes.filter(([, { type }]) => type !== 'local').length
    const local = indexes.length - global
    yield* over('The number of global indexes', global, GLOBAL_INDEXES_MAX, {
      fix: 'let models share indexes: each fills the same key attributes with templates of its own',
      place: {},
    })
    yield* over('The number of local indexes', local, LOCAL_INDEXES_MAX, {
      fix: 'make some of them global',
      place: {},
    })
    let total = 0
    for (const [name] of indexes) {
      const projected = projectedCount(design, name)
      total += projected
      yield* over(
        `The number of attributes that the projection of ${name} lists`,
        projected,
        PROJECTED_PER_INDEX_MAX,
        { fix: `list fewer in project, or write project: 'all'`, place: { index: name } },
      )
      if (!INDEX_NAME.test(name)) {
        yield {
          message: `"${name}" can't be the name of an index: DynamoDB takes 3 to 255 letters, digits, "_", "-" and ".".`,
          fix: 'choose another name',
          place: { index: name },
        }
      }
    }
    yield* over('The number of attributes that projections list', total, PROJECTED_MAX, {
      fix: `list fewer in project, or write project: 'all' or 'keys'`,
      place: {},
    })
  },
}

function* over(
  what: string,
  count: number,
  max: number,
  rest: Pick<Notice, 'fix' | 'place'>,
): Iterable<Notice> {
  if (count > max) yield { message: `${what} is ${count}; the limit is ${max}.`, ...rest }
}

/** What the table's definition lists: without keys, which are always there, and with what the
 * library adds. */
function projectedCount({ schema, definition }: Design, name: string): number {
  const compiled = schema?.indexes.get(name)
  const project = compiled?.project ?? getOwn<IndexDefinition>(definition.indexes, name)?.project
  if (project === undefined || typeof project === 'string') return 0
  if (!schema || !compiled) return project.length
  const keys = [...keyAttributes(schema.primary), ...keyAttributes(compiled)]
  return project.filter((each) => !keys.includes(each)).length
}
