import type { SchemaChange } from './schema-change.ts'

/** The text of `migration.ts`: the steps, each under the sentence that it is for. */
export function printMigration(changes: readonly SchemaChange[]): string {
  // Items get what they need before indexes are made of it, and lose things at the end.
  const order = ['expand', 'move', 'check', 'contract', 'index', 'none'] as const
  // The other steps of a model that has another name call it by that.
  const isRename = ({ steps: [step = ''] }: SchemaChange): boolean => step.startsWith('renameModel')
  const sorted = [
    ...changes.filter(isRename),
    ...changes
      .filter((change) => !isRename(change))
      .sort((a, b) => order.indexOf(a.class) - order.indexOf(b.class)),
  ]
  const steps = sorted.flatMap(({ what, steps, isLossy }) =>
    steps.length === 0
      ? []
      : [
          `    // ${what}${isLossy ? ' Only the undo log can give them back.' : ''}`,
          ...steps.map((step) => `    ${step},`),
        ],
  )
  const names = new Set(
    sorted.flatMap(({ steps }) => steps.map((step) => step.slice(0, step.indexOf('(')))),
  )
  const imports = ['defineMigration', ...names].sort()
  return [
    `import { ${imports.join(', ')} } from 'singletable/migrations'`,
    '',
    ...(steps.length === 0
      ? ['// Nothing that is stored changes.', 'export default defineMigration({ steps: [] })']
      : ['export default defineMigration({', '  steps: [', ...steps, '  ],', '})']),
    '',
  ].join('\n')
}
