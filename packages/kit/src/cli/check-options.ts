import { PRESETS } from '../check/rules/presets.ts'
import { CONNECT_OPTIONS } from './connect-options.ts'
import type { CommandSpecification } from './help.ts'
import { BEFORE_OPTION } from './read-before.ts'
import { SAMPLE_OPTIONS } from './read-sample.ts'
import { SCHEMA_OPTIONS } from './schema-options.ts'

export const FORMATS = ['pretty', 'json', 'sarif', 'github'] as const

export const CHECK_COMMAND: CommandSpecification = {
  name: 'check',
  summary: 'finds faults of a design: in the schema, the code, the data, and by running it',
  groups: [
    SCHEMA_OPTIONS,
    {
      title: 'What it looks at besides the schema',
      options: [
        {
          name: 'run',
          text: 'run every pattern on sample data, and compare what it gives and costs with what the schema says',
        },
        {
          name: 'fixtures',
          value: 'file',
          completes: 'file',
          text: 'items for --run where no sample data can be made, as singletable seed takes them',
        },
        {
          name: 'code',
          value: 'directory',
          completes: 'directory',
          repeatable: true,
          text: 'the TypeScript and JavaScript in it, which is read and not run; several times for several',
        },
        {
          name: 'recording',
          value: 'file',
          completes: 'file',
          text: 'what tests executed, as singletable recorder wrote it',
        },
        BEFORE_OPTION,
        { name: 'docs', text: 'the document that singletable docs made, whether it is up to date' },
        ...SAMPLE_OPTIONS,
      ],
    },
    CONNECT_OPTIONS,
    {
      title: 'What counts',
      options: [
        {
          name: 'preset',
          value: 'name',
          choices: PRESETS,
          text: 'recommended is the default; strict takes some rules more seriously;\nlegacy has the rules on data and change only, for a table that is taken over',
        },
        {
          name: 'only',
          value: 'codes',
          completes: 'rule',
          text: 'only these rules: --only K01,K03',
        },
        { name: 'max-warnings', value: 'number', text: 'exit with 1 if there are more warnings' },
        {
          name: 'allow-unproved',
          value: 'number',
          text: 'patterns that --run may leave unproved, because no items could be made for them; default 0',
        },
      ],
    },
    {
      title: 'The rules',
      options: [
        {
          name: 'explain',
          value: 'code',
          completes: 'rule',
          text: 'what a rule is about, why, and how it is mended',
        },
        { name: 'rules', text: 'list all rules' },
      ],
    },
    {
      title: 'The report',
      options: [
        {
          name: 'format',
          value: 'name',
          choices: FORMATS,
          text: 'for people, for programs, for code scanning services, or for GitHub workflows; default pretty',
        },
      ],
    },
  ],
  notes: [
    "It exits with 1 if there are errors, or patterns that --run could not run. What is meant as it is can be given a reason in the schema:\n  lint: { H01: { off: 'few posts a day', until: '2027-06-01', at: 'Post' } }",
  ],
}
