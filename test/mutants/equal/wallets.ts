import type { EqualMutant } from './equal-mutant.ts'

export const wallets: readonly EqualMutant[] = [
  {
    file: 'src/wallets/transfer-queries.ts',
    find: 'id !== undefined || (walletId === undefined && currency === undefined)',
    put: '(id !== undefined)',
    why: 'The transfers of all wallets of a merchant are all its transfers: only the way to them costs more.',
  },
]
