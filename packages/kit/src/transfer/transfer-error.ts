/** Items can't be exported or loaded as things are. */
export class TransferError extends Error {
  /** The file and the place in it, or the table. */
  readonly where: string
  readonly fix: string

  constructor(
    message: string,
    {
      where,
      fix,
      cause,
    }: { readonly where: string; readonly fix: string; readonly cause?: unknown },
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.where = where
    this.fix = fix
  }
}
