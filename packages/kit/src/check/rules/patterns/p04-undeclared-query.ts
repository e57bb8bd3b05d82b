import type { Design } from '../../design.ts'
import { placeholders } from '../../index-answer.ts'
import type { RecordedShape } from '../../recording.ts'
import type { Rule } from '../../rule.ts'
import { writtenModels } from '../../written-model.ts'

export const undeclaredQuery: Rule = {
  code: 'P04',
  name: 'undeclared-query',
  severity: 'warning',
  source: 'recording',
  title: 'A query that was recorded belongs to no declared pattern.',
  explanation: `The list of access patterns is worth something only if it is complete: the document, the cost and the proofs know nothing of a query that is not on it.

  wrong   await table.entities.Post.query({ username }).execute()                        // nobody declared it
  right   patterns: { postsByUser: { op: 'query', entity: 'Post', by: ['username'] } }
          await table.patterns.postsByUser({ username })

Queries and scans count, of which a recording of your tests has the shapes. A query through an entity is matched with the patterns by its plan, so it need not be called by name.`,
  *check(design) {
    for (const shape of design.recording?.shapes ?? []) {
      const { operation, index, key, pattern, count } = shape
      if (pattern !== null || (operation !== 'Query' && operation !== 'Scan')) continue
      const on = index ?? 'primary'
      const by = key === null ? '' : ` by ${key}`
      yield {
        message: `${operation} on ${on}${by} (${count}× in tests) has no pattern.`,
        fix: `declare it under patterns: ${snippetOf(design, shape)}`,
        place: { index: on },
      }
    }
  },
}

/** A pattern that would send it, as far as the keys tell. */
function snippetOf(design: Design, { operation, index, key }: RecordedShape): string {
  if (operation === 'Scan') return `{ op: 'scan', reason: '…' }`
  const { entities, by } = guess(design, index ?? 'primary', key ?? '')
  const entity = entities.length === 1 ? `'${entities[0]}'` : `[${entities.map(quote).join(', ')}]`
  const named = index === null || index === 'primary' ? '' : ` index: '${index}',`
  return entities.length === 0
    ? `{ op: 'query', entity: '…',${named} by: ['…'] }`
    : `{ op: 'query', entity: ${entity},${named} by: [${by.map(quote).join(', ')}] }`
}

interface Guess {
  readonly entities: readonly string[]
  readonly by: readonly string[]
}

/** The entities whose keys the condition can be about, and what it fixes of the first. */
function guess(design: Design, index: string, key: string): Guess {
  const [partition = '', rest = ''] = split(key)
  const fits = writtenModels(design.definition).flatMap((model): Guess[] => {
    const own = design.keys.filter((each) => each.model === model.name && each.index === index)
    const hash = own.filter(({ role }) => role === 'hash')
    const source = hash[0]?.template?.source
    if (source === undefined || skeleton(source) !== skeleton(partition)) return []
    const sort = own.find(({ role }) => role === 'sort')?.template
    const prefix = literalOf(rest)
    if (sort && !sort.prefix.startsWith(prefix) && !prefix.startsWith(sort.prefix)) return []
    if (sort && sort.prefix === '' && prefix !== '') return []
    return [{ entities: [model.name], by: placeholders(hash, model).map(({ name }) => name) }]
  })
  return { entities: fits.flatMap(({ entities }) => entities), by: fits[0]?.by ?? [] }
}

/** The values that the partition key and the sort key are compared with. */
function split(key: string): readonly string[] {
  const [, partition = '', rest = ''] = /^\S+ = (.*?)(?: AND (.*))?$/s.exec(key) ?? []
  const [, begins, other] =
    /^begins_with\([^,]*, (.*)\)$|^\S+ (?:=|BETWEEN|[<>]=?) (.*)$/s.exec(rest) ?? []
  return [partition, begins ?? other ?? '']
}

/** A key with a mark in place of each value. */
function skeleton(text: string): string {
  return text.replace(/\$\{[^}]*\}/g, '\0')
}

function literalOf(text: string): string {
  return skeleton(text).split('\0', 1)[0] ?? ''
}

function quote(name: string): string {
  return `'${name}'`
}
