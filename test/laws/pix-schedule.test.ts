// Settlement of a bank's receipts under any schedule. The receipts arrive one by one, in any order, repeatedly, over several lanes whose
// connections break at the worst moments, between refunds and transfers of the merchant. At every moment the books agree with the
// records, each record changes only as its state table allows, and each change has one event.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connect } from '#/db/client.ts'
import { disputeStates, type DisputeStatus } from '#/disputes/dispute.ts'
import { newId, type PaymentId, type RefundId, type WalletId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { createLedgerLane, type LedgerLane } from '#/ledger/post.ts'
import { writeFeeRule } from '#/merchants/queries.ts'
import { receiptsOf } from '#/rails/pix/receipts.ts'
import { parsePix } from '#/rails/pix/wire.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { refundStates, type RefundStatus } from '#/refunds/refund.ts'
import { refundKind } from '#/refunds/request.ts'
import { announce } from '#/webhooks/announce.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { fc } from '../chance.ts'
import { count } from '../counts.ts'
import { auditKey, openPixWorld, type PixWorld } from '../pix-world.ts'
import { startTcpProxy, type TcpProxy } from '../tcp-proxy.ts'

let world: PixWorld
let proxy: TcpProxy
let lanes: readonly LedgerLane<EventDraft>[]
let aside: WalletId

/** The operator's fee is a tenth, so that payers can want back more than the merchant has. */
const ratePpm = 100_000n

before(async () => {
  world = await openPixWorld()
  proxy = await startTcpProxy(world.appUrl)
  const open = (url: string, itemsMax: number) =>
    createLedgerLane<EventDraft>({
      openSql: () => connect(url, { max: 1 }),
      cell: 'a1',
      auditKey,
      announce,
      log: silentLog,
      itemsMax,
    })
  lanes = [world.core.lane, await open(proxy.url, 3), await open(proxy.url, 500)]
  aside = await world.newWallet('RESERVE')
  const rule = { merchantId: world.merchant.id, method: 'PIX', currency: 'BRL', fixedMinor: 0n } as const
  await writeFeeRule(world.core.sql, { ...rule, ratePpm })
})
after(async () => {
  await Promise.all(lanes.slice(1).map((lane) => lane.close()))
  await proxy[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

// ---- What happens

/** How a return ends at the bank; `both`: done first, then not done after all. */
const ends = ['open', 'done', 'failed', 'both'] as const
type End = (typeof ends)[number]

type Return = { readonly cents: number; readonly end: End; readonly isMed: boolean }
type Step =
  | {
      readonly do: 'pay'
      readonly payment: number
      readonly cents: number
      readonly returns: readonly Return[]
    }
  | { readonly do: 'refund'; readonly payment: number; readonly cents: number; readonly end: End }
  | { readonly do: 'hide'; readonly share: number }
  | { readonly do: 'hear'; readonly picks: readonly number[] }
  | { readonly do: 'break'; readonly statement: number; readonly isAnswer: boolean }

const end = fc.constantFrom(...ends)
const cents = fc.integer({ min: 1, max: 900 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      payment: fc.nat(2),
      cents,
      returns: fc.array(fc.record({ cents, end, isMed: fc.boolean() }), { maxLength: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('refund' as const), payment: fc.nat(2), cents, end }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hide' as const), share: fc.nat(100) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('hear' as const),
      picks: fc.array(fc.nat(10_000), { minLength: 1, maxLength: 8 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('break' as const), statement: fc.nat(3), isAnswer: fc.boolean() }),
  },
)

const statements = [/^commit$/, /insert into entry/, /insert into receipt/, /update payment/]

const statusesOf = {
  open: ['EM_PROCESSAMENTO'],
  done: ['DEVOLVIDO'],
  failed: ['NAO_REALIZADO'],
  both: ['DEVOLVIDO', 'NAO_REALIZADO'],
} as const

/** Every receipt that a bank would ever report of this Pix, each by itself. */
function receiptsIn(
  pix: { readonly endToEndId: string; readonly txid: string; readonly cents: number },
  returned?: { readonly id: string; readonly cents: number; readonly end: End; readonly natureza: string },
): readonly Receipt[] {
  const horario = '2026-11-21T12:00:00.000Z'
  const base = { endToEndId: pix.endToEndId, txid: pix.txid, valor: decimal(pix.cents), horario }
  const snapshots =
    returned === undefined
      ? [base]
      : statusesOf[returned.end].map((status) => {
          const { id, natureza } = returned
          const times = { solicitacao: horario }
          const one = { id, valor: decimal(returned.cents), natureza, status, horario: times }
          return { ...base, devolucoes: [one] }
        })
  return snapshots.flatMap((sent) =>
    receiptsOf(world.connection, parsePix(sent), Buffer.from(JSON.stringify(sent))),
  )
}

function decimal(minor: number): string {
  return `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`
}

async function live(steps: readonly Step[], lastOrder: readonly number[]): Promise<void> {
  const payments = await Promise.all([0, 1, 2].map(async () => (await world.create({ amount: 500 })).payment))
  const txids = await Promise.all(payments.map((payment) => world.txidOf(payment)))
  const pool: Receipt[] = []
  const pix = new Map<string, { endToEndId: string; txid: string; cents: number }>()
  const made: { payment: PaymentId; cents: number }[] = []
  let nth = 0
  const hear = (receipt: Receipt) =>
    (lanes[nth++ % lanes.length] ?? world.core.lane).submit(world.core.settleKind, { receipts: [receipt] })

  for (const each of steps) {
    if (each.do === 'pay') {
      const endToEndId = `E${newId().replaceAll('-', '').slice(1)}`
      const one = { endToEndId, txid: txids[each.payment] ?? '', cents: each.cents }
      pix.set(endToEndId, one)
      made.push({ payment: payments[each.payment]?.id ?? assert.fail(), cents: each.cents })
      pool.push(...receiptsIn(one))
      for (const { cents: back, end: how, isMed } of each.returns) {
        const natureza = isMed ? 'MED_FRAUDE' : 'ORIGINAL'
        // A return that we did not request has a name that is not like ours.
        const id = `D${newId().replaceAll('-', '').slice(2)}`
        const share = Math.min(back, Math.max(1, Math.floor(each.cents / 2)))
        pool.push(...receiptsIn(one, { id, cents: share, end: how, natureza }))
      }
    } else if (each.do === 'refund') {
      const payment = payments[each.payment] ?? assert.fail()
      const id: RefundId = newId()
      const lane = lanes[nth++ % lanes.length] ?? world.core.lane
      const verdict = await lane.submit(refundKind(world.core.rails), {
        merchantId: world.merchant.id,
        mode: 'SANDBOX',
        paymentId: payment.id,
        id,
        request: { amount: each.cents },
      })
      if (verdict.kind !== 'created') continue
      const one = pix.get(verdict.refund.paidRef) ?? assert.fail('it is of a Pix')
      const reference = { id: id.replaceAll('-', ''), cents: each.cents, natureza: 'ORIGINAL' }
      pool.push(...receiptsIn(one, { ...reference, end: each.end }))
    } else if (each.do === 'hide') {
      const [wallet] = await world.wallets()
      const part = ((wallet?.available ?? 0n) * BigInt(each.share)) / 100n
      if (wallet !== undefined && part > 0n) await world.move(wallet.id, aside, part)
    } else if (each.do === 'break') {
      void proxy.strike(statements[each.statement] ?? /^commit$/, each.isAnswer ? 'answer lost' : 'lost')
    } else if (pool.length > 0) {
      await Promise.all(each.picks.map((pick) => hear(pool[pick % pool.length] ?? assert.fail())))
    }
    if (each.do !== 'pay') await assertBooks()
  }
  // In the end every receipt arrives, as through reconciliation; and then once more.
  const order = pool.map((receipt, index) => ({ receipt, place: lastOrder[index % lastOrder.length] ?? 0 }))
  const sorted = order.toSorted((a, b) => a.place - b.place).map(({ receipt }) => receipt)
  for (let round = 0; round < 2; round++) await Promise.all(sorted.map(hear))
  await assertBooks()
  await assertPayments(made)
  await assertEnds(pool)
}

// ---- What must be true

/** Compares the books with the records, summed over everything that ever happened here. */
async function assertBooks(): Promise<void> {
  const [sums] = await world.core.sql<{ [sum: string]: bigint }[]>`
    select (select coalesce(sum(received_minor), 0)::bigint from payment) as received,
           (select coalesce(sum(fee_minor), 0)::bigint from payment) as fees,
           (select coalesce(sum(refunded_minor), 0)::bigint from payment) as refunded,
           (select coalesce(sum(disputed_minor), 0)::bigint from payment) as disputed,
           (select coalesce(sum(amount_minor) filter (where status = 'PENDING'), 0)::bigint from refund) as pending,
           (select coalesce(sum(amount_minor) filter (where is_held_back), 0)::bigint from refund) as waiting,
           (select coalesce(sum(amount_minor) filter (where status = 'COMPLETED'), 0)::bigint from refund) as done,
           (select coalesce(sum(amount_minor) filter (where status = 'OPEN' and not is_taken), 0)::bigint from dispute) as open,
           (select coalesce(sum(amount_minor) filter (where is_taken), 0)::bigint from dispute) as taken,
           (select coalesce(sum(amount_minor) filter (where status <> 'WON'), 0)::bigint from dispute) as wanted`
  const { received = 0n, fees = 0n, refunded, disputed, pending = 0n, done = 0n, ...rest } = sums ?? {}
  const { waiting = 0n, open = 0n, taken = 0n, wanted } = rest
  const books = await world.balances()
  assert.deepEqual([refunded, disputed], [pending + done, wanted])
  // A refund that is held back has left its money to the dispute.
  assert.equal(books.held, pending - waiting + open, 'held is what may still go back')
  assert.equal(books.fees, fees)
  assert.equal(books.provider, received - done - taken, 'the bank holds what came and did not go back')
  assert.equal(books.available + books.held + books.fees, books.provider + books.receivable)
  const below = await world.core.sql`
    select name from account join balance on account_id = id where minor < 0 and name not like 'provider:%'`
  assert.deepEqual([...below], [])
  const stuck = await world.core.sql`
    select id from refund where is_held_back and not exists (
      select from dispute where dispute.paid_ref = refund.paid_ref and dispute.status = 'OPEN')`
  assert.deepEqual([...stuck], [], 'a refund is held back only while its money is disputed')
}

async function assertPayments(made: readonly { payment: PaymentId; cents: number }[]): Promise<void> {
  for (const [id, pieces] of Map.groupBy(made, ({ payment }) => payment)) {
    const received = pieces.reduce((sum, { cents }) => sum + BigInt(cents), 0n)
    const payment = await world.payment(id)
    assert.equal(payment.receivedMinor, received)
    assert.equal(payment.feeMinor, (received * ratePpm) / 1_000_000n)
    // Pieces of one batch make one event, and the last event has the total.
    const events = await world.eventsOf(id)
    assert.ok(
      events.length >= 1 && events.length <= pieces.length,
      `${events.length} events of ${pieces.length} pieces`,
    )
    assert.equal(BigInt(String(events.at(-1)?.data['amountReceived'])), received)
  }
}

/** Every refund and dispute has the status to which its receipts lead, and got there by its table. */
async function assertEnds(pool: readonly Receipt[]): Promise<void> {
  const { sql } = world.core
  const rows = await sql<
    { id: string; ref: string; paidRef: string; status: string; isRefund: boolean; why: string | null }[]
  >`
    select id, paid_ref || ':' || replace(id::text, '-', '') as ref, paid_ref as "paidRef", status, true as "isRefund",
           failure ->> 'code' as why
      from refund
     where paid_ref = any (${pool.map(({ providerRef }) => providerRef)}::text[])
    union all
    select id, provider_ref, paid_ref, status, false, null from dispute
     where paid_ref = any (${pool.map(({ providerRef }) => providerRef)}::text[])`
  for (const { id, ref, paidRef, status, isRefund, why } of rows) {
    const heard = new Set(pool.filter(({ providerRef }) => providerRef === ref).map(({ outcome }) => outcome))
    const path = (await world.eventsOf(id)).map(({ type, data }) => [type.split('.')[1], data['status']])
    const legal = isRefund ? refundPath(path) : disputePath(path)
    assert.equal(legal, status)
    // The dispute it waited for took the money, or the merchant had spent it meanwhile: it fails without a report of the bank.
    const over = rows.filter((each) => !each.isRefund && each.paidRef === paidRef)
    const isGone = (why === 'disputed' || why === 'insufficient_funds') && over.length > 0
    const allowed = isRefund
      ? [
          ...(isGone && over.some((dispute) => dispute.status !== 'OPEN') ? ['FAILED'] : []),
          ...(heard.has('refunded') ? ['COMPLETED'] : []),
          ...(heard.has('refund_failed') ? ['FAILED'] : []),
          ...(heard.has('refunded') || heard.has('refund_failed') ? [] : ['PENDING']),
        ]
      : [
          ...(heard.has('dispute_lost') ? ['LOST'] : []),
          ...(heard.has('dispute_won') ? ['WON'] : []),
          ...(heard.has('dispute_lost') || heard.has('dispute_won') ? [] : ['OPEN']),
        ]
    assert.ok(allowed.includes(status), `${status} of ${allowed.join()}`)
  }
  const disputes = new Set(pool.filter(({ dispute }) => dispute).map(({ providerRef }) => providerRef))
  assert.equal(rows.filter(({ isRefund }) => !isRefund).length, disputes.size)
}

/** Follows the events through the table. Returns the status in which they end. */
function refundPath(path: readonly (readonly unknown[])[]): RefundStatus {
  const [first, ...rest] = path
  assert.deepEqual(first, ['created', 'PENDING'])
  return rest.reduce<RefundStatus>((from, [type, status]) => {
    const next =
      refundStates[from][type === 'completed' ? 'done' : 'failed'] ?? assert.fail(`${from} ${String(type)}`)
    assert.equal(status, next)
    return next
  }, 'PENDING')
}

function disputePath(path: readonly (readonly unknown[])[]): DisputeStatus {
  const [first, ...rest] = path
  assert.deepEqual(first, ['opened', 'OPEN'])
  return rest.reduce<DisputeStatus>((from, [type, status]) => {
    const next =
      disputeStates[from][type === 'won' ? 'won' : 'lost'] ?? assert.fail(`${from} ${String(type)}`)
    assert.equal(status, next)
    return next
  }, 'OPEN')
}

test('under any schedule of single receipts the books agree with the records, and each record follows its table', async () => {
  const orders = fc.array(fc.nat(10_000), { minLength: 50, maxLength: 50 })
  const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), orders, live)
  await fc.assert(property, { numRuns: count({ quick: 3, soak: 1_500 }), endOnFailure: true })
})

test('the events are numbered without gaps, and verify finds nothing wrong', async () => {
  const [row] = await world.core.sql<{ last: number; count: number }[]>`
    select max(sequence)::integer as last, count(*)::integer as count from event
     where merchant_id = ${world.merchant.id}`
  assert.equal(row?.last, row?.count)
  assert.deepEqual((await world.verify()).faults, [])
})
