import type { Analysis } from './analyze.ts'
import type { Design } from './propose.ts'
import type { ImportSource } from './sources.ts'

/** The mapping file of a design: every column is in it. */
export function printMapping(analysis: Analysis, design: Design, schemaFile: string): string {
  const makers = new Set<string>()
  const sources = analysis.sources.map(({ name, source }) => {
    const { maker, parameters } = printSource(source)
    makers.add(maker)
    return `    ${text(name)}: ${maker}(${parameters.join(', ')}),\n`
  })
  const emits = [...design.columns].map(([model, { table, columns }]) => {
    const set = Object.entries(columns).map(
      ([attribute, column]) => `        ${attribute}: ${text(column)},\n`,
    )
    return `    ${model}: {\n      from: ${text(table)},\n      set: {\n${set.join('')}      },\n    },\n`
  })
  return `import { ${['defineImport', ...makers].sort().join(', ')} } from '@singletable/kit/import'
import { schema } from ${text(schemaFile)}

export default defineImport(schema, {
  sources: {
${sources.join('')}  },
  emit: {
${emits.join('')}  },
  // Columns that are left out, each with the reason: 'users.legacy': 'not used'.
  drop: {},
})
`
}

function printSource(source: ImportSource): { maker: string; parameters: readonly string[] } {
  switch (source.kind) {
    case 'csv':
      return { maker: 'csv', parameters: [text(source.file)] }
    case 'json':
      return { maker: 'jsonLines', parameters: [text(source.file)] }
    case 'export':
      return { maker: 'exportFolder', parameters: [text(source.folder)] }
    case 'sql':
      return { maker: 'sqlTable', parameters: [text(source.file), text(source.table)] }
    case 'table':
      return { maker: 'dynamodbTable', parameters: [text(source.table)] }
    case 'postgres':
      // The address has a password in it.
      return {
        maker: 'postgres',
        parameters: ["process.env.DATABASE_URL ?? ''", text(source.table)],
      }
  }
}

function text(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
