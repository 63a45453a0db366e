// The chart of accounts: the name of every account. Every balance that the API shows is the balance of one of these.
import { must } from '#/kernel/check.ts'
import type { WalletId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Currency } from '#/kernel/money.ts'

/** The side on which an account's balance grows: assets and expenses by debits, liabilities and income by credits. */
export type Side = 'DEBIT' | 'CREDIT'

export type AccountSpec = {
  /** Unique over all modes: `{mode}/{name}`. */
  readonly key: string
  readonly mode: Mode
  readonly name: string
  readonly currency: Currency
  readonly side: Side
  /** May not go below zero. */
  readonly floored: boolean
}

function account(mode: Mode, name: string, currency: Currency, side: Side, floored: boolean): AccountSpec {
  return { key: `${mode}/${name}`, mode, name, currency, side, floored }
}

/** The available money of a wallet: `balance` in the API. */
export function walletAvailable(mode: Mode, walletId: string, currency: Currency): AccountSpec {
  return account(mode, `wallet:${walletId}:available`, currency, 'CREDIT', true)
}

/** Whether an account is the available account of a wallet. */
export function isWalletAvailable({ name }: Pick<AccountSpec, 'name'>): boolean {
  return name.startsWith('wallet:') && name.endsWith(':available')
}

/** The wallet of an available account. */
export function walletOf({ name }: Pick<AccountSpec, 'name'>): WalletId {
  const [, walletId] = name.split(':')
  return must(walletId, 'the account of a wallet names it') as WalletId
}

/** Money on its way to a wallet, not final or not released: `pendingBalance`. */
export function walletPending(mode: Mode, walletId: string, currency: Currency): AccountSpec {
  return account(mode, `wallet:${walletId}:pending`, currency, 'CREDIT', true)
}

/** Money held for a withdrawal, refund or dispute: `heldBalance`. */
export function walletHeld(mode: Mode, walletId: string, currency: Currency): AccountSpec {
  return account(mode, `wallet:${walletId}:held`, currency, 'CREDIT', true)
}

/** The debt of a merchant after a debit beyond the wallets, such as a dispute; later credits repay it first. */
export function receivable(mode: Mode, merchantId: string, currency: Currency): AccountSpec {
  return account(mode, `receivable:${merchantId}:${currency}`, currency, 'DEBIT', true)
}

/**
 * What a sub-account owes its platform, which covered a share that went back. No money moves in it: its other side is `owed`.
 */
export function owes(mode: Mode, subAccountId: string, currency: Currency): AccountSpec {
  return account(mode, `owes:${subAccountId}:${currency}`, currency, 'DEBIT', true)
}

/** What the sub-accounts of a platform owe it in all. */
export function owed(mode: Mode, platformId: string, currency: Currency): AccountSpec {
  return account(mode, `owed:${platformId}:${currency}`, currency, 'CREDIT', true)
}

/** The other side of money that was detected but is not final, or authorised but not captured. */
export function seen(mode: Mode, connectionId: string, currency: Currency): AccountSpec {
  return account(mode, `seen:${connectionId}:${currency}`, currency, 'DEBIT', true)
}

/** Our money at a provider. It may go below zero: reconciliation raises an alarm then, and nothing is refused. */
export function provider(mode: Mode, connectionId: string, currency: Currency): AccountSpec {
  return account(mode, `provider:${connectionId}:${currency}`, currency, 'DEBIT', false)
}

/** Whole cents of the coins at our places on a chain. `chain` is our own key, never the chain id. */
export function coins(
  mode: Mode,
  chain: string,
  token: Currency,
  place: 'deposit' | 'treasury' | 'hot',
): AccountSpec {
  return account(mode, `coins:${chain}:${token}:${place}`, token, 'DEBIT', false)
}

/** Our income from fees. */
export function fees(mode: Mode, currency: Currency): AccountSpec {
  return account(mode, `fees:${currency}`, currency, 'CREDIT', false)
}

/** Money that was received and is not attributed yet. */
export function suspense(mode: Mode, connectionId: string, currency: Currency): AccountSpec {
  return account(mode, `suspense:${connectionId}:${currency}`, currency, 'CREDIT', true)
}

/** Money that left by a reference of ours, and that no record of the books explains. Two people decide whose it was. */
export function unrecorded(mode: Mode, connectionId: string, currency: Currency): AccountSpec {
  return account(mode, `unrecorded:${connectionId}:${currency}`, currency, 'DEBIT', true)
}

/** Native coin of a wallet of ours, in gwei: it pays for the wallet's transactions. */
export function gas(mode: Mode, chain: string, wallet: string): AccountSpec {
  return account(mode, `gas:${chain}:${wallet}`, 'BNB', 'DEBIT', false)
}

/** Our costs. `loss`: money that is gone and that nobody owes us. */
export function cost(mode: Mode, kind: 'gas' | 'loss', currency: Currency): AccountSpec {
  return account(mode, `cost:${kind}:${currency}`, currency, 'DEBIT', false)
}

/** The operator's own contributions. */
export function equity(mode: Mode, currency: Currency): AccountSpec {
  return account(mode, `equity:${currency}`, currency, 'CREDIT', false)
}
