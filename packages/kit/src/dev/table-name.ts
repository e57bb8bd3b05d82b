import path from 'node:path'

const NAME_CHARACTERS_MIN = 3

/**
 * A name for the table of a schema that has none: the one it is exported by without the word
 * schema, or else the name of the project's folder.
 *
 * @example
 * tableNameFor('blogSchema', '/home/ann/site') // => 'Blog'
 * tableNameFor('schema', '/home/ann/my site') // => 'MySite'
 */
export function tableNameFor(exportName: string, directory: string): string {
  const candidates = [
    exportName === 'default' ? '' : exportName.replace(/schema/i, ''),
    path.basename(directory),
  ]
  const names = candidates.map((text) =>
    text
      .split(/[^a-zA-Z0-9]+/)
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join(''),
  )
  // DynamoDB takes no shorter ones.
  return names.find((name) => name.length >= NAME_CHARACTERS_MIN) ?? 'Table'
}
