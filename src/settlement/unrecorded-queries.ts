// The SQL of money that left and that no record explains.
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { ConnectionId, Id, MerchantId, PaymentId, WalletId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Currency } from '#/kernel/money.ts'

export type UnrecordedId = Id<'unrecorded'>
export type UnrecordedKind = 'WITHDRAWAL' | 'REFUND'
/** `CHARGED`: to a merchant. `WRITTEN_OFF`: the operator bears it. `RETURNED`: the provider has it again. */
export type UnrecordedResolution = 'CHARGED' | 'WRITTEN_OFF' | 'RETURNED'

/** Money that a provider says left by a reference of ours, and that no withdrawal or refund of the books is. */
export type Unrecorded = {
  readonly id: UnrecordedId
  readonly mode: Mode
  readonly kind: UnrecordedKind
  /** The connection that sent it. */
  readonly connection: ConnectionId
  /** The connection whose account it left. */
  readonly account: ConnectionId
  /** Ours, at the provider. */
  readonly reference: string
  /** The provider's own name of it. */
  readonly providerRef: string | null
  /** Of coins: the chain whose hot wallet they left, and the movement that the chain showed. */
  readonly chain: string | null
  readonly move: string | null
  /** What left beyond `knownMinor`, which the books have under the same reference. */
  readonly amountMinor: bigint
  readonly knownMinor: bigint
  readonly currency: Currency
  /** Of a refund of a payment that the books have. */
  readonly merchantId: MerchantId | null
  readonly paymentId: PaymentId | null
  readonly happenedAt: Date | null
  readonly recordedAt: Date
  readonly resolvedAt: Date | null
  readonly resolution: UnrecordedResolution | null
  readonly walletId: WalletId | null
  readonly note: string | null
}

/** What names it. */
export type SentName = Pick<Unrecorded, 'kind' | 'connection' | 'reference'>

function columns(sql: Sql | Tx) {
  return sql`unrecorded.id, unrecorded.mode, unrecorded.kind, unrecorded.connection, unrecorded.account, unrecorded.reference,
             unrecorded.provider_ref as "providerRef", unrecorded.chain, unrecorded.move, unrecorded.amount_minor as "amountMinor",
             unrecorded.known_minor as "knownMinor", unrecorded.currency, unrecorded.merchant_id as "merchantId",
             unrecorded.payment_id as "paymentId", unrecorded.happened_at as "happenedAt",
             unrecorded.recorded_at as "recordedAt", unrecorded.resolved_at as "resolvedAt", unrecorded.resolution,
             unrecorded.wallet_id as "walletId", unrecorded.note`
}

export function selectUnrecordedById(
  sql: Sql | Tx,
  ids: readonly UnrecordedId[],
): Promise<readonly Unrecorded[]> {
  return sql<Unrecorded[]>`
    select ${columns(sql)} from unrecorded where id = any (${list([...new Set(ids)])}::uuid[])`
}

/** Those with these names. */
export function selectUnrecorded(sql: Sql | Tx, names: readonly SentName[]): Promise<readonly Unrecorded[]> {
  return sql<Unrecorded[]>`
    select ${columns(sql)}
      from unnest(${list(names.map((each) => each.connection))}::text[], ${list(names.map((each) => each.kind))}::text[],
                  ${list(names.map((each) => each.reference))}::text[]) as wanted (connection, kind, reference)
      join unrecorded using (connection, kind, reference)`
}

/** One page of those that wait for a decision, oldest first; with `all`, also of those that were decided. */
export function selectUnrecordedPage(
  sql: Sql,
  page: { readonly all: boolean; readonly after?: UnrecordedId; readonly limit: number },
): Promise<readonly Unrecorded[]> {
  const { all, after, limit } = page
  return sql<Unrecorded[]>`
    select ${columns(sql)}
      from unrecorded
     where true
           ${all ? sql`` : sql`and resolved_at is null`}
           ${after === undefined ? sql`` : sql`and id > ${after}`}
     order by id
     limit ${limit}`
}

