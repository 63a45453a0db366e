// What becomes of a refund that is due: by its provider's answer, and by what happened since it was claimed. And who sent the money that can go back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import type { Sql, Tx } from '#/db/client.ts'
import { ProviderError } from '#/kernel/error.ts'
import type { MerchantId, PaymentId } from '#/kernel/id.ts'
import type { Destination } from '#/rails/payout-rail.ts'
import type { Rail, Rails, Refunder } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { fieldOf } from '../../test/bare-lane.ts'
import { bareId, onRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { partly } from '../../test/partly.ts'
import { listSenders } from './rules.ts'
import { sendDueRefunds, type RefundSenderDeps } from './send.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [ours, payment, id] = [bareId(1) as MerchantId, bareId(2) as PaymentId, bareId(11)]
const past = '2026-11-22T00:00:00Z'

type Given = {
  /** How often it was claimed before. */
  readonly claims?: number
  /** We send it ourselves. */
  readonly payoutType?: string
  readonly isStillAllowed?: boolean
  /** What happens between the claim and the call. */
  readonly meanwhile?: (tx: Tx) => Promise<unknown>
  readonly answer?: readonly Receipt[] | Error
}

/** The call to the provider, what was settled and logged, and the claims of the row with those that sent nothing. */
async function handled({
  claims = 0,
  payoutType,
  isStillAllowed = true,
  meanwhile,
  answer = [partly<Receipt>({})],
}: Given) {
  const happened: string[] = []
  const tables = {
    merchant: [{ id: ours, mode: 'LIVE' }],
    refund: [
      {
        merchant_id: ours,
        id,
        payment_id: payment,
        connection: 'bank',
        paid_ref: 'e1',
        method: 'PIX',
        status: 'PENDING',
        currency: 'BRL',
        amount_minor: 5,
        payout_type: payoutType,
        created_at: past,
      },
    ],
    refund_due: [
      { merchant_id: ours, refund_id: id, connection: 'bank', due_at: past, sends: claims, unsent: 0 },
    ],
    dispute: [],
    money_freeze: [],
  }
  return onRows(sql, tables, async (tx) => {
    const send: Refunder['send'] = async (order, again) => {
      happened.push(again ? 'looks up' : 'sends')
      await meanwhile?.(tx)
      if (!(await order.mayLeave?.())) throw new ProviderError('unavailable', 'it may not leave')
      if (answer instanceof Error) throw answer
      return answer
    }
    const deps: RefundSenderDeps = {
      sql: tx,
      rails: new Map([['PIX', partly<Rail>({ method: 'PIX', refunds: partly<Refunder>({ send }) })]]),
      log: pino({ level: 'warn' }, { write: (line: string) => void happened.push(fieldOf(line, 'msg')) }),
      settle: async (receipts) => void happened.push(`settles ${receipts.length}`),
      isStillAllowed: async () => isStillAllowed,
    }
    assert.equal(await sendDueRefunds(deps), 1)
    const [row] = await tx<{ sends: number; unsent: number }[]>`select sends, unsent from refund_due`
    return [...happened, row?.sends, row?.unsent]
  })
}

test('what a provider answers is settled; without an answer, or when nothing was sent, it is tried again', async () => {
  const unavailable = new ProviderError('unavailable', 'x')
  const failed = 'the item failed: it is tried again later'
  const [unsent, taken] = [
    'a refund was not sent: it is tried again later',
    'another worker has claimed it since and decides when it is due again',
  ]
  const freeze = (tx: Tx) => tx`insert into money_freeze (kind) values ('OPERATOR')`
  const claim = (tx: Tx) => tx`update refund_due set sends = sends + 1`
  const cases: readonly (readonly [Given, expected: readonly unknown[]])[] = [
    [{}, ['sends', 'settles 1', 1, 0]],
    [{ claims: 1 }, ['looks up', 'settles 1', 2, 0]],
    [{ answer: [] }, ['sends', 1, 0]],
    [{ answer: unavailable }, ['sends', unsent, 1, 1]],
    [{ answer: new ProviderError('unknown', 'x') }, ['sends', failed, 1, 0]],
    [{ answer: new Error('x') }, ['sends', failed, 1, 0]],
    // What we send ourselves is asked again; what the provider returns is not.
    [{ payoutType: 'PIX', isStillAllowed: false }, [1, 0]],
    [{ payoutType: 'PIX' }, ['sends', 'settles 1', 1, 0]],
    [{ isStillAllowed: false }, ['sends', 'settles 1', 1, 0]],
    // Frozen after the claim: as if it was never claimed, unless it may have been sent before.
    [{ meanwhile: freeze }, ['sends', 0, 0]],
    [{ claims: 1, meanwhile: freeze }, ['looks up', unsent, 2, 1]],
    // Claimed by another worker: it decides.
    [{ meanwhile: claim }, ['sends', unsent, taken, 2, 1]],
  ]
  for (const [index, [given, expected]] of cases.entries())
    assert.deepEqual(await handled(given), expected, `case ${index}`)
})

test('the newest hundred pieces that can go back are listed with who sent them', async () => {
  const receipt = {
    merchant_id: ours,
    payment_id: payment,
    connection: 'bank',
    outcome: 'paid',
    booked_minor: 1,
  }
  const [sepa, pix] = [bareId(21), bareId(22)]
  const most = 100
  const tables = {
    payment: [{ merchant_id: ours, id: payment }],
    attempt: [
      { merchant_id: ours, id: sepa, method: 'SEPA_TRANSFER' },
      { merchant_id: ours, id: pix, method: 'PIX' },
    ],
    receipt: [
      ...Array.from({ length: most + 1 }, (_, index) => ({
        ...receipt,
        ordinal: index + 1,
        attempt_id: sepa,
        provider_ref: `e${index + 1}`,
      })),
      { ...receipt, ordinal: 200, attempt_id: sepa, provider_ref: 'back', booked_minor: 0 },
      { ...receipt, ordinal: 201, attempt_id: pix, provider_ref: 'pix' },
    ],
    refund: [],
    dispute: [],
  }
  const sender: Destination = { text: 'DE1', fields: {} }
  const senders = async () => new Map([['e101', sender]])
  const rails: Rails = new Map([
    ['SEPA_TRANSFER', partly<Rail>({ refunds: partly<Refunder>({ sendersOf: senders }) })],
    ['PIX', partly<Rail>({ refunds: partly<Refunder>({}) })],
  ])
  const found = await onRows(sql, tables, (tx) =>
    listSenders(tx, rails, { merchantId: ours, paymentId: payment }),
  )
  assert.equal(found.length, most)
  assert.deepEqual(found[0], { method: 'SEPA_TRANSFER', leftMinor: 1n, sender })
  assert.deepEqual(found[1], { method: 'SEPA_TRANSFER', leftMinor: 1n })
})
