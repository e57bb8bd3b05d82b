import type { Schema } from 'singletable/tools'
import type { SampledItem } from '../examples/read-sample.ts'
import { printCdk, printCdkV1 } from './cdk.ts'
import { cloudFormationTemplate } from './cloudformation.ts'
import type { Extra } from './extra.ts'
import { InfraUsageError } from './infra-error.ts'
import { printPulumi } from './pulumi.ts'
import { createCalls, printSdk } from './sdk.ts'
import { printSst } from './sst.ts'
import type { TableShape } from './table-shape.ts'
import type { Target } from './target-names.ts'
import { printTerraform } from './terraform.ts'
import { printWorkbench } from './workbench.ts'

export interface TargetOptions {
  readonly extra?: Extra | undefined
  /** CDK's construct. */
  readonly construct?: 'v1' | 'v2' | undefined
  /** The major version of Terraform's provider. */
  readonly provider?: 5 | 6 | undefined
  /** Indexes that Workbench's model leaves out. */
  readonly omit?: readonly string[] | undefined
  /** Sample items for Workbench's model. */
  readonly items?: readonly SampledItem[] | undefined
  /** JSON where the target has it in addition to its own language: `sdk` and `cfn`. */
  readonly json?: boolean | undefined
}

/** The text of a table's definition for a target. Equal schemas give equal output. */
export async function printTarget(
  target: Target,
  schema: Schema,
  shape: TableShape,
  options: TargetOptions = {},
): Promise<string> {
  const { extra, construct, provider, omit, items, json } = options
  if (json && target === 'cfn') return printJson(cloudFormationTemplate(shape, extra))
  if (json && target === 'sdk') return printJson(createCalls(shape, extra))
  switch (target) {
    case 'sdk':
      return printSdk(shape, extra)
    case 'cfn':
    case 'sam':
    case 'serverless':
      // Loaded when it is needed: the others do without a printer of YAML.
      return (await import('./print-template.ts')).printTemplate(target, shape, extra)
    case 'cdk':
      return construct === 'v1' ? printCdkV1(shape, extra) : printCdk(shape, extra)
    case 'terraform':
      return printTerraform(shape, { extra, provider })
    case 'sst':
      return printSst(shape, extra)
    case 'pulumi':
      return printPulumi(shape, extra)
    case 'workbench':
      if (extra) throw new InfraUsageError('Workbench takes no extra members.', 'leave out --extra')
      return printWorkbench(schema, shape, { omit, items })
  }
}

export function printJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
