/** A file of a bank that is not imported, with the reason for a person: the end of "it was refused: …". */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile'
  /** It is only of accounts that nobody connected. */
  readonly isOthers: boolean
  constructor(message: string, { isOthers = false }: { readonly isOthers?: boolean } = {}) {
    super(message)
    this.isOthers = isOthers
  }
}
