import { SingletableError } from '../../errors/singletable-error.ts'
import { ITEM_COLLECTION_MAX_BYTES } from '../../values/limits.ts'

/** The engine's settings, all of which have defaults. */
export interface EngineSettings {
  /** Used in ARNs and stream records; default `us-east-1`. */
  readonly region: string
  /** Twelve digits that are used in ARNs; default all zero. */
  readonly accountId: string
  /** How long a table or index stays CREATING, UPDATING or DELETING, and Contributor Insights
   * ENABLING or DISABLING; default 0: no time at all. */
  readonly transitionMs: number
  /** How often expired items are looked for and deleted; default 1000. */
  readonly timeToLiveSweepMs: number
  /** Largest item collection on a table with local indexes; default 10 GB, as on AWS. */
  readonly itemCollectionMaxBytes: number
}

const DEFAULTS: EngineSettings = {
  region: 'us-east-1',
  accountId: '000000000000',
  transitionMs: 0,
  timeToLiveSweepMs: 1000,
  itemCollectionMaxBytes: ITEM_COLLECTION_MAX_BYTES,
}

/** Options that are not settings: the parts an engine is made of. */
const PARTS = ['storage', 'environment']

/** The engine's settings from its options, with defaults; refuses what makes no sense. */
export function readSettings(options: Partial<EngineSettings>): EngineSettings {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(DEFAULTS, name) || PARTS.includes(name)) continue
    throw new SingletableError('ENGINE_OPTION_INVALID', {
      what: `There is no option ${name}.`,
      where: 'createEngine()',
      fix: `use one of ${[...Object.keys(DEFAULTS), ...PARTS].join(', ')}`,
    })
  }
  const settings: EngineSettings = {
    region: options.region ?? DEFAULTS.region,
    accountId: options.accountId ?? DEFAULTS.accountId,
    transitionMs: options.transitionMs ?? DEFAULTS.transitionMs,
    timeToLiveSweepMs: options.timeToLiveSweepMs ?? DEFAULTS.timeToLiveSweepMs,
    itemCollectionMaxBytes: options.itemCollectionMaxBytes ?? DEFAULTS.itemCollectionMaxBytes,
  }
  for (const name of ['transitionMs', 'timeToLiveSweepMs', 'itemCollectionMaxBytes'] as const) {
    const value = settings[name]
    if (!Number.isFinite(value) || value < 0) {
      throw invalid(name, value, 'give a number, 0 or more')
    }
  }
  if (!/^[a-z0-9-]+$/.test(settings.region)) {
    throw invalid('region', settings.region, "give a region's name such as us-east-1")
  }
  if (!/^\d{12}$/.test(settings.accountId)) {
    throw invalid('accountId', settings.accountId, 'give twelve digits')
  }
  return settings
}

function invalid(name: string, value: unknown, fix: string): SingletableError {
  return new SingletableError('ENGINE_OPTION_INVALID', {
    what: `The option ${name} is ${JSON.stringify(value)}.`,
    where: 'createEngine()',
    fix,
  })
}
