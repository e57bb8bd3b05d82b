import type { Collection } from '../collections.ts'
import { type Block, key, paragraph, type Section } from '../document.ts'
import type { DocumentSources } from '../document-sources.ts'

/** What stands together under one partition key, in the order in which a query reads it. */
export function itemCollections({ collections }: DocumentSources): Section {
  const blocks = collections.flatMap((collection): Block[] => [
    { kind: 'collection', collection },
    ...remarks(collection),
  ])
  return {
    id: 'collections',
    title: 'Item collections',
    blocks: [
      paragraph(
        'Items with the same partition key stand together, ordered by their sort keys: one query reads any stretch of them. The example items are made up.',
      ),
      ...blocks,
    ],
  }
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
