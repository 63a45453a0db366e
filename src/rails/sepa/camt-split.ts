// A collected entry and its transfers: they are added up with their signs, and what is left over must be a charge that the bank states.
import { amountOf, currencyOf } from './camt-parts.ts'
import { all, find, textAt, type Element } from './xml.ts'

type Whole = { readonly minor: bigint; readonly currency: string; readonly isCredit: boolean }

/** One transfer of an entry, or, without a transfer, the charge that the bank kept. */
export type Share = {
  readonly transfer: Element | undefined
  readonly minor: bigint
  readonly isCredit: boolean
}

/**
 * Returns what the entry consists of. `none`: its transfers have no amounts of their own. `contradicts`: they do not make the entry, so
 * nobody knows what came from whom.
 */
export function sharesOf(
  entry: Element,
  transfers: readonly Element[],
  whole: Whole,
): readonly Share[] | 'none' | 'contradicts' {
  if (transfers.length < 2) return 'none'
  const shares: Share[] = []
  for (const transfer of transfers) {
    const amount = transferAmount(transfer, whole.currency)
    if (amount === undefined) return 'none'
    shares.push({ transfer, minor: amount.minor, isCredit: sideOf(transfer, whole.isCredit) })
  }
  const sum = shares.reduce(
    (total, { minor, isCredit }) => total + (isCredit === whole.isCredit ? minor : -minor),
    0n,
  )
  if (sum === whole.minor) return shares
  // Less came than the payers sent, or more left than was sent: the rest is a charge.
  const charge = whole.isCredit ? sum - whole.minor : whole.minor - sum
  const isStated = charge > 0n && chargesIn(entry, transfers, whole.currency).includes(charge)
  return isStated ? [...shares, { transfer: undefined, minor: charge, isCredit: false }] : 'contradicts'
}

/** In version 02 a transfer has no side of its own. */
function sideOf(transfer: Element, isCredit: boolean): boolean {
  const side = textAt(transfer, 'CdtDbtInd')
  return side === undefined ? isCredit : side === 'CRDT'
}

/**
 * The amount: `Amt` in version 08, and among the amount details in version 02. After an exchange the amount in the payer's currency
 * is there too.
 */
function transferAmount(transfer: Element, currency: string) {
  const found = ['Amt', 'AmtDtls/TxAmt/Amt', 'AmtDtls/CntrValAmt/Amt', 'AmtDtls/InstdAmt/Amt']
    .map((path) => find(transfer, path))
    .find((each) => currencyOf(each) === currency)
  return found === undefined ? undefined : amountOf(found, 'a transfer')
}

/** What the bank says that it kept: of the entry, and of its transfers together. */
function chargesIn(entry: Element, transfers: readonly Element[], currency: string): readonly bigint[] {
  const ofTransfers = transfers.reduce((sum, each) => sum + chargeIn(each, currency), 0n)
  return [chargeIn(entry, currency), ofTransfers]
}

/** `Chrgs`: a total, or records, each with its side; in version 02 each `Chrgs` is a record. */
function chargeIn(element: Element, currency: string): bigint {
  const all02 = all(element, 'Chrgs')
  const total = all02.map((each) => find(each, 'TtlChrgsAndTaxAmt')).find((each) => each !== undefined)
  const records = all02.flatMap((each) => (all(each, 'Rcrd').length > 0 ? all(each, 'Rcrd') : [each]))
  const amounts =
    total === undefined
      ? records.filter((each) => textAt(each, 'CdtDbtInd') !== 'CRDT').map((each) => find(each, 'Amt'))
      : [total]
  return amounts
    .filter((each) => currencyOf(each) === currency)
    .reduce((sum, each) => sum + amountOf(each, 'a charge').minor, 0n)
}
