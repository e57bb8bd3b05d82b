import { PlacedError } from '../schema-file/environment-error.ts'

/** A migration can't go on as things are: what, where, and what to do. */
export class MigrationError extends PlacedError {}
