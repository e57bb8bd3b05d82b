import { existsSync } from 'node:fs'
import path from 'node:path'
import { didYouMean } from 'singletable/tools'
import type { Config, EnvironmentConfig } from '../config/index.ts'
import { EnvironmentError } from './environment-error.ts'
import { importModule } from './import-module.ts'

/** A config and where it was found. */
export interface LoadedConfig {
  readonly file: string
  readonly config: Config
}

type Kind = 'string' | 'boolean' | 'object'

const ENVIRONMENT_MEMBERS: Readonly<Record<keyof EnvironmentConfig, Kind>> = {
  table: 'string',
  endpoint: 'string',
  data: 'string',
  aws: 'boolean',
  profile: 'string',
  region: 'string',
  confirm: 'boolean',
}
const MEMBERS: Readonly<Record<keyof Config, Kind>> = {
  ...ENVIRONMENT_MEMBERS,
  schema: 'string',
  export: 'string',
  environments: 'object',
  environment: 'string',
}
const PLACES = ['endpoint', 'data', 'aws'] as const
const NAMES = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((end) => `singletable.config.${end}`)

/** The config of a folder or of the nearest folder around it that has one. */
export async function loadConfig(directory: string): Promise<LoadedConfig | undefined> {
  const file = findConfig(path.resolve(directory))
  if (file === undefined) return undefined
  const { default: exported } = await importModule(file)
  checkMembers(exported, MEMBERS, 'the default export', file)
  // Its members were checked.
  const config = exported as Config
  for (const [name, environment] of Object.entries(config.environments ?? {})) {
    checkMembers(environment, ENVIRONMENT_MEMBERS, `environments.${name}`, file)
  }
  return { file, config }
}

function findConfig(directory: string): string | undefined {
  const found = NAMES.map((name) => path.join(directory, name)).find((each) => existsSync(each))
  const parent = path.dirname(directory)
  return found ?? (parent === directory ? undefined : findConfig(parent))
}

function checkMembers(
  value: unknown,
  members: Readonly<Record<string, Kind>>,
  where: string,
  file: string,
): void {
  const refuse = (problem: string, fix: string): never => {
    throw new EnvironmentError(`The config can't be used: ${problem}.`, `${file}: ${where}`, fix)
  }
  if (typeof value !== 'object' || value === null) {
    refuse(
      `${where} is not an object`,
      "write export default defineConfig({ schema: './src/schema.ts', … })",
    )
  }
  for (const [name, member] of Object.entries(Object(value))) {
    const kind = Object.hasOwn(members, name) ? members[name] : undefined
    if (kind === undefined) {
      refuse(
        `there is no option "${name}"${didYouMean(name, Object.keys(members))}`,
        `use ${Object.keys(members).join(', ')}`,
      )
    }
    if (member !== undefined && typeof member !== kind) {
      refuse(`"${name}" is not ${kind === 'object' ? 'an object' : `a ${kind}`}`, `correct ${name}`)
    }
  }
  const places = PLACES.filter((name) => Object(value)[name])
  if (places.length > 1) {
    refuse(`${places.join(' and ')} can't be combined`, 'name only one place for the table')
  }
}
