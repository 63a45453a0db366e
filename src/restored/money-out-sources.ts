// The lists that providers can give after a restore: for each connection that sends payouts or refunds, what left by our
// references.
import { selectDepartedPage } from '#/coins/departed-queries.ts'
import { baseUnitsPerCent } from '#/coins/units.ts'
import type { Sql } from '#/db/client.ts'
import { messageOf } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { AttemptId, ConnectionId } from '#/kernel/id.ts'
import type { Money } from '#/kernel/money.ts'
import { addMs } from '#/kernel/time.ts'
import type { ConnectionBook } from '#/rails/connection.ts'
import type { ListedPayout, PayoutRail, PayoutRails } from '#/rails/payout-rail.ts'
import type { Rail, Rails } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { selectConnectionsOf } from './money-out-queries.ts'
import type { SourceName } from './restore.ts'
import type { SignedOfChain, SignedTx } from './signed.ts'

/** One thing in a provider's list, by our reference. */
export type Listed = {
  readonly reference: string
  /** The connection whose account it left. */
  readonly account: ConnectionId
  readonly providerRef?: string
  /** The whole amount, and what of it came back. */
  readonly amount: Money
  readonly returned: bigint
  /** `UNDER_WAY`: nobody knows yet whether it leaves. */
  readonly state: 'LEFT' | 'UNDER_WAY'
  /** Of coins: the chain, and the movement that it showed. */
  readonly coins?: { readonly chain: string; readonly move: string }
  /** The books have a payout that may be this one: reconciliation will decide. */
  readonly mayBeBooked?: boolean
  /** Of a refund: the attempt whose money went back. */
  readonly attempt?: AttemptId
  readonly happenedAt?: Date
  readonly evidence: Buffer
}

type Span = { readonly from: Date; readonly to: Date }

/** A list to read, and why it is incomplete. A list that cannot be read has only the reason. */
export type Source = SourceName & {
  readonly pages?: (span: Span) => AsyncIterable<readonly Listed[]>
  readonly why?: string
}

export type SourceDeps = {
  readonly sql: Sql
  readonly rails: Rails
  readonly payoutRails: PayoutRails
  readonly connections: Pick<ConnectionBook, 'find'>
}

/** What the journals of signers say about the chain of each connection; empty: none was given. */
export type SignedOf = ReadonlyMap<ConnectionId, SignedOfChain>

/** Every connection by which money leaves, archived ones too. */
export async function sourcesOf(
  { sql, rails, payoutRails, connections }: SourceDeps,
  signed: SignedOf,
): Promise<readonly Source[]> {
  const paying = [...payoutRails.values()].map((rail) => ({ method: methodOf(rail), rail }))
  const refunding = [...rails.values()].filter(
    ({ refunds }) => refunds !== undefined && refunds.paysOutBy === undefined,
  )
  const methods = [...paying.map(({ method }) => method), ...refunding.map(({ method }) => method)]
  const found = await selectConnectionsOf(sql, methods)
  const of = (method: string, kind: SourceName['kind'], open: (id: ConnectionId) => Source) =>
    found
      .filter((each) => each.method === method)
      .map(({ id }) => (connections.find(id) === undefined ? unopened(kind, id) : orWhy(kind, id, open)))
  return [
    ...paying.flatMap(({ method, rail }) =>
      of(method, 'WITHDRAWAL', (id) => payoutSource(sql, rail, id, signed)),
    ),
    ...refunding.flatMap((rail) => of(rail.method, 'REFUND', (id) => refundSource(rail, id))),
  ]
}

/** A rail without a method of its own pays out by the connections that receive. */
function methodOf({ connectionMethod, type }: PayoutRail): string {
  return connectionMethod ?? type
}

function unopened(kind: SourceName['kind'], connection: ConnectionId): Source {
  return { kind, connection, why: 'no key of this process opens its credentials' }
}

/** A connection whose settings its rail does not understand is named like one that fails. */
function orWhy(
  kind: SourceName['kind'],
  connection: ConnectionId,
  open: (id: ConnectionId) => Source,
): Source {
  try {
    return open(connection)
  } catch (error) {
    return { kind, connection, why: messageOf(error) }
  }
}

