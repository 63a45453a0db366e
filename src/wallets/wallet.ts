// The wallet: a merchant's balance in one currency. Its money lies in three accounts of the books.
import { recordOf, type Of } from '#/contract/record.ts'
import type { wallet as shown, walletTypes } from '#/contract/wallets.ts'
import type { MerchantId, WalletId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'

export type WalletType = (typeof walletTypes)[number]

/** The currencies in which every merchant starts with a wallet. */
export const startingCurrencies = ['BRL', 'EUR', 'USDT'] as const satisfies readonly Currency[]

export type Wallet = {
  readonly merchantId: MerchantId
  readonly id: WalletId
  readonly currency: Currency
  readonly label: string
  readonly walletType: WalletType
  readonly isDefault: boolean
  readonly isActive: boolean
  /** Grows by one with each change of the wallet itself; balances change without it. */
  readonly version: number
  readonly createdAt: Date
}

export type Balances = {
  /** What can be withdrawn now. */
  readonly availableMinor: bigint
  /** Incoming, not final or not released. */
  readonly pendingMinor: bigint
  readonly heldMinor: bigint
}

/** The balances of a wallet that was never used. */
export const noBalances: Balances = { availableMinor: 0n, pendingMinor: 0n, heldMinor: 0n }

/** The wallet with its balances, as the API shows it. */
export function walletRecord(wallet: Wallet, balances: Balances, asOf?: Date): Of<typeof shown> {
  return recordOf<typeof shown>({
    id: wallet.id,
    currency: wallet.currency,
    label: wallet.label,
    walletType: wallet.walletType,
    isDefault: wallet.isDefault,
    isActive: wallet.isActive,
    version: wallet.version,
    createdAt: wallet.createdAt.toISOString(),
    balance: balances.availableMinor,
    pendingBalance: balances.pendingMinor,
    heldBalance: balances.heldMinor,
    asOf: asOf?.toISOString(),
  })
}
