import type { EqualMutant } from './equal-mutant.ts'

export const operator: readonly EqualMutant[] = [
  {
    file: 'src/operator/expiry.ts',
    find: 'let scanned = 0; scanned',
    put: 'let scanned = 1; scanned',
    why: 'It counts whole pages: ten of them either way.',
  },
  {
    file: 'src/operator/found-coins.ts',
    find: 'isOneName(sql, proposed.proposedBy, confirmation.by)',
    put: 'isOneName(sql, confirmation.by, proposed.proposedBy)',
    why: 'Whether two names are one person’s is the same from both sides.',
  },
  {
    file: 'src/operator/sepa-concerned.ts',
    find: '(a < b ? -1 : 1)',
    put: '(a < b ? -1 : 2)',
    why: 'Of a comparison only the sign counts.',
  },
]
