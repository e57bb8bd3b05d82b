import { getOwn } from 'singletable/tools'
import type { Rule } from '../rule.ts'

export const noEntityType: Rule = {
  code: 'K14',
  name: 'no-entity-type',
  severity: 'warning',
  source: 'data',
  title: 'Items have no type attribute.',
  explanation: `Each item of this library has its model's name in an attribute, _type unless params.typeField says otherwise. Streams, exports, scans, the console and every query over several models distinguish items by it. Items that something else wrote may lack it: the library then knows them by their keys alone, if these are unambiguous.

The rule needs a sample of the table (--sample).

  wrong   { pk: 'USER#alice', sk: 'PROFILE', name: 'Alice' }
  right   { pk: 'USER#alice', sk: 'PROFILE', name: 'Alice', _type: 'User' }

If they have the type under another name, declare it: params: { typeField: 'entityType' }. Otherwise add it to the items.`,
  *check({ definition, sample }) {
    const typeField = definition.params?.typeField ?? '_type'
    const without = (sample?.items ?? []).filter((item) => getOwn(item, typeField)?.S === undefined)
    const [first] = without
    if (sample === undefined || first === undefined) return
    const { hash, sort } = definition.indexes.primary
    const key = [hash, sort].flatMap((name) =>
      name === undefined ? [] : [`${name} = ${JSON.stringify(getOwn(first, name)?.S ?? '?')}`],
    )
    const isAll = without.length === sample.items.length
    yield {
      message: `Items carry no entity type ("${typeField}"): ${isAll ? 'all' : `${without.length} of`} ${sample.items.length} sampled, e.g. ${key.join(', ')}; debugging, streams and exports need one.`,
      fix: `name the attribute that has it in params.typeField, or add ${typeField} to the items`,
      place: {},
    }
  },
}
