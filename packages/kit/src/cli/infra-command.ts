import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { didYouMean, type SchemaDefinition } from 'singletable/tools'
import { textDifference } from '../docs/text-difference.ts'
import type { Examples } from '../examples/example-calls.ts'
import { awslabsModel } from '../infra/awslabs.ts'
import { assumedShape, type Difference, diffShapes, type FoundTable } from '../infra/diff-shapes.ts'
import { parseExtra } from '../infra/extra.ts'
import { iamPolicy } from '../infra/iam.ts'
import { parseScope } from '../infra/iam-leading-keys.ts'
import { importWorkbench } from '../infra/import-workbench.ts'
import { InfraError, InfraUsageError } from '../infra/infra-error.ts'
import { readLiveTable } from '../infra/live-shape.ts'
import { printSdkSteps, updateCalls } from '../infra/sdk.ts'
import { describeStep, planSteps, type Step } from '../infra/steps.ts'
import { type TableShape, tableShape } from '../infra/table-shape.ts'
import type { Target } from '../infra/target-names.ts'
import { printJson, printTarget } from '../infra/targets.ts'
import type { LoadedSchema } from '../schema-file/load-schema.ts'
import type { CommandOutput } from './command.ts'
import { tableNameOf, withConnection } from './connect-options.ts'
import type { Parameters } from './help.ts'
import { INFRA_ALIASES, INFRA_SPECIFICATION, INFRA_WORDS } from './infra-options.ts'
import { runCommand } from './run-command.ts'
import { loadGivenSchema } from './schema-options.ts'
import { printText } from './terminal.ts'
import { EXIT_DONE, EXIT_FAILED, FailureError, UsageError } from './usage-error.ts'

/** Targets that are deployed by CloudFormation, and so in steps. */
const STEPPED: readonly string[] = ['sdk', 'cfn', 'sam', 'serverless', 'cdk']

/** Writes, checks or compares the definition of the table. */
export function runInfra(parameters: readonly string[], output: CommandOutput): Promise<number> {
  return runCommand(INFRA_SPECIFICATION, parameters, output, async (given) => {
    const [typed = '', ...others] = given.positionals
    const word = INFRA_ALIASES.get(typed) ?? typed
    if (others.length > 0 || !INFRA_WORDS.includes(word)) {
      throw new UsageError(
        word === ''
          ? 'The target is missing.'
          : `There is no "${given.positionals.join(' ')}"${didYouMean(word, INFRA_WORDS)}.`,
        `use infra with one of ${INFRA_WORDS.join(', ')}`,
      )
    }
    try {
      return await carryOut(word, given, output)
    } catch (error) {
      if (!(error instanceof InfraError)) throw error
      if (error instanceof InfraUsageError) throw new UsageError(error.message, error.fix)
      throw new FailureError(error.message, `infra ${word}`, error.fix, { cause: error })
    }
  })
}

async function carryOut(word: string, given: Parameters, output: CommandOutput): Promise<number> {
  const imported = given.text('import')
  if (imported !== undefined) {
    if (word !== 'workbench') {
      throw new UsageError(`${word} has nothing to import.`, 'use infra workbench --import <file>')
    }
    const text = importWorkbench(readText(imported, output), imported, given.text('table'))
    return deliver(text, word, given, output)
  }
  const loaded = await loadGivenSchema(given, output.directory)
  if (word === 'iam') return deliver(policyText(loaded, given, output), word, given, output)
  const shape = tableShape(loaded.schema, tableNameOf(given, loaded))
  if (word === 'diff') return diff(shape, given, output)
  if (word === 'awslabs') {
    const examples = await examplesOf(loaded.definition, shape.name)
    const text = printJson(awslabsModel(loaded.schema, shape.name, examples))
    return deliver(text, word, given, output)
  }
  // The words are those of the targets, and of the commands above.
  const target = word as Target
  if (given.text('from') !== undefined || given.text('step') !== undefined) {
    return deliver(await stepText(target, loaded, shape, given, output), word, given, output)
  }
  return deliver(await targetText(target, loaded, shape, given, output), word, given, output)
}

