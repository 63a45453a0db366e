// All wallets of a merchant.
import { useQuery } from '@tanstack/react-query'
import { call } from './call.ts'
import type { Wallet, WalletList } from './generated.ts'
import { useMerchant } from './session.ts'

/** Wallets have no USD: dollars are received and kept as USDT. */
export const walletCurrencies = ['BRL', 'EUR', 'USDT'] as const

/** A merchant has at most 200 wallets. */
const pagesMax = 4

/** All wallets, oldest first. */
export function useWallets(enabled = true) {
  const { id } = useMerchant()
  return useQuery({
    queryKey: ['m', id, 'wallets', 'all'],
    enabled,
    queryFn: async ({ signal }) => {
      const wallets: Wallet[] = []
      let cursor: string | undefined
      for (let page = 0; page < pagesMax; page += 1) {
        const input = { merchant: id, query: { limit: 100, cursor } }
        const next: WalletList = await call('listWallets', input, { signal })
        wallets.push(...next.data)
        cursor = next.nextCursor
        if (cursor === undefined) break
      }
      return wallets
    },
  })
}