/** What the books have under a reference. */
export type Booked = SentName & { readonly amountMinor: bigint; readonly status: string }

/** The withdrawals and refunds of the books that have these names. The reference of a refund is its id. */
export function selectBooked(sql: Sql | Tx, names: readonly SentName[]): Promise<readonly Booked[]> {
  const [withdrawals, refunds] = [
    names.filter(({ kind }) => kind === 'WITHDRAWAL'),
    names.filter(({ kind }) => kind === 'REFUND'),
  ]
  return sql<Booked[]>`
    select 'WITHDRAWAL' as kind, withdrawal.connection, withdrawal.reference, withdrawal.amount_minor as "amountMinor",
           withdrawal.status
      from unnest(${list(withdrawals.map((each) => each.connection))}::text[],
                  ${list(withdrawals.map((each) => each.reference))}::text[]) as wanted (connection, reference)
      join withdrawal using (connection, reference)
     union all
    select 'REFUND', refund.connection, wanted.reference, refund.amount_minor, refund.status
      from unnest(${list(refunds.map((each) => each.connection))}::text[],
                  ${list(refunds.map((each) => each.reference))}::text[]) as wanted (connection, reference)
      join refund on refund.id = wanted.reference::uuid and refund.connection = wanted.connection`
}

export type NewUnrecorded = Omit<Unrecorded, 'resolvedAt' | 'resolution' | 'walletId' | 'note'> & {
  readonly reportHash: Buffer
}

export async function insertUnrecorded(tx: Tx, news: readonly NewUnrecorded[]): Promise<void> {
  await tx`
    insert into unrecorded (id, mode, kind, connection, account, reference, provider_ref, chain, move, amount_minor, known_minor, currency,
                            merchant_id, payment_id, report_hash, happened_at, recorded_at)
    select *
      from unnest(${list(news.map((each) => each.id))}::uuid[], ${list(news.map((each) => each.mode))}::text[],
                  ${list(news.map((each) => each.kind))}::text[], ${list(news.map((each) => each.connection))}::text[],
                  ${list(news.map((each) => each.account))}::text[], ${list(news.map((each) => each.reference))}::text[],
                  ${list(news.map((each) => each.providerRef))}::text[],
                  ${list(news.map((each) => each.chain))}::text[], ${list(news.map((each) => each.move))}::uuid[],
                  ${list(news.map((each) => each.amountMinor))}::bigint[],
                  ${list(news.map((each) => each.knownMinor))}::bigint[], ${list(news.map((each) => each.currency))}::text[],
                  ${list(news.map((each) => each.merchantId))}::uuid[], ${list(news.map((each) => each.paymentId))}::uuid[],
                  ${list(news.map((each) => each.reportHash))}::text[]::bytea[],
                  ${list(news.map((each) => each.happenedAt))}::timestamptz[],
                  ${list(news.map((each) => each.recordedAt))}::timestamptz[])`
}

export type UnrecordedDecision = {
  readonly id: UnrecordedId
  readonly resolution: UnrecordedResolution
  readonly walletId?: WalletId
  readonly note: string
}

export async function writeUnrecordedDecisions(
  tx: Tx,
  decisions: readonly UnrecordedDecision[],
  at: Date,
): Promise<void> {
  await tx`
    update unrecorded
       set resolved_at = ${at}, resolution = new.resolution, wallet_id = new.wallet_id, note = new.note
      from unnest(${list(decisions.map((each) => each.id))}::uuid[],
                  ${list(decisions.map((each) => each.resolution))}::text[],
                  ${list(decisions.map((each) => each.walletId))}::uuid[],
                  ${list(decisions.map((each) => each.note))}::text[]) as new (id, resolution, wallet_id, note)
     where unrecorded.id = new.id`
}
