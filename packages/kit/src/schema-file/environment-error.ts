/** An error that says where it is. */
export class PlacedError extends Error {
  readonly where: string
  readonly fix: string

  constructor(message: string, where: string, fix: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.where = where
    this.fix = fix
  }
}

/** What the command needs is not as it should be: a file, a schema, a connection. */
export class EnvironmentError extends PlacedError {}
