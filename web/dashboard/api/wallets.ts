// Wallets and their records, as openapi.json describes them.
import { useQuery } from '@tanstack/react-query'
import type { Minor } from '../kit/format.ts'
import { get } from './client.ts'
import type { Currency, Page } from './records.ts'
import { useMerchant } from './session.ts'

export const walletTypes = ['SPENDABLE', 'RESERVE'] as const
export type WalletType = (typeof walletTypes)[number]

/** Wallets have no USD: dollars are received and kept as USDT. */
export const walletCurrencies = ['BRL', 'EUR', 'USDT'] as const

export type Balances = {
  readonly balance: Minor
  readonly pendingBalance: Minor
  readonly heldBalance: Minor
}

export type Wallet = Balances & {
  readonly id: string
  readonly currency: Currency
  readonly label: string
  readonly walletType: WalletType
  readonly isDefault: boolean
  readonly isActive: boolean
  readonly createdAt: string
}

export type CurrencyBalance = Balances & { readonly currency: Currency; readonly owed: Minor }

export const statementKinds = [
  'PAYMENT',
  'RELEASE',
  'FEE',
  'REFUND',
  'REFUND_RETURNED',
  'DISPUTE',
  'DISPUTE_WON',
  'WITHDRAWAL',
  'WITHDRAWAL_RETURNED',
  'TRANSFER',
  'RECEIVABLE_REPAID',
  'SHARE',
  'SHARE_FEE',
  'SHARE_RETURNED',
  'SHARE_REPAID',
  'ADJUSTMENT',
] as const
export type StatementKind = (typeof statementKinds)[number]

export type StatementEntry = {
  readonly id: string
  readonly walletId: string
  readonly currency: Currency
  readonly kind: StatementKind
  readonly amount: Minor
  readonly balance: Minor
  readonly postedAt: string
  readonly description: string
  readonly label?: string
  readonly paymentId?: string
  readonly refundId?: string
  readonly withdrawalId?: string
  readonly transferId?: string
  readonly disputeId?: string
}

export type HistoryDay = {
  readonly date: string
  readonly inflow: Minor
  readonly outflow: Minor
  readonly closingBalance: Minor
}

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
        const next: Page<Wallet> = await get<Page<Wallet>>(`/m/${id}/wallets`, { limit: 100, cursor }, signal)
        wallets.push(...next.data)
        cursor = next.nextCursor
        if (cursor === undefined) break
      }
      return wallets
    },
  })
}
