import { ASPECTS } from '../infra/diff-shapes.ts'
import { TARGETS } from '../infra/target-names.ts'
import { CONNECT_OPTIONS } from './connect-options.ts'
import type { CommandSpecification } from './help.ts'
import { SCHEMA_OPTIONS } from './schema-options.ts'

/** The words that can follow `singletable infra`. */
export const INFRA_WORDS: readonly string[] = [...TARGETS, 'awslabs', 'iam', 'diff']

/** What others call a target. */
export const INFRA_ALIASES: ReadonlyMap<string, string> = new Map([['cloudformation', 'cfn']])

export const INFRA_SPECIFICATION: CommandSpecification = {
  name: 'infra',
  summary:
    'writes the table for CloudFormation, CDK, Terraform and others, or compares it with a live table',
  arguments: [
    {
      name: `<${INFRA_WORDS.join('|')}>`,
      text: 'a target to write the table for; iam: the policy that the access patterns need;\ndiff: what differs between a live table, or a template, and the schema',
      choices: INFRA_WORDS,
    },
  ],
  groups: [
    SCHEMA_OPTIONS,
    {
      title: 'What is written',
      options: [
        { name: 'out', value: 'file', completes: 'file', text: 'write there' },
        {
          name: 'check',
          value: 'file',
          completes: 'file',
          text: 'write nothing; exit with 1 if the file is out of date',
        },
        {
          name: 'extra',
          value: 'file',
          completes: 'file',
          text: 'a JSON file with more settings of the table, in the format of the target',
        },
        { name: 'construct', value: 'version', choices: ['v1', 'v2'], text: 'of cdk; default v2' },
        {
          name: 'tf-provider',
          value: 'version',
          choices: ['5', '6'],
          text: 'of terraform; default 6',
        },
        {
          name: 'omit',
          value: 'index',
          repeatable: true,
          text: 'of workbench: leave out an index that its format does not support',
        },
        {
          name: 'import',
          value: 'file',
          completes: 'file',
          text: 'of workbench: print a draft of a schema from this model',
        },
      ],
    },
    {
      title: 'Changes in steps (CloudFormation creates or deletes one index in an update)',
      options: [
        {
          name: 'from',
          value: 'file|live',
          completes: 'file',
          text: 'the current table: a template of CloudFormation, SAM or Serverless in YAML or JSON,\nor live for the live table; diff compares this template',
        },
        {
          name: 'resource',
          value: 'id',
          text: 'the logical id of the table in that template, if it has several',
        },
        {
          name: 'step',
          value: 'k/n',
          text: 'write step k of the n deployments that lead to the schema',
        },
      ],
    },
    {
      title: 'The policy (iam)',
      options: [
        {
          name: 'pattern',
          value: 'name',
          completes: 'pattern',
          repeatable: true,
          text: 'allow only these patterns; default all',
        },
        {
          name: 'scope',
          value: 'attribute[=value]',
          text: 'limit callers to partition keys that begin with this attribute, such as tenantId;\nits value is by default the session tag of that name',
        },
        { name: 'account', value: 'number', text: 'default *' },
        { name: 'aws-partition', value: 'name', text: 'default aws' },
      ],
    },
    {
      title: 'The comparison (diff)',
      options: [
        {
          name: 'ignore',
          value: 'aspect',
          repeatable: true,
          choices: ASPECTS,
          text: 'do not compare this aspect',
        },
      ],
    },
    CONNECT_OPTIONS,
  ],
  notes: [
    'infra diff: exit 0 if nothing differs, 1 if something does. Differences go to standard output, errors to standard error.',
  ],
}
