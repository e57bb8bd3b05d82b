/**
 * Migrations as an application and the `singletable` command share them: their declared steps, and
 * what these make of an item. The command runs them over a table.
 */
export * from './define-migration.ts'
export type * from './step.ts'
export { type Upgrade, type UpgradeOptions, upgradeOnRead } from './upgrade-on-read.ts'
