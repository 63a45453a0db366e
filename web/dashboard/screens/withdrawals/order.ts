// What a new withdrawal is while it is written, and once it can be reviewed. The form and the review share it.
import type { Locale } from '#/kernel/language.ts'
import type { Wallet } from '../../api/generated.ts'
import { currencyOfType, type Destination } from '../../api/withdrawals.ts'
import { minorOf } from '../../kit/format.ts'
import type { DestinationDraft } from './destination.tsx'

/** What is reviewed, and then sent. */
export type Order = {
  readonly destination: Destination
  readonly wallet: Wallet
  readonly minor: bigint
  readonly note: string
}

/** What is written so far. It outlives the form, so that a way back from the review finds it again. */
export type OrderDraft = {
  readonly to: DestinationDraft
  readonly walletId: string
  readonly text: string
  readonly note: string
}

/** The wallets that can pay such a destination. */
export function payersOf(wallets: readonly Wallet[], { to }: Pick<OrderDraft, 'to'>): readonly Wallet[] {
  return wallets.filter(
    (each) => each.currency === currencyOfType[to.type] && each.walletType === 'SPENDABLE' && each.isActive,
  )
}

/** The chosen wallet. Until the user chooses: the first wallet with a balance, or any wallet when all are empty. */
export function payerOf(payers: readonly Wallet[], { walletId }: OrderDraft): Wallet | undefined {
  return payers.find(({ id }) => id === walletId) ?? payers.find(isFilled) ?? payers[0]
}

/** The written amount; undefined when the wallet cannot pay it. */
export function payableOf(text: string, locale: Locale, wallet: Wallet): bigint | undefined {
  const minor = minorOf(text, locale)
  return minor !== undefined && minor > 0n && minor <= BigInt(wallet.balance) ? minor : undefined
}

export function isFilled({ balance }: Wallet): boolean {
  return BigInt(balance) > 0n
}
