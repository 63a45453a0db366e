import type { EqualMutant } from './equal-mutant.ts'

const laterRank =
  'Only the order of the ranks counts, and every comparison that can occur comes out the same.'
const othersNames =
  'What else is read has names of its own, by connection and reference, for which no receipt of the batch asks.'

export const settlement: readonly EqualMutant[] = [
  {
    file: 'src/settlement/dispute.ts',
    find: 'dispute_taken: 1,',
    put: 'dispute_taken: 2,',
    why: laterRank,
  },
  { file: 'src/settlement/dispute.ts', find: 'dispute_won: 3,', put: 'dispute_won: 4,', why: laterRank },
  { file: 'src/settlement/dispute.ts', find: '  WON: 3,', put: '  WON: 4,', why: laterRank },
  {
    file: 'src/settlement/dispute.ts',
    find: '(places[outcome] ?? 0) > now',
    put: '(places[outcome] ?? 0) >= now',
    why: 'The only report of the present rank in a round is the one that was recorded, and a repeated report ends before.',
  },
  {
    file: 'src/settlement/queries.ts',
    find: 'join receipt on receipt.connection = wanted.connection and receipt.pending_ref',
    put: 'join receipt on receipt.pending_ref',
    why: othersNames,
  },
]
