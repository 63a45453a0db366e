// Coins on a chain: sent to an address, in any number of transfers, and confirmed block by block.
import { networkLabel } from '#/coins/networks.ts'
import { baseUnitsPerCent, bookDecimals, toTokenUnits } from '#/coins/units.ts'
import type { Currency } from '#/kernel/money.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Coin } from '#/rails/rail.ts'
import type { Format } from '../format.ts'
import type { Means } from '../means.ts'
import { qrCodeOf } from '../qr-path.ts'
import { cryptoWords } from './crypto-words.ts'
import type { CheckoutMethod, ExactSums } from './method.ts'
import type { Panels } from './panels.ts'

export const crypto: CheckoutMethod<'CRYPTO', (typeof cryptoWords)['en']> = {
  words: cryptoWords,
  isPaidElsewhere: true,
  ready({ means, locale, format, until, openMinor, exact }) {
    const { fields, coin } = means
    const address = fields['cryptoAddress']
    if (typeof address !== 'string') return undefined
    const { qr, waiting } = cryptoWords[locale]
    const token: Currency = coin?.currency ?? 'USDT'
    const amount = exact?.missing ?? format.money(openMinor, token)
    const uri = transferUri(address, amount.value, coin)
    const network = networkLabel(coin?.network ?? textOf(fields['cryptoNetwork']))
    return {
      panel: {
        method: 'CRYPTO',
        address,
        addressQr: qrCodeOf(address, qr.address),
        uri,
        uriQr: qrCodeOf(uri, qr.wallet),
        amount,
        network,
        token,
        deposits: shownDeposits(means, token, format),
      },
      notice: {
        headline: waiting.headline(amount.text),
        message: waiting.message(amount.text, network, until),
      },
    }
  },
  confirming({ payment, sent, locale }) {
    const { inTime, late } = cryptoWords[locale].confirming
    return { message: payment.status === 'WAITING_PAYMENT' ? inTime(sent) : late(sent) }
  },
  exactSums,
  /** The network, and each final transfer. */
  proof({ payment: { completingTx }, means: { fields }, labels, named }) {
    const hashes = (fields.deposits ?? []).filter(({ final }) => final).map(({ txHash }) => txHash)
    const all = new Set([...hashes, ...(completingTx === undefined ? [] : [completingTx])])
    const network = textOf(fields.cryptoNetwork)
    return [
      ...(network === '' ? [] : [{ label: labels.network, value: networkLabel(network) }]),
      ...[...all].map((hash) => named(labels.transaction, hash)),
    ]
  },
  topUp: ({ sent, missing, until, locale }) => cryptoWords[locale].topUp(sent, missing, until),
  progress({ fields, coin }) {
    const needed = coin?.confirmations ?? 1
    const { deposits = [] } = fields
    return {
      confirmed: deposits.reduce(
        (sum, { confirmations, final }) => sum + (final ? needed : Math.min(Number(confirmations), needed)),
        0,
      ),
      isOngoing: deposits.some(({ final }) => !final),
    }
  },
}

/**
 * The ledger credits the whole cents of all that came. To them belongs what is less than a cent, which the rail reports, with that of
 * transfers on their way.
 */
function exactSums(
  { amountMinor, receivedMinor, refundedMinor, seenMinor }: Payment,
  { fields, coin }: Means,
  format: Format,
): ExactSums | undefined {
  if (coin === undefined) return undefined
  const onTheWay = (fields.deposits ?? []).filter(({ final }) => !final)
  const all = onTheWay.reduce((sum, { amount }) => sum + BigInt(amount), unitsOf(fields['cryptoReceived']))
  const received = (receivedMinor - refundedMinor + seenMinor) * baseUnitsPerCent + (all % baseUnitsPerCent)
  const missing = amountMinor * baseUnitsPerCent - received
  if (received % baseUnitsPerCent === 0n || missing <= 0n) return undefined
  const shown = (units: bigint) => format.units(units, bookDecimals, coin.currency)
  return { received: shown(received), missing: shown(missing) }
}

/** EIP-681: a call of the token's `transfer(address, uint256)` on its chain, so that a wallet fills in all of it. */
function transferUri(address: string, amount: string, coin: Coin | undefined): string {
  if (coin === undefined) return `ethereum:${address}`
  const [whole = '0', fraction = ''] = amount.split('.')
  const units = BigInt(`${whole}${fraction.padEnd(bookDecimals, '0')}`)
  const { raw } = toTokenUnits(coin, units)
  return `ethereum:${coin.contract}@${coin.chainId}/transfer?address=${address}&uint256=${raw}`
}

/** Absent: whole cents. */
function unitsOf(value = '0'): bigint {
  return BigInt(value)
}

function shownDeposits(
  { fields, coin }: Means,
  token: Currency,
  format: Format,
): Panels['CRYPTO']['deposits'] {
  const needed = coin?.confirmations ?? 1
  return (fields.deposits ?? []).map(({ txHash, amount, confirmations, final }) => ({
    txHash,
    amount: format.units(BigInt(amount), bookDecimals, token),
    // The network may call a block final later than we do: the last step is done when the money is.
    confirmations: final ? needed : Math.min(Number(confirmations), needed - 1),
    needed,
    isFinal: final,
  }))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