/** Loaded only when needed: it runs the patterns on an engine. */
async function examplesOf(definition: SchemaDefinition, table: string): Promise<Examples> {
  const { exampleCalls } = await import('../examples/example-calls.ts')
  return exampleCalls(definition, table)
}

async function targetText(
  target: Target,
  { schema, definition }: LoadedSchema,
  shape: TableShape,
  given: Parameters,
  output: CommandOutput,
): Promise<string> {
  const extra = given.text('extra')
  return printTarget(target, schema, shape, {
    extra: extra === undefined ? undefined : parseExtra(readText(extra, output), extra),
    construct: given.text('construct') === 'v1' ? 'v1' : 'v2',
    provider: given.text('tf-provider') === '5' ? 5 : 6,
    omit: given.values('omit'),
    items: target === 'workbench' ? (await examplesOf(definition, shape.name)).items : undefined,
    json: given.flag('json'),
  })
}

async function stepText(
  target: Target,
  loaded: LoadedSchema,
  wanted: TableShape,
  given: Parameters,
  output: CommandOutput,
): Promise<string> {
  const from = given.text('from')
  if (from === undefined) {
    throw new UsageError(
      '--step needs to know the current table.',
      'add --from <template>, or --from live with --endpoint, --data or --aws',
    )
  }
  if (!STEPPED.includes(target)) {
    throw new UsageError(
      `${target} needs no steps: it computes the changes from the current table itself.`,
      'leave out --from and --step',
    )
  }
  const current =
    from === 'live'
      ? await withConnection(given, output, ({ transport }) =>
          readLiveTable(transport, wanted.name),
        )
      : await readTemplateTable(from, wanted, given, output)
  if (from !== 'live' && current.unknown.length > 0) {
    output.printError(
      `singletable infra: ${from} leaves these to its deployment: ${current.unknown.join(', ')}. They are assumed to match the schema.`,
    )
  }
  const steps = planSteps(assumedShape(current, wanted), wanted)
  if (target === 'sdk') {
    const chosen = given.text('step') === undefined ? steps : [chooseStep(steps, given)]
    return given.flag('json')
      ? printJson(chosen.flatMap(updateCalls))
      : printSdkSteps(wanted.name, chosen)
  }
  if (steps.length <= 1 && given.text('step') === undefined) {
    return targetText(target, loaded, wanted, given, output)
  }
  const step = chooseStep(steps, given)
  output.printError(describeStep(step))
  return targetText(target, loaded, step.shape, given, output)
}

