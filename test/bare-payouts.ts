// Merchants with a wallet each and what decides about their withdrawals, as a test's own rows (bare-rows.ts), for what the lane accepts.
import type { Sql, Tx } from '#/db/client.ts'
import type { ApiKeyId, ConnectionId, MerchantId, WalletId } from '#/kernel/id.ts'
import type { Batch, RunnableKind } from '#/ledger/kind.ts'
import type { PayoutRouting } from '#/rails/payout-rail.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import type { WithdrawalRequest } from '#/withdrawals/withdrawal.ts'
import { runBatch } from './bare-lane.ts'
import { bareId, onRows, type BareRows } from './bare-rows.ts'
import { recordingBooks } from './settlement-view.ts'

export const at = new Date('2026-11-22T10:00:00Z')
export const [ours, theirs] = [bareId(1) as MerchantId, bareId(2) as MerchantId]
export const walletId = bareId(3) as WalletId
export const requestedBy = bareId(4) as ApiKeyId
export const place = 'ana@example.com'
export const routing: PayoutRouting = {
  ok: true,
  connection: 'bank' as ConnectionId,
  currency: 'BRL',
  destination: { text: place, fields: {} },
}
export const request: WithdrawalRequest = { type: 'PIX', amount: 100, currency: 'BRL' }
export const who = { merchantId: ours, mode: 'LIVE', requestedBy } as const

/** All that decides about what leaves, and all that is written. */
const none: BareRows = Object.fromEntries(
  [
    'fee_rule',
    'withdrawal_limit',
    'withdrawal_spent',
    'withdrawal_destination',
    'money_freeze',
    'sub_account',
  ]
    .concat([
      'connection',
      'unrecorded',
      'withdrawal',
      'withdrawal_due',
      'withdrawal_batch',
      'payout_schedule',
    ])
    .concat(['metadata_key', 'metadata_value'])
    .map((table) => [table, []]),
)
const merchant = [ours, theirs].map((id) => ({ id, mode: 'LIVE' }))
const wallet = [ours, theirs].map((merchant_id, index) => ({
  merchant_id,
  id: index === 0 ? walletId : bareId(9),
  currency: 'BRL',
  wallet_type: 'SPENDABLE',
  is_default: true,
  is_active: true,
}))
/** The merchants with their wallets, and nothing else. */
export const empty: BareRows = { ...none, merchant, wallet }

/** The limits of the merchant, for PIX. */
export const limit = (of: object): BareRows => ({
  withdrawal_limit: [{ merchant_id: ours, type: 'PIX', currency: 'BRL', listed_only: false, ...of }],
})

/** Of the wallets; `refuses`: the books refuse what is posted. */
export type Balances = { readonly available?: bigint; readonly held?: bigint; readonly refuses?: boolean }

/** Decides about these items of a batch of the lane, writes what was decided, and then looks. */
export function run<Item, Verdict, Seen>(
  sql: Sql,
  { tables = {}, available = 1_000n, held = 0n, refuses = false }: Balances & { readonly tables?: BareRows },
  kind: RunnableKind<Item, Verdict, EventDraft>,
  items: readonly Item[],
  look: (tx: Tx) => Promise<Seen>,
) {
  return onRows(sql, { ...empty, ...tables }, async (tx) => {
    await tx`create unique index on withdrawal_spent (merchant_id, type, currency, day)`
    const books: Batch['books'] = {
      ...recordingBooks(() => refuses).books,
      balance: ({ name }) => (name.endsWith(':available') ? available : held),
    }
    const { verdicts, events } = await runBatch({ tx, books, at, now: at, number: 1n }, kind, items)
    return { verdicts, events: events.map(({ type }) => type), seen: await look(tx) }
  })
}
