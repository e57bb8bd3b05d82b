import { PRESETS } from '../check/rules/presets.ts'
import { CONNECT_OPTIONS } from './connect-options.ts'
import type { CommandSpecification } from './help.ts'
import { BEFORE_OPTION } from './read-before.ts'
import { SAMPLE_OPTIONS } from './read-sample.ts'
import { SCHEMA_OPTIONS } from './schema-options.ts'

export const FORMATS = ['pretty', 'json', 'sarif', 'github'] as const

export const CHECK_COMMAND: CommandSpecification = {
  name: 'check',
  summary: 'finds mistakes in a design: in the schema, the code and the data, and by running it',
  groups: [
    SCHEMA_OPTIONS,
    {
      title: 'What to check in addition to the schema',
      options: [
        {
          name: 'run',
          text: 'run every pattern on sample data, and compare its results and cost with the schema',
        },
        {
          name: 'fixtures',
          value: 'file',
          completes: 'file',
          text: 'items for --run, in the format of singletable seed, where no sample data can be made',
        },
        {
          name: 'code',
          value: 'directory',
          completes: 'directory',
          repeatable: true,
          text: 'read (and not run) the TypeScript and JavaScript in it; can be repeated',
        },
        {
          name: 'recording',
          value: 'file',
          completes: 'file',
          text: 'the requests that tests sent: a file of singletable recorder',
        },
        BEFORE_OPTION,
        { name: 'docs', text: 'check whether the document of singletable docs is up to date' },
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
          text: 'recommended is the default; strict raises the severity of some rules;\nlegacy has only the rules about data and changes, for an existing table',
        },
        {
          name: 'only',
          value: 'codes',
          completes: 'rule',
          isList: true,
          text: 'run only these rules: --only K01,K03',
        },
        {
          name: 'max-warnings',
          value: 'number',
          text: 'exit with 1 if there are more warnings than this',
        },
        {
          name: 'allow-unexercised',
          formerly: 'allow-unproved',
          value: 'number',
          text: 'how many patterns --run may skip because no items could be made for them; default 0',
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
          text: 'explain a rule: what it finds, why, and how to fix it',
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
    "It exits with 1 if there are errors, or patterns that --run could not run. To accept a finding, give a reason in the schema:\n  lint: { H01: { off: 'few posts a day', until: '2027-06-01', at: 'Post' } }",
  ],
}
