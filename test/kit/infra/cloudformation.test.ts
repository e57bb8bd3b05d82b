import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { App, Stack } from 'aws-cdk-lib'
import { CfnInclude } from 'aws-cdk-lib/cloudformation-include'
import { afterAll, describe, expect, test } from 'vitest'

/** Templates are validated by the linter that CDK carries: it knows the schemas of all resources,
 * required properties, types and names. */

const GOLDEN = path.join(import.meta.dirname, '__golden__')
const folder = mkdtempSync(path.join(tmpdir(), 'singletable-cloudformation-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function validate(templateFile: string): void {
  const app = new App({
    analyticsReporting: false,
    outdir: mkdtempSync(path.join(folder, 'out-')),
    context: { '@aws-cdk/core:validateAgainstDefaultRules': true },
  })
  new CfnInclude(new Stack(app, 'Stack'), 'Template', { templateFile })
  app.synth()
}

const templates = readdirSync(GOLDEN).filter((file) => /-(cfn|sam)\.(json|yaml)$/.test(file))

test('there are templates in both notations', () => {
  expect(templates).toEqual(expect.arrayContaining(['blog-cfn.json', 'blog-cfn.yaml']))
})

test.each(templates)('%s is valid', (file) => {
  validate(path.join(GOLDEN, file))
})

describe('the linter finds', () => {
  // biome-ignore lint/suspicious/noExplicitAny: properties of a template are what they are.
  const faults: readonly [string, (properties: any) => void][] = [
    ['an unknown property', (properties) => Object.assign(properties, { TableKind: 'small' })],
    ['a wrong type', (properties) => Object.assign(properties, { KeySchema: 'pk' })],
    ['a missing property', (properties) => delete properties.KeySchema],
    ['a wrong word', (properties) => Object.assign(properties, { BillingMode: 'SOMETIMES' })],
    ['a fault in an index', (properties) => delete properties.GlobalSecondaryIndexes[0].Projection],
  ]
  test.each(faults)('%s', (_, spoil) => {
    const template = JSON.parse(readFileSync(path.join(GOLDEN, 'everything-cfn.json'), 'utf8'))
    spoil(template.Resources.EveryThingTable.Properties)
    const file = path.join(folder, 'spoilt.json')
    writeFileSync(file, JSON.stringify(template))
    expect(() => validate(file)).toThrow()
  })
})
