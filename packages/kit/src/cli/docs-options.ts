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
          text: 'the document in Markdown, or with --json as data; - is standard output;\ndefault docs/access-patterns.md, or access-patterns.md where that is there',
        },
        {
          name: 'html',
          value: 'file',
          completes: 'file',
          text: 'the document as one file for browsers, which loads nothing; its contents can be searched',
        },
        {
          name: 'inject',
          value: 'file',
          repeatable: true,
          completes: 'file',
          text: 'sections into a file of your own, between <!-- singletable:begin id --> and\n<!-- singletable:end -->',
        },
        {
          name: 'check',
          text: 'write nothing: exit 1 and show the difference where a file is not what would be written',
        },
        {
          name: 'name',
          value: 'text',
          text: 'what the table is called in it; default: as before, else the name of the Table or of the export',
        },
      ],
    },
    {
      title: 'What else it tells',
      options: [
        {
          name: 'recording',
          value: 'file',
          completes: 'file',
          text: 'what singletable recorder wrote: which patterns tests ran',
        },
        BEFORE_OPTION,
        ...SAMPLE_OPTIONS,
      ],
    },
    CONNECT_OPTIONS,
  ],
  notes: [
    '--json prints the schema, plans, costs and findings as data; with --check, --html or --inject it tells what was compared or written.',
  ],
}
