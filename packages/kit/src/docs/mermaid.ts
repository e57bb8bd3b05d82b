import type { Collection } from './collections.ts'
import type { RelationsBlock } from './document.ts'
import { escapeMermaid } from './escape-markdown.ts'
import { shownKey } from './shown-key.ts'

/** A partition as a diagram: its sort keys in their order. */
export function collectionFlowchart(collection: Collection): string {
  const { partition, hash, sort, members } = collection
  const title = `${hash.join(' · ')} = ${shownKey(partition)}`
  const nodes = members.map((member, at) => {
    const name = member.sort === undefined ? '' : `${shownKey(member.sort)}`
    const label = [name, member.entity, ...(member.when ? [`while ${member.when}`] : [])]
      .filter((each) => each !== '')
      .map(escapeMermaid)
    return `    n${at}["${label.join('<br/>')}"]`
  })
  // Drawn from the first sort key to the last, as a query reads them.
  const order = members.slice(1).map((_, at) => `    n${at} --> n${at + 1}`)
  const label = sort.length === 0 ? title : `${title}, by ${sort.join(' · ')}`
  return [
    'flowchart LR',
    `  subgraph partition["${escapeMermaid(label)}"]`,
    '    direction LR',
    ...nodes,
    ...order,
    '  end',
  ].join('\n')
}

/**
 * The relations as a diagram. Entities get generated ids, because their names can be any string.
 */
export function relationsDiagram({ entities, relations }: RelationsBlock): string {
  const ids = new Map(entities.map(({ name }, at) => [name, `e${at}`]))
  const boxes = entities.flatMap(({ name, attributes }) => {
    const head = `  ${ids.get(name)}["${escapeMermaid(name)}"]`
    if (attributes.length === 0) return [head]
    const rows = attributes.map(
      (attribute) =>
        `    ${word(attribute.type)} ${word(attribute.name)}${attribute.isKey ? ' PK' : ''}`,
    )
    return [`${head} {`, ...rows, '  }']
  })
  const lines = relations.flatMap(({ parent, child, many, label, average }) => {
    const [from, to] = [ids.get(parent), ids.get(child)]
    if (from === undefined || to === undefined) return []
    const text = average === undefined ? label : `${label}, about ${average}`
    return [`  ${from} ||--${many ? 'o{' : 'o|'} ${to} : "${escapeMermaid(text)}"`]
  })
  return ['erDiagram', ...boxes, ...lines].join('\n')
}

/** Names and types in a box can be words only. */
function word(text: string): string {
  const safe = text.replaceAll(/[^A-Za-z0-9_\u00c0-\uffff-]/g, '_')
  return /^[A-Za-z\u00c0-\uffff]/.test(safe) ? safe : `a_${safe}`
}
