/** What a table can be written for. */
export const TARGETS = [
  'sdk',
  'cfn',
  'sam',
  'serverless',
  'cdk',
  'terraform',
  'sst',
  'pulumi',
  'workbench',
] as const

export type Target = (typeof TARGETS)[number]
