// Computes what the fee payer of a split should have paid of our fee, from the terms of the fee and the receipts, and from what its share
// got by each of them. Nothing that was booked as a fee is read: neither the payment's nor the share's.
// Inspects what payments/shares.ts and payments/book-shares.ts decide.
import type { TransferRow } from './queries.ts'
import type { FeeBasisRow, ShareRow, SplitRow } from './split-queries.ts'

/** What is wrong with the fee of the share that pays it. Pure. */
export function faultsOfFee(
  { feePayer, amountMinor }: SplitRow,
  shares: readonly ShareRow[],
  transfers: readonly TransferRow[],
  basis: readonly FeeBasisRow[],
): readonly string[] {
  const payer = shares.find(({ subAccountId }) => subAccountId === feePayer)
  if (payer === undefined || amountMinor === null) return []
  const { ordinal, feeMinor } = payer
  const name = `share ${ordinal}`
  // Money that came before migration 71 was shared, and paid its fee, at its release: only a bound is known.
  if (basis.some(({ isSharedLater }) => isSharedLater)) {
    const most = mostOf(basis)
    return feeMinor > most ? [`${name} paid ${feeMinor} of our fee, but that is at most ${most}`] : []
  }
  const { expected } = replay(basis, amountMinor, arrivalsOf(transfers, ordinal))
  if (feeMinor === expected) return []
  return [`${name} paid ${feeMinor} of our fee, but the terms and the receipts make it ${expected}`]
}

type Replayed = {
  /** What the payer paid until here. */
  readonly expected: bigint
  /** What came, and our fees on it, as a whole and by method. */
  readonly came: bigint
  readonly charged: bigint
  readonly methods: ReadonlyMap<string, { readonly came: bigint; readonly charged: bigint }>
}

/** Piece by piece: our fee on it, and what the payer's share could pay of that and of what earlier pieces left. */
function replay(
  basis: readonly FeeBasisRow[],
  amount: bigint,
  arrivals: ReadonlyMap<bigint, Given>,
): Pick<Replayed, 'expected'> {
  const none: Replayed = { expected: 0n, came: 0n, charged: 0n, methods: new Map() }
  return basis.reduce<Replayed>((now, row) => {
    const given = (row.creditNumber === null ? undefined : arrivals.get(row.creditNumber + 1n)) ?? noneGiven
    const before = now.methods.get(row.method ?? '') ?? { came: 0n, charged: 0n }
    const came = before.came + row.cameMinor
    // The shares leave of a piece what they do not take of it, and the payer's part pays first.
    const remaining = row.cameMinor - (given.waits > 0n ? given.waits : given.all) + given.payerLike
    const due = feeOf(row, came) - before.charged
    const fee = least(most(least(due, row.cameMinor), 0n), most(remaining, 0n))
    // From the amount on a fee before may be that of money that no share comes from.
    const owedBefore = now.came < amount ? most(now.charged - now.expected, 0n) : 0n
    const owed = row.isDuplicate === true ? 0n : owedBefore + fee
    return {
      expected: now.expected + least(owed, given.payer),
      came: now.came + row.cameMinor,
      charged: now.charged + fee,
      methods: new Map(now.methods).set(row.method ?? '', { came, charged: before.charged + fee }),
    }
  }, none)
}

/** What the shares got by one event. */
type Given = {
  readonly all: bigint
  /** The part that waits for a settlement delay. */
  readonly waits: bigint
  readonly payer: bigint
  /** Of the payer: the part of the same kind as the piece, which waits or does not. */
  readonly payerLike: bigint
}

const noneGiven: Given = { all: 0n, waits: 0n, payer: 0n, payerLike: 0n }

/** What each event gave, by the number of its first transfer. That of a piece follows the one that credits the piece. */
function arrivalsOf(transfers: readonly TransferRow[], payer: number): ReadonlyMap<bigint, Given> {
  const events = Map.groupBy(transfers, ({ step }) => step.split('.', 1)[0])
  return new Map(
    [...events.values()].map((event) => {
      const sum = (wanted: RegExp, ofPayer = false) =>
        event.reduce((total, { step, minor }) => {
          const [, ordinal, name = ''] = step.split('.')
          return wanted.test(name) && (!ofPayer || ordinal === String(payer)) ? total + minor : total
        }, 0n)
      const waits = sum(/^share-pending$/)
      const kind = waits > 0n ? /^share-pending$/ : /^share(-owe)?$/
      const number = event.reduce((first, each) => (each.number < first ? each.number : first), 1n << 62n)
      const any = /^share(-owe|-pending)?$/
      return [number, { all: sum(any), waits, payer: sum(any, true), payerLike: sum(kind, true) }] as const
    }),
  )
}

/** All fees on money that is shared, if it all came at once. */
function mostOf(basis: readonly FeeBasisRow[]): bigint {
  const shared = Map.groupBy(
    basis.filter(({ isDuplicate }) => isDuplicate !== true),
    ({ method }) => method,
  )
  return [...shared.values()].reduce((sum, rows) => {
    const [one] = rows
    const came = rows.reduce((total, { cameMinor }) => total + cameMinor, 0n)
    return sum + (one === undefined || came === 0n ? 0n : feeOf(one, came))
  }, 0n)
}

/** The fee on all that came by a method, which drops fractions of a cent. */
function feeOf({ fixedMinor, ratePpm }: FeeBasisRow, came: bigint): bigint {
  if (fixedMinor === null || ratePpm === null) return 0n
  const millionths = came * ratePpm
  return fixedMinor + (millionths - (millionths % 1_000_000n)) / 1_000_000n
}

const least = (a: bigint, b: bigint) => (a < b ? a : b)
const most = (a: bigint, b: bigint) => (a > b ? a : b)
