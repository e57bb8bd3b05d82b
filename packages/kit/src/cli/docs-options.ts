import { CONNECT_OPTIONS } from './connect-options.ts'
import type { CommandSpecification } from './help.ts'
import { BEFORE_OPTION } from './read-before.ts'
import { SAMPLE_OPTIONS } from './read-sample.ts'
import { SCHEMA_OPTIONS } from './schema-options.ts'

export const DOCS_COMMAND: CommandSpecification = {
  name: 'docs',
  summary: 'the living document: every access pattern with its keys, plan and cost',
  arguments: [
    {
      name: '[file…]',
      text: 'with --check: the document to compare; with --inject: further files to write into',
    },
  ],
  groups: [
    SCHEMA_OPTIONS,
    {
      title: 'What is written',
      options: [
        {
          name: 'out',
          value: 'file',
          completes: 'file',
          text: 'the document in Markdown, or with --json as data; - is standard output;\ndefault docs/access-patterns.md, or access-patterns.md if it exists',
        },
        {
          name: 'html',
          value: 'file',
          completes: 'file',
          text: 'the document as one self-contained HTML file, with a search',
        },
        {
          name: 'inject',
          value: 'file',
          repeatable: true,
          completes: 'file',
          text: 'write sections into your own file, between <!-- singletable:begin id --> and\n<!-- singletable:end -->',
        },
        {
          name: 'check',
          text: 'write nothing; if a file is out of date, show the difference and exit with 1',
        },
        {
          name: 'name',
          value: 'text',
          text: "the table's name in the document; default: as before, or the name of the Table or the export",
        },
      ],
    },
    {
      title: 'What else it shows',
      options: [
        {
          name: 'recording',
          value: 'file',
          completes: 'file',
          text: 'a file of singletable recorder: adds which patterns the tests ran',
        },
        BEFORE_OPTION,
        ...SAMPLE_OPTIONS,
      ],
    },
    CONNECT_OPTIONS,
  ],
  notes: [
    '--json prints the schema, plans, costs and findings as data; with --check, --html or --inject it lists the files that were compared or written.',
  ],
}
