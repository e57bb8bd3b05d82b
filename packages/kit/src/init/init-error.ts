/** The project can't be made as things are. */
export class InitError extends Error {
  readonly where: string
  readonly fix: string

  constructor(message: string, where: string, fix: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.where = where
    this.fix = fix
  }
}
