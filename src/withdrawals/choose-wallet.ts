// Which wallet a withdrawal leaves from (interface §2.2, rules 2 and 4).
import type { WalletId } from '#/kernel/id.ts'
import type { Wallet } from '#/wallets/wallet.ts'

export type Choice =
  | { readonly ok: true; readonly wallet: Wallet }
  /** The named wallet is not the merchant's, or of another currency. */
  | { readonly ok: false; readonly reason: 'unknown_wallet' }
  | { readonly ok: false; readonly reason: 'not_spendable' }
  | { readonly ok: false; readonly reason: 'insufficient_funds'; readonly missing: bigint }

/**
 * The wallet for a debit, which is never split:
 * - the named wallet, if it may be spent from;
 * - else the default wallet, if it covers the debit;
 * - else the oldest active SPENDABLE wallet that covers it.
 * `wallets`: the merchant's wallets of the currency, oldest first.
 */
export function chooseWallet(
  wallets: readonly Wallet[],
  balanceOf: (wallet: Wallet) => bigint,
  debit: bigint,
  named: WalletId | undefined,
): Choice {
  if (named !== undefined) {
    const wallet = wallets.find(({ id }) => id === named)
    if (wallet === undefined) return { ok: false, reason: 'unknown_wallet' }
    if (!isSpendable(wallet)) return { ok: false, reason: 'not_spendable' }
    return covered([wallet], balanceOf, debit)
  }
  const spendable = wallets.filter(isSpendable)
  const byDefault = spendable.filter((wallet) => wallet.isDefault)
  return covered([...byDefault, ...spendable.filter((wallet) => !wallet.isDefault)], balanceOf, debit)
}

function covered(wallets: readonly Wallet[], balanceOf: (wallet: Wallet) => bigint, debit: bigint): Choice {
  const [first] = wallets
  if (first === undefined) return { ok: false, reason: 'not_spendable' }
  const wallet = wallets.find((each) => balanceOf(each) >= debit)
  return wallet === undefined
    ? { ok: false, reason: 'insufficient_funds', missing: debit - balanceOf(first) }
    : { ok: true, wallet }
}

function isSpendable({ walletType, isActive }: Wallet): boolean {
  return walletType === 'SPENDABLE' && isActive
}