function payoutSource(
  sql: Sql,
  { list, listsHere, source }: PayoutRail,
  connection: ConnectionId,
  signedOf: SignedOf,
): Source {
  const name = { kind: 'WITHDRAWAL', connection } as const
  const from = source(connection)
  if (from.at === 'CHAIN') {
    const signed = signedOf.get(connection)
    const why = signed?.why ?? [withoutJournal]
    return {
      ...name,
      pages: (span) => leftPages(sql, { chain: from.chain, connection, signed }, span),
      ...(why.length === 0 ? {} : { why: why.join('; ') }),
    }
  }
  if (list === undefined || listsHere)
    return { ...name, why: 'its provider lists no payouts: compare the statements of its account' }
  const account = from.account ?? connection
  return {
    ...name,
    async *pages(span) {
      for await (const page of list(connection, span))
        yield page.flatMap((payout) => listedPayout(account, payout))
    },
  }
}

const withoutJournal =
  'a chain is read as far as its watcher has: compare the journal of the signer too, by --journal (docs/signer.md)'

function listedPayout(
  account: ConnectionId,
  { reference, amount, result, requestedAt }: ListedPayout,
): readonly Listed[] {
  // Nothing left.
  if (result.state === 'refused') return []
  const { endToEndId, providerRef, evidence } = result
  const named = endToEndId ?? providerRef
  return [
    {
      reference,
      account,
      amount,
      returned: result.state === 'returned' ? result.returned : 0n,
      state: result.state === 'sent' ? 'UNDER_WAY' : 'LEFT',
      evidence,
      ...given({ providerRef: named, happenedAt: requestedAt }),
    },
  ]
}

const leftMax = 200

/** What left the hot wallets of a chain unexplained, as far as its watcher has read. */
async function* leftPages(
  sql: Sql,
  {
    chain,
    connection,
    signed,
  }: {
    readonly chain: string
    readonly connection: ConnectionId
    readonly signed: SignedOfChain | undefined
  },
  { from }: Span,
): AsyncGenerator<readonly Listed[]> {
  let after: string | undefined
  for (;;) {
    const page = { since: from, limit: leftMax, ...given({ after }) }
    const moves = await selectDepartedPage(sql, chain, page)
    yield moves.map(({ id, name, txHash, units, at, log, mayBePayout }): Listed => ({
      reference: name,
      account: connection,
      providerRef: txHash,
      // Payouts are whole cents. Another amount was no payout, and stays with `./vintem coins`.
      amount: { minor: units / baseUnitsPerCent, currency: 'USDT' as const },
      returned: 0n,
      state: 'LEFT' as const,
      coins: { chain, move: id },
      mayBeBooked: mayBeBooked(signed?.byMove.get(id), mayBePayout),
      happenedAt: at,
      evidence: log,
    }))
    if (moves.length < leftMax) return
    after = moves.at(-1)?.id
  }
}

/** The journal says which payout a movement is. Without it, one of the same recipient and units may be it. */
function mayBeBooked(tx: SignedTx | undefined, mayBePayout: boolean): boolean {
  return tx === undefined ? mayBePayout : tx.books === 'EARLIER'
}

function refundSource({ list, refunds }: Rail, connection: ConnectionId): Source {
  const name = { kind: 'REFUND', connection } as const
  if (list === undefined)
    return {
      ...name,
      why: 'its provider lists no refunds: look at its own pages for those since the restore',
    }
  return {
    ...name,
    async *pages({ from, to }) {
      // Providers list money by when it came; it went back later, within the window.
      const span = { from: addMs(from, -(refunds?.windowMs ?? 0)), to, onlyReturned: true }
      for await (const page of list(connection, span)) yield listedRefunds(page)
    },
  }
}

function listedRefunds(receipts: readonly Receipt[]): readonly Listed[] {
  const failed = new Set(
    receipts.filter(({ outcome }) => outcome === 'refund_failed').map((each) => each.refund),
  )
  return receipts.flatMap((receipt): readonly Listed[] => {
    const { refund, outcome, connection, providerRef, amount, attempt, happenedAt, evidence } = receipt
    if (outcome !== 'refunded' || refund === undefined || failed.has(refund)) return []
    return [
      {
        reference: refund,
        account: connection,
        providerRef,
        amount,
        returned: 0n,
        state: 'LEFT',
        happenedAt,
        evidence,
        ...(attempt === undefined ? {} : { attempt: attempt.id }),
      },
    ]
  })
}
