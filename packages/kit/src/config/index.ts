/** Where a table is, and what it is called there. */
export interface EnvironmentConfig {
  /** The name of the table. */
  readonly table?: string
  /** A DynamoDB at this address, such as `http://localhost:8000`. */
  readonly endpoint?: string
  /** The folder of `singletable serve --data`. */
  readonly data?: string
  /** DynamoDB on AWS. A `profile` means the same. */
  readonly aws?: boolean
  /** A profile of `~/.aws/config`, also of SSO. */
  readonly profile?: string
  readonly region?: string
  /** Asks before a command writes. Defaults to true for `prod` and `production`, else to false. */
  readonly confirm?: boolean
}

/** What `singletable.config.ts` exports: the options that need not be typed. */
export interface Config extends EnvironmentConfig {
  /** The file that exports the schema; relative to the config. */
  readonly schema?: string
  /** Which of the schemas that the file exports. */
  readonly export?: string
  /** What is different in each environment; `--env` chooses one. */
  readonly environments?: Readonly<Record<string, EnvironmentConfig>>
  /** The environment without `--env` and `SINGLETABLE_ENV`; defaults to `dev`, if there is one. */
  readonly environment?: string
}

/** Gives the config as it is, with its types checked while it is written. */
export function defineConfig(config: Config): Config {
  return config
}
