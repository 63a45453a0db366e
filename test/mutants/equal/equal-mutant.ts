export type EqualMutant = {
  readonly file: string
  /** The changed place as it stands in the file, with enough around it to be found once, and as it stands in the mutant. */
  readonly find: string
  readonly put: string
  readonly why: string
}
