// Money that left under a reference of ours, and that no withdrawal or refund of the books records: the books lost it in a
// restore. The amount that the provider reports is booked once, from the provider's account to the account `unrecorded`, until
// two people decide who bears it (resolve-unrecorded.ts).
// Inspected by audit/settlement/unrecorded.ts.
import { deductDeparted, selectDeparted, type DepartedMove } from '#/coins/departed-queries.ts'
import { baseUnitsPerCent } from '#/coins/units.ts'
import { newId, type ConnectionId, type MerchantId, type PaymentId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Money } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import * as chart from '#/ledger/chart.ts'
import type { Closed, RunnableKind } from '#/ledger/kind.ts'
import { leftUnrecorded } from '#/ledger/unrecorded-recipes.ts'
import { selectConnectionModes } from '#/merchants/queries.ts'
import { pureKind, type Decided, type Reading } from '#/wallets/pure-kind.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import * as queries from './unrecorded-queries.ts'
import type { Booked, NewUnrecorded, SentName, Unrecorded } from './unrecorded-queries.ts'

/** What a provider says has left for good. */
export type SentItem = SentName & {
  /** The connection whose account it left. */
  readonly account: ConnectionId
  readonly providerRef?: string
  /** All that left under this reference, less what came back. */
  readonly amount: Money
  /** Of coins: the chain, and the movement that it showed. */
  readonly coins?: { readonly chain: string; readonly move: string }
  /** Of a refund of a payment that the books have. */
  readonly of?: { readonly merchantId: MerchantId; readonly paymentId: PaymentId }
  readonly happenedAt?: Date
  /** The exact bytes of the report. */
  readonly evidence: Buffer
}

export type SentVerdict =
  | { readonly kind: 'recorded' | 'repeated'; readonly unrecorded: Unrecorded }
  /** It is recorded, and the provider now says another amount: money came back, or did not. */
  | { readonly kind: 'differs'; readonly unrecorded: Unrecorded }
  /** The books have the whole amount, or nothing left because it came back. */
  | { readonly kind: 'booked' }
  /** Its connection is unknown, or an account that it would move is in another currency. */
  | { readonly kind: 'unbookable' }

type View = {
  readonly modes: ReadonlyMap<ConnectionId, Mode>
  readonly booked: ReadonlyMap<string, Booked>
  readonly recorded: Map<string, Unrecorded>
  /** The movements of coins, as the chain showed them. */
  readonly moves: ReadonlyMap<string, DepartedMove>
}

/** The key of what left: its connection, its kind and our reference. */
export function sentKey({ connection, kind, reference }: SentName): string {
  return `${connection}/${kind}/${reference}`
}

/** Books what left and is in no record, as a kind of work for the ledger lane. */
export const sentKind: RunnableKind<SentItem, SentVerdict, EventDraft> = pureKind<
  SentItem,
  View,
  NewUnrecorded,
  SentVerdict
>({
  name: 'record what left',
  async load({ tx, books }, items) {
    const moveIds = items.flatMap(({ coins }) => coins?.move ?? [])
    const [modes, booked, recorded, moves] = await Promise.all([
      selectConnectionModes(
        tx,
        items.map(({ connection }) => connection),
      ),
      queries.selectBooked(tx, items),
      queries.selectUnrecorded(tx, items),
      moveIds.length === 0 ? [] : selectDeparted(tx, moveIds),
    ])
    const view: View = {
      modes: new Map(modes.map(({ id, mode }) => [id, mode])),
      booked: new Map(booked.map((each) => [sentKey(each), each])),
      recorded: new Map(recorded.map((each) => [sentKey(each), each])),
      moves: new Map(moves.map((each) => [each.id, each])),
    }
    await books.load(items.flatMap((item) => Object.values(accountsOf(view, item) ?? {})))
    return view
  },
  decide,
  keep({ recorded }, { verdict }) {
    if (verdict.kind === 'recorded') recorded.set(sentKey(verdict.unrecorded), verdict.unrecorded)
  },
  async write({ tx }, news) {
    await queries.insertUnrecorded(tx, news)
    const moves = news.flatMap(({ move }) => move ?? [])
    if (moves.length > 0) await deductDeparted(tx, moves)
  },
})

function decide(
  view: Closed<View>,
  item: SentItem,
  { books, at }: Reading,
): Decided<NewUnrecorded, SentVerdict> {
  const { kind, connection, account, reference, providerRef, coins, amount, of, happenedAt, evidence } = item
  const knownMinor = view.booked.get(sentKey(item))?.amountMinor ?? 0n
  const before = view.recorded.get(sentKey(item))
  if (before !== undefined) {
    const kept = before.resolution === 'RETURNED' ? 0n : before.amountMinor
    const isSame = kept + before.knownMinor === amount.minor
    return { verdict: { kind: isSame ? 'repeated' : 'differs', unrecorded: before } }
  }
  const minor = amount.minor - knownMinor
  if (minor <= 0n) return { verdict: { kind: 'booked' } }
  const mode = view.modes.get(connection)
  const accounts = accountsOf(view, item)
  if (mode === undefined || accounts === undefined) return { verdict: { kind: 'unbookable' } }
  if (!Object.values(accounts).every((each) => books.accepts(each)))
    return { verdict: { kind: 'unbookable' } }
  if (coins !== undefined && !isMoveOf(view, coins, amount)) return { verdict: { kind: 'unbookable' } }

  const unrecorded: Unrecorded = {
    id: newId<'unrecorded'>(),
    mode,
    kind,
    connection,
    account,
    reference,
    providerRef: providerRef ?? null,
    chain: coins?.chain ?? null,
    move: coins?.move ?? null,
    amountMinor: minor,
    knownMinor,
    currency: amount.currency,
    merchantId: of?.merchantId ?? null,
    paymentId: of?.paymentId ?? null,
    happenedAt: happenedAt ?? null,
    recordedAt: at,
    resolvedAt: null,
    resolution: null,
    walletId: null,
    note: null,
  }
  const reportHash = sha256(evidence)
  return {
    verdict: { kind: 'recorded', unrecorded },
    change: { ...unrecorded, reportHash },
    postings: leftUnrecorded({ subject: unrecorded.id, ordinal: 1, cause: reportHash }, accounts, minor),
  }
}

/** Whether the chain showed this movement of exactly this amount: payouts are whole cents. */
function isMoveOf(
  { moves }: Closed<View>,
  { chain, move }: NonNullable<SentItem['coins']>,
  { minor, currency }: Money,
): boolean {
  const found = moves.get(move)
  return found?.chain === chain && currency === 'USDT' && found.units === minor * baseUnitsPerCent
}

function accountsOf({ modes }: Closed<View>, { connection, account, coins, amount }: SentItem) {
  const mode = modes.get(connection)
  if (mode === undefined) return undefined
  return sentAccounts({ mode, account, currency: amount.currency, chain: coins?.chain ?? null })
}

/** The accounts between which it moved: the provider's or the hot wallet's, and the account `unrecorded`. */
export function sentAccounts({
  mode,
  account,
  currency,
  chain,
}: Pick<Unrecorded, 'mode' | 'account' | 'currency' | 'chain'>) {
  return {
    arrival:
      chain === null ? chart.provider(mode, account, currency) : chart.coins(mode, chain, currency, 'hot'),
    unrecorded: chart.unrecorded(mode, account, currency),
  }
}
