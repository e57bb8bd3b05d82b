/** Where the rows of an import come from. */
export type ImportSource =
  | { readonly kind: 'csv'; readonly file: string }
  | { readonly kind: 'json'; readonly file: string }
  | { readonly kind: 'export'; readonly folder: string }
  | { readonly kind: 'sql'; readonly file: string; readonly table: string }
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly table: string }

/** A CSV file whose first record names the columns. An empty cell means null. */
export function csv(file: string): ImportSource {
  return { kind: 'csv', file }
}

/**
 * A file with a JSON object on each line, or with items in DynamoDB JSON. Files that end in `.gz`
 * are unpacked.
 */
export function jsonLines(file: string): ImportSource {
  return { kind: 'json', file }
}

/** The folder of an export to S3, as it was downloaded: the one with `manifest-files.json`. */
export function exportFolder(folder: string): ImportSource {
  return { kind: 'export', folder }
}

/** A table of a file that `pg_dump` or `mysqldump` wrote. */
export function sqlTable(file: string, table: string): ImportSource {
  return { kind: 'sql', file, table }
}

/** Another DynamoDB table, at the place of the target. */
export function dynamodbTable(table: string): ImportSource {
  return { kind: 'table', table }
}

/** A table of a PostgreSQL that runs. Needs the package `pg`. */
export function postgres(url: string, table: string): ImportSource {
  return { kind: 'postgres', url, table }
}