function chooseStep(steps: readonly Step[], given: Parameters): Step {
  const text = given.text('step')
  const list = steps.map((step) => `\n          ${describeStep(step)}`).join('')
  if (text === undefined) {
    throw new UsageError(
      `This takes ${steps.length} deployments, one after the other.`,
      `pass --step 1/${steps.length} and deploy, then the next one:${list}`,
    )
  }
  const [, number, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []
  const step = steps.find((each) => each.number === Number(number))
  if (step && Number(count) === steps.length) return step
  throw new UsageError(
    `--step is "${text}", and there are ${steps.length} steps.`,
    steps.length === 0 ? 'leave it out: nothing has to change' : `choose one of them:${list}`,
  )
}

function policyText(loaded: LoadedSchema, given: Parameters, output: CommandOutput): string {
  const scope = given.text('scope')
  const patterns = given.values('pattern')
  const [region, account] = [given.text('region'), given.text('account')]
  if (region === undefined || account === undefined) {
    output.printError(
      'singletable infra: the policy is for tables of this name in any region and account; pass --region and --account.',
    )
  }
  return printJson(
    iamPolicy(loaded.schema, {
      table: tableNameOf(given, loaded),
      region,
      account,
      partition: given.text('aws-partition'),
      scope: scope === undefined ? undefined : parseScope(scope),
      patterns: patterns.length > 0 ? patterns : undefined,
    }),
  )
}

/** A template that is given is compared; otherwise it is the live table. */
async function diff(wanted: TableShape, given: Parameters, output: CommandOutput): Promise<number> {
  const from = given.text('from')
  if (from !== undefined && from !== 'live') {
    const found = await readTemplateTable(from, wanted, given, output)
    return reportDifferences(found, wanted, from, given, output)
  }
  return withConnection(given, output, async ({ transport, place }) =>
    reportDifferences(await readLiveTable(transport, wanted.name), wanted, place, given, output),
  )
}

function reportDifferences(
  found: FoundTable,
  wanted: TableShape,
  place: string,
  given: Parameters,
  output: CommandOutput,
): number {
  const ignored = new Set<string>([...given.values('ignore'), ...found.unknown])
  const differences = diffShapes(found.shape, wanted).filter(({ aspect }) => !ignored.has(aspect))
  const { name } = wanted
  const isSame = differences.length === 0
  if (given.flag('json')) {
    output.print(
      JSON.stringify({ table: name, same: isSame, differences, unreported: found.unknown }),
    )
    return isSame ? EXIT_DONE : EXIT_FAILED
  }
  printText(
    output,
    isSame
      ? `The table "${name}" (${place}) matches the schema.`
      : `The table "${name}" (${place}) differs from the schema:`,
  )
  for (const difference of differences) printText(output, `  ${describeDifference(difference)}`)
  if (found.unknown.length > 0) {
    printText(output, `Not compared, because it is not stated there: ${found.unknown.join(', ')}.`)
  }
  return isSame ? EXIT_DONE : EXIT_FAILED
}

/**
 * The table of a template; values that its parameters have by default are reported, because a
 * deployment may give others.
 */
async function readTemplateTable(
  file: string,
  { name }: TableShape,
  given: Parameters,
  output: CommandOutput,
): Promise<FoundTable> {
  // Loaded when it is needed: nothing else reads YAML.
  const { templateTable } = await import('../infra/template-shape.ts')
  const resource = given.text('resource')
  const found = templateTable(readText(file, output), file, { table: name, resource })
  if (found.assumed.size > 0) {
    const values = Array.from(found.assumed, ([parameter, value]) => `${parameter} = "${value}"`)
    output.printError(
      `singletable infra: ${file} is read with the defaults of its parameters: ${values.join(', ')}.`,
    )
  }
  return found
}

function describeDifference({ kind, text }: Difference): string {
  const means = {
    replace: 'needs another table',
    index: 'needs an index to be made or deleted',
    setting: 'can be set',
  } as const
  return `${text} (${means[kind]})`
}

/** Prints the text, writes it, or compares it with a file. */
function deliver(text: string, word: string, given: Parameters, output: CommandOutput): number {
  const [check, out] = [given.text('check'), given.text('out')]
  if (check !== undefined) return compare(text, check, word, output)
  if (out !== undefined) {
    writeFileSync(path.resolve(output.directory ?? '.', out), text)
    output.printError(`wrote ${out}`)
    return EXIT_DONE
  }
  const isWrapped = given.flag('json') && !/^\s*[[{]/.test(text)
  output.print(isWrapped ? JSON.stringify({ target: word, text }) : text.replace(/\n$/, ''))
  return EXIT_DONE
}

function compare(text: string, file: string, word: string, output: CommandOutput): number {
  // What a tool has checked out may have other ends of lines.
  const difference = textDifference(readText(file, output).replaceAll('\r\n', '\n'), text)
  if (difference.length === 0) {
    printText(output, `${file} is what infra ${word} writes.`)
    return EXIT_DONE
  }
  output.printError(
    [
      `singletable infra: ${file} is not what infra ${word} writes:`,
      ...difference.map((line) => `  ${line}`),
      `  fix:    write it again with --out ${file}`,
    ].join('\n'),
  )
  return EXIT_FAILED
}

function readText(file: string, output: CommandOutput): string {
  return readFileSync(path.resolve(output.directory ?? '.', file), 'utf8')
}
