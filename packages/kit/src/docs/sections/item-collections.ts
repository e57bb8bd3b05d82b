import type { Schema } from 'singletable/tools'
import type { Collection } from '../collections.ts'
import {
  type Block,
  elementId,
  key,
  type Line,
  link,
  listed,
  paragraph,
  type Section,
} from '../document.ts'
import type { DocumentSources } from '../document-sources.ts'
import { titleOf } from '../pattern-cells.ts'

/** The items that share a partition key, in the order in which a query reads them. */
export function itemCollections({ collections, schema }: DocumentSources): Section {
  const blocks = collections.flatMap((collection): Block[] => [
    { kind: 'collection', collection, readBy: readers(schema, collection) },
    ...remarks(collection),
  ])
  return {
    id: 'collections',
    title: 'Item collections',
    entries: collections.map(({ id, partition, index, members }) => ({
      id,
      line: [key(partition)],
      words: [index, ...members.flatMap(({ entity, sort = '' }) => [entity, sort])],
    })),
    blocks: [
      paragraph(
        'Items with the same partition key are stored together, ordered by their sort keys: one query reads any range of them. The example items are sample data and show the attributes in the index.',
      ),
      ...blocks,
    ],
  }
}

/** Links to the patterns that read a collection. */
function readers({ patterns }: Schema, collection: Collection): Line {
  if (patterns.size === 0) return []
  const links = collection.patterns.map((name) => {
    const { definition = {} } = patterns.get(name) ?? {}
    return link(elementId('AP', name), titleOf(name, definition))
  })
  return links.length === 0 ? ['Read by no access pattern.'] : ['Read by ', ...listed(links)]
}

function remarks({ otherPartitions }: Collection): readonly Block[] {
  if (otherPartitions.length === 0) return []
  return [
    paragraph(
      'The same partition keys are also written as ',
      ...otherPartitions.flatMap((each, at) => (at === 0 ? [key(each)] : [', ', key(each)])),
      '.',
    ),
  ]
}
