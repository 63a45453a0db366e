// Checks a requested split before the payment is created: recipients, wallets, sums, currency, and that our fee is covered.
import type { Sql } from '#/db/client.ts'
import { AppError, type FieldFault } from '#/kernel/error.ts'
import { newId, type MerchantId, type WalletId } from '#/kernel/id.ts'
import { amountFromJson, type Currency } from '#/kernel/money.ts'
import { mayStart } from '#/merchants/account-state.ts'
import { feeOn } from '#/merchants/fee.ts'
import { selectFeeRules } from '#/merchants/queries.ts'
import { selectSubAccounts } from '#/merchants/sub-account-queries.ts'
import { ledgerCurrency, type Payment, type SplitRequest } from './payment.ts'
import { fits, shareOf, type Share, type Split } from './shares.ts'
import { selectRecipientWallets, selectWalletCurrencies } from './split-queries.ts'

/** A percentage written as `33.33`, with at most four decimals, as millionths; undefined for any other text, and for zero. */
export function ratePpmOf(percent: string): bigint | undefined {
  const [, whole = '', decimals = ''] = /^(\d{1,3})(?:\.(\d{1,4}))?$/.exec(percent) ?? []
  const ppm = BigInt(`${whole}${decimals.padEnd(4, '0')}`)
  return whole !== '' && ppm >= 1n && ppm <= 1_000_000n ? ppm : undefined
}

/**
 * The split of a new payment, with the wallets that its shares go to. 422 `split_refused` with all faults at once:
 * - an unknown or suspended sub-account, or one that is named twice
 * - a wallet of somebody else
 * - shares beyond the amount, or below a cent
 * - two currencies
 * - a fee that the fee payer's part does not cover
 */
export async function planSplit(sql: Sql, payment: Payment): Promise<Split> {
  const { merchantId, request, currency: shown, methods } = payment
  const { splits = [], feePayer: payer } = request
  const currencies = new Set(methods.map((method) => ledgerCurrency(shown, method)))
  const [currency = shown] = currencies
  const ids = splits.map(({ subAccountId }) => subAccountId.toLowerCase() as MerchantId)
  const named = splits.flatMap(({ walletId }, index) =>
    walletId === undefined
      ? []
      : [{ merchantId: ids[index] as MerchantId, id: walletId.toLowerCase() as WalletId }],
  )
  const [accounts, wallets, elsewhere] = await Promise.all([
    selectSubAccounts(sql, merchantId, ids),
    selectRecipientWallets(
      sql,
      ids.map((id) => ({ merchantId: id, currency })),
    ),
    namedElsewhere(sql, named, currency),
  ])
  const faults: FieldFault[] = []
  if (currencies.size > 1)
    faults.push(
      fault('/splits', 'mixed_currencies', `needs one of ${[...currencies].join(' and ')}: name its methods`),
    )
  const shares = splits.map((each, index): Share => {
    const subAccountId = ids[index] as MerchantId
    const account = accounts.find(({ id }) => id === subAccountId)
    const at = `/splits/${index}`
    if (account === undefined)
      faults.push(fault(`${at}/subAccountId`, 'not_found', 'is no sub-account of yours'))
    else if (!mayStart(account.state, 'share'))
      faults.push(fault(`${at}/subAccountId`, 'not_active', `is ${account.state}`))
    if (ids.indexOf(subAccountId) < index)
      faults.push(fault(`${at}/subAccountId`, 'repeated', 'has a share already'))
    const theirs = wallets.filter((wallet) => wallet.merchantId === subAccountId && account !== undefined)
    const givenId = each.walletId?.toLowerCase()
    const wallet = theirs.find(({ id, isDefault }) => (givenId === undefined ? isDefault : id === givenId))
    // If the methods are of two currencies, it is not known which of them the wallet must have.
    if (account !== undefined && wallet?.isActive !== true && currencies.size === 1) {
      const code = elsewhere.has(`${subAccountId}/${givenId}`) ? 'other_currency' : 'not_found'
      const message = `must be an active wallet of the sub-account in ${currency}`
      faults.push(fault(`${at}/walletId`, code, message))
    }
    const share = { ...termsOf(each), id: newId<'payment-share'>(), ordinal: index + 1, subAccountId }
    if (shareOf(share, payment, payment.amountMinor) < 1n)
      faults.push(fault(at, 'too_small', 'is less than one cent of the full amount'))
    // Without a wallet the split is refused below.
    const walletId = wallet?.id ?? newId<'wallet'>()
    const none = { bookedMinor: 0n, unreleasedMinor: 0n, keptMinor: 0n, feeMinor: 0n, isClosed: false }
    return { ...share, walletId, label: each.label ?? null, ...none }
  })
  if (!fits(shares, payment)) faults.push(fault('/splits', 'too_large', 'add up to more than the amount'))
  const feePayer = (payer?.toLowerCase() as MerchantId | undefined) ?? null
  if (feePayer !== null && !ids.includes(feePayer))
    faults.push(fault('/feePayer', 'not_allowed', 'must be a sub-account of the splits'))
  else if (faults.length === 0 && !(await coversFee(sql, payment, currency, { shares, feePayer })))
    faults.push(fault('/feePayer', 'too_small', 'keeps less of the full amount than our fee'))
  if (faults.length > 0) {
    const detail = `The payment cannot be split: ${faults[0]?.pointer} ${faults[0]?.message}.`
    throw new AppError('split_refused', detail, { faults })
  }
  const { id: paymentId, createdAt } = payment
  const none = { duplicateMinor: 0n, waitingMinor: 0n, version: 1 }
  return { id: newId(), merchantId, paymentId, currency, feePayer, ...none, createdAt, shares }
}

/** The named wallets that are in another currency, as `sub-account/wallet`. */
async function namedElsewhere(
  sql: Sql,
  named: readonly { readonly merchantId: MerchantId; readonly id: WalletId }[],
  currency: Currency,
): Promise<ReadonlySet<string>> {
  const found = named.length === 0 ? [] : await selectWalletCurrencies(sql, named)
  const others = found.filter((wallet) => wallet.currency !== currency)
  return new Set(others.map(({ merchantId, id }) => `${merchantId}/${id}`))
}

function termsOf({ amount, percent }: SplitRequest) {
  return {
    amountMinor: amount === undefined ? null : amountFromJson(amount),
    ratePpm: percent === undefined ? null : (ratePpmOf(percent) ?? null),
  }
}

/** Whether what the fee payer keeps of the full amount covers our fee, by every method that the payment offers. */
async function coversFee(
  sql: Sql,
  { merchantId, methods, amountMinor }: Payment,
  currency: Currency,
  { shares, feePayer }: Pick<Split, 'shares' | 'feePayer'>,
): Promise<boolean> {
  const rules = await selectFeeRules(sql, [merchantId])
  const fees = methods.map((method) => {
    const rule = rules.find((each) => each.method === method && each.currency === currency)
    return feeOn(rule, { received: 0n, charged: 0n, arrived: amountMinor })
  })
  const got = shares.map((share) => ({ ...share, minor: shareOf(share, { amountMinor }, amountMinor) }))
  const kept =
    feePayer === null
      ? got.reduce((rest, { minor }) => rest - minor, amountMinor)
      : (got.find(({ subAccountId }) => subAccountId === feePayer)?.minor ?? 0n)
  return fees.every((fee) => fee <= kept)
}

function fault(pointer: string, code: string, message: string): FieldFault {
  return { pointer, code, message }
}
