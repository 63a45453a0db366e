// Mutants that no test can notice, because the product does the same with them. Each has a sentence that says why.

export type EqualMutant = {
  readonly file: string
  /** The changed place as it stands in the file, with enough around it to be found once, and as it stands in the mutant. */
  readonly find: string
  readonly put: string
  readonly why: string
}

export const equal: readonly EqualMutant[] = [
  {
    file: 'src/people/throttle.ts',
    find: 'Buffer.compare(a.key, b.key)',
    put: 'Buffer.compare(b.key, a.key)',
    why: 'Any order does, as long as it is one everywhere.',
  },
  {
    file: 'src/people/throttle.ts',
    find: 'if (shared.length > 0)',
    put: 'if (shared.length >= 0)',
    why: 'The condition spares a statement that changes no row.',
  },
  {
    file: 'src/people/challenge.ts',
    find: 'instantPart = 8',
    put: 'instantPart = 9',
    why: 'The parts are read where they were written, and the ninth byte is never used.',
  },
]
