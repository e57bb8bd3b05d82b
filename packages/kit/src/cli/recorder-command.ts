import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Recording } from '../check/evidence/recording.ts'
import { readCountedShapes } from '../recorder/counted-shapes.ts'
import { type Coverage, coverageOf } from '../recorder/coverage.ts'
import { makeRecording } from '../recorder/make-recording.ts'
import { RECORDING_FILE, writeRecording } from '../recorder/recording-file.ts'
import { runRecorded } from '../recorder/run-recorded.ts'
import type { CommandOutput } from './command.ts'
import { type CommandSpecification, type Parameters, wholeNumber } from './help.ts'
import { coverageText } from './recorder-text.ts'
import { requireRecording } from './require-recording.ts'
import { runCommand } from './run-command.ts'
import { loadGivenSchema, SCHEMA_OPTIONS } from './schema-options.ts'
import { processStops } from './stops.ts'
import { colorsFor, printText } from './terminal.ts'
import { EnvironmentError, EXIT_DONE, EXIT_FAILED, UsageError } from './usage-error.ts'

const MINIMUM_OPTION = {
  name: 'min',
  value: 'percent',
  text: 'fail if a smaller percentage of the declared patterns was run',
} as const

export const RECORDER_COMMAND: CommandSpecification = {
  name: 'recorder',
  summary: 'runs tests, and compares the requests they sent with the declared patterns',
  arguments: [{ name: '-- <command…>', text: 'what runs the tests, such as npx vitest run' }],
  groups: [
    SCHEMA_OPTIONS,
    {
      title: 'The recording',
      options: [
        {
          name: 'out',
          value: 'file',
          completes: 'file',
          text: `where it is written, for check --recording; default ${RECORDING_FILE}`,
        },
        MINIMUM_OPTION,
      ],
    },
  ],
  notes: [
    'singletable recorder report <file> shows the report of an earlier recording.',
    'The exit code is that of the command, if it fails; else 1 if --min is missed.',
    'Recorded are requests that go through the library, in all processes and threads of the command, without their values.',
  ],
}

export function runRecorder(parameters: readonly string[], output: CommandOutput): Promise<number> {
  return runCommand(RECORDER_COMMAND, parameters, output, async (given) => {
    const minimum = wholeNumber(given, 'min', { max: 100 })
    // After the dashes comes a command, whatever its name.
    const isReport = given.positionals[0] === 'report' && !parameters.includes('--')
    return isReport ? report(given, output, minimum) : record(given, output, minimum)
  })
}

async function report(
  given: Parameters,
  output: CommandOutput,
  minimum: number | undefined,
): Promise<number> {
  const [, file, ...more] = given.positionals
  if (file === undefined || more.length > 0 || given.text('out') !== undefined) {
    throw new UsageError('A report is about one recording.', 'use recorder report <file>')
  }
  const { schema } = await loadGivenSchema(given, output.directory)
  const recording = requireRecording(path.resolve(output.directory ?? '.', file))
  const coverage = coverageOf(schema, recording)
  printResult(given, output, recording, coverage)
  return judge(coverage, minimum, output)
}

async function record(
  given: Parameters,
  output: CommandOutput,
  minimum: number | undefined,
): Promise<number> {
  const { positionals: command } = given
  if (command.length === 0) {
    throw new UsageError(
      'There is no command to record.',
      'name the command that runs the tests: singletable recorder -- npx vitest run',
    )
  }
  const directory = output.directory ?? process.cwd()
  // Before the tests, so that they do not run in vain.
  const { schema } = await loadGivenSchema(given, directory)
  const folder = mkdtempSync(path.join(tmpdir(), 'singletable-recorder-'))
  try {
    const code = await runTests(given, output, folder)
    const recording = makeRecording(schema, readCountedShapes(folder))
    const file = path.resolve(directory, given.text('out') ?? RECORDING_FILE)
    // A run that failed before it asked for anything says nothing about what tests do.
    if (code === EXIT_DONE || recording.shapes.length > 0) writeRecording(file, recording)
    const coverage = coverageOf(schema, recording)
    printResult(given, output, recording, coverage)
    return code === EXIT_DONE ? judge(coverage, minimum, output) : code
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runTests(given: Parameters, output: CommandOutput, folder: string): Promise<number> {
  const { positionals: command } = given
  // Next to this module, in the sources and in the build.
  const hook = new URL(`../recorder/hook${path.extname(import.meta.url)}`, import.meta.url)
  const stops = output.stops ?? processStops
  try {
    return await runRecorded({
      command,
      directory: output.directory ?? process.cwd(),
      environment: output.environment ?? process.env,
      folder,
      hook,
      isQuiet: given.flag('json'),
      // A terminal sends Ctrl-C to the tests as well, and a second one would not let them finish.
      onSignal: (callback) =>
        stops.onSignal((signal) => {
          if (signal !== 'SIGINT' || !output.isTerminal) callback(signal)
        }),
    })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EnvironmentError(
      `The command can't be run: ${reason}.`,
      command.join(' '),
      'name an installed program, with npx before commands of packages',
      { cause },
    )
  }
}

function printResult(
  given: Parameters,
  output: CommandOutput,
  recording: Recording,
  coverage: Coverage,
): void {
  const { otherRequests = 0 } = recording
  if (given.flag('json')) {
    output.print(JSON.stringify({ ...coverage, otherRequests }, undefined, 2))
    return
  }
  const width = output.isTerminal ? output.columns : undefined
  printText(
    output,
    coverageText(coverage, { otherRequests, colors: colorsFor(output, given), width }),
  )
}

function judge({ percent }: Coverage, minimum: number | undefined, output: CommandOutput): number {
  if (minimum === undefined || percent >= minimum) return EXIT_DONE
  output.printError(
    `singletable recorder: ${Math.floor(percent)}% of the patterns were run, and --min asks for ${minimum}%.`,
  )
  return EXIT_FAILED
}
