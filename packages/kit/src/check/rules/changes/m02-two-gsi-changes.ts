import { listNames } from '../../../text/list-names.ts'
import { indexDifferences } from '../../design/design-changes.ts'
import type { Rule } from '../rule.ts'

const WORDS = {
  create: ['create'],
  delete: ['delete'],
  replace: ['delete', 'create'],
} as const

export const twoGsiChanges: Rule = {
  code: 'M02',
  name: 'two-gsi-changes',
  severity: 'error',
  source: 'before',
  title: 'One deployment would have to create or delete several global indexes.',
  explanation: `DynamoDB's UpdateTable creates or deletes one global index at a time, and CloudFormation, SAM and CDK send all changes in one call: a deployment with two
such changes fails and rolls back. An index that changes its keys or its projection counts twice, because it is deleted and created again. Terraform and Pulumi send
several calls by themselves.

  wrong   one deployment that adds byEmail and drops byOldStatus
  right   singletable infra cfn --from live --step 1/2      // the template of the first deployment, which adds byEmail
          singletable infra cfn --from live --step 1/1      // the template of the second, once the first is done

New indexes come first and old ones go last, so that reads are served all the time.`,
  *check(design) {
    const steps = indexDifferences(design)
      .filter(({ type }) => type === 'global')
      .flatMap(({ name, kind }) => WORDS[kind].map((word) => `${word} ${name}`))
    if (steps.length < 2) return
    yield {
      message: `CloudFormation, SAM, CDK and UpdateTable apply one GSI change per update; ${steps.length} are pending: ${listNames(steps)}.`,
      fix: `deploy in ${steps.length} steps: singletable infra cfn --from live --step 1/${steps.length}`,
      place: {},
    }
  },
}
