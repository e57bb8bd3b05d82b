import { PlacedError } from '../schema-file/environment-error.ts'

/** A migration can't continue: what is wrong, where, and what to do. */
export class MigrationError extends PlacedError {}
