import { cloudFormationTemplate } from './cloudformation.ts'
import type { Extra } from './extra.ts'
import { InfraError } from './infra-error.ts'
import { printYaml } from './print-yaml.ts'
import type { TableShape } from './table-shape.ts'

/** The template in YAML, for one of the tools that read it. */
export function printTemplate(
  target: 'cfn' | 'sam' | 'serverless',
  shape: TableShape,
  extra: Extra | undefined,
): string {
  const template = cloudFormationTemplate(shape, extra)
  if (target === 'cfn') return printYaml(template)
  const { AWSTemplateFormatVersion, Resources, Outputs } = template
  if (target === 'sam') {
    // SAM's own SimpleTable has no sort key, so the resource is the same; the transform lets
    // functions be next to it.
    const Transform = 'AWS::Serverless-2016-10-31'
    return printYaml({ AWSTemplateFormatVersion, Transform, Resources, Outputs })
  }
  // For `resources: ${file(…)}` of a serverless.yml, or to be pasted there.
  const text = printYaml({ resources: { Resources, Outputs } })
  if (text.includes('${')) {
    throw new InfraError(
      'A name in the table has "${", which the Serverless Framework takes for a variable of its own.',
      'use another name, or write the table with infra cfn and deploy it as a stack of its own',
    )
  }
  return text
}
