/** What is measured, with the ceilings of ours: against the best peer when alone, against the bare
 * DocumentClient through the SDK. */
export const OPERATIONS = [
  { name: 'get', ceilingAlone: 1 / 3, ceilingSdk: 0.6 },
  { name: 'put', ceilingAlone: 1 / 3, ceilingSdk: 0.6 },
  { name: 'update', ceilingAlone: 1 / 3, ceilingSdk: 0.6 },
  { name: 'query 25', ceilingAlone: 1 / 3, ceilingSdk: 0.6 },
  { name: 'query 100', ceilingAlone: 1 / 3, ceilingSdk: 0.6 },
  { name: 'batchWrite 25', ceilingAlone: 1 / 3, ceilingSdk: 0.6 },
  { name: 'transactWrite 5', ceilingAlone: 1 / 3, ceilingSdk: 0.6 },
] as const

export type Operation = (typeof OPERATIONS)[number]['name']

/** `alone`: the client answers at once with a ready response. `sdk`: a real client of the SDK,
 * whose request handler answers. */
export const SETTINGS = ['alone', 'sdk'] as const
export type Setting = (typeof SETTINGS)[number]

/** A library runs in a process of its own, from the file of its name in `processes/`. */
export const LIBRARIES = ['raw', 'electrodb', 'toolbox', 'onetable', 'ours'] as const
export type LibraryName = (typeof LIBRARIES)[number]

/** The argument of a process that is to make one call and print what that took. */
export const COLD = 'cold'
