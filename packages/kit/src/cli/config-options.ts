import path from 'node:path'
import { didYouMean } from 'singletable/tools'
import type { EnvironmentConfig } from '../config/index.ts'
import { type LoadedConfig, loadConfig } from '../schema-file/load-config.ts'
import { findSchema } from '../schema-file/load-schema.ts'
import type { CommandOutput } from './command.ts'
import type { CommandSpecification, Parameters } from './help.ts'
import { UsageError } from './usage-error.ts'

/**
 * Options that say where the table is: one of them that is typed replaces all that the config says.
 */
const PLACE_OPTIONS = ['endpoint', 'data', 'aws', 'profile']
/** Names of environments that ask before a command writes, unless the config says otherwise. */
const CONFIRMED = /^prod(uction)?$/i

/**
 * What was typed, completed by the config of the project. Only commands that work on the project's
 * schema or table have these options; others don't look for a config.
 */
export async function withConfig(
  specification: CommandSpecification,
  given: Parameters,
  output: CommandOutput,
): Promise<Parameters> {
  const names = new Set(specification.groups.flatMap(({ options }) => options.map((o) => o.name)))
  if (!names.has('schema') && !names.has('env')) return given
  const loaded = await loadConfig(output.directory ?? process.cwd())
  const wanted = given.text('env') ?? output.environment?.SINGLETABLE_ENV
  if (loaded === undefined) {
    if (given.text('env') === undefined) return given
    throw new UsageError(
      `There is no config with the environment "${wanted}".`,
      'write singletable.config.ts with environments, see docs/config.md',
    )
  }
  const [environment, settings] = chooseEnvironment(loaded, wanted)
  const directory = path.dirname(loaded.file)
  const { schema = findSchema(directory) } = loaded.config
  const isPlaced = PLACE_OPTIONS.some((name) => given.text(name) !== undefined || given.flag(name))
  const { data, endpoint, profile } = isPlaced ? {} : settings
  const values = new Map<string, string | undefined>([
    ['schema', schema && path.resolve(directory, schema)],
    ['export', given.text('schema') === undefined ? loaded.config.export : undefined],
    ['table', settings.table],
    ['region', settings.region],
    ['endpoint', endpoint],
    ['profile', profile],
    // The folder of dev and serve is their own.
    ['data', data && names.has('endpoint') ? path.resolve(directory, data) : undefined],
  ])
  const isAws = !isPlaced && endpoint === undefined && (settings.aws ?? profile !== undefined)
  return {
    ...given,
    text: (name) => given.text(name) ?? (names.has(name) ? values.get(name) : undefined),
    flag: (name) => given.flag(name) || (name === 'aws' && isAws),
    ...(environment !== undefined && {
      environment: { name: environment, confirm: settings.confirm ?? CONFIRMED.test(environment) },
    }),
  }
}

function chooseEnvironment(
  { file, config }: LoadedConfig,
  wanted: string | undefined,
): [string | undefined, EnvironmentConfig] {
  const { environments = {} } = config
  const names = Object.keys(environments)
  const name = wanted ?? config.environment ?? (names.includes('dev') ? 'dev' : undefined)
  if (name === undefined) return [undefined, config]
  const own = Object.hasOwn(environments, name) ? environments[name] : undefined
  if (own === undefined) {
    throw new UsageError(
      `${file} has no environment "${name}"${didYouMean(name, names)}.`,
      names.length > 0 ? `use one of ${names.join(', ')}` : 'add it under environments',
    )
  }
  // A place replaces the place of the whole config.
  const isPlaced = PLACE_OPTIONS.some((each) => Object.hasOwn(own, each))
  const { endpoint, data, aws, profile, ...common } = config
  return [name, isPlaced ? { ...common, ...own } : { ...config, ...own }]
}
