// A small installation in which everything that PIX can do has happened once: refunds and disputes with every end, money
// that fits no attempt, and withdrawals. For tests that tamper with the records.
import { connect, type Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { newId, type ApiKeyId, type ConnectionId, type RefundId, type WithdrawalId } from '#/kernel/id.ts'
import { hourMs } from '#/kernel/time.ts'
import { writeLimit } from '#/money-out/queries.ts'
import { endKind } from '#/payments/end.ts'
import type { Payment, PaymentRequest } from '#/payments/payment.ts'
import type { PayoutRail } from '#/rails/payout-rail.ts'
import { receiptsOfReturn, toReference } from '#/rails/pix/receipts.ts'
import { parseJson, parseReturn, toAmountText } from '#/rails/pix/wire.ts'
import type { Refund } from '#/refunds/refund.ts'
import { payoutKind } from '#/settlement/payout.ts'
import { selectSuspended } from '#/settlement/queries.ts'
import { resolveKind } from '#/settlement/resolve.ts'
import { createWalletKind } from '#/wallets/create.ts'
import { selectWallets } from '#/wallets/queries.ts'
import { ownTransferKind } from '#/wallets/transfer.ts'
import { decisionKind } from '#/withdrawals/decide.ts'
import { withdrawalKind } from '#/withdrawals/request.ts'
import type { PayoutNews } from '#/withdrawals/send.ts'
import { eventually } from './eventually.ts'
import { openPixWorld, type PixWorld } from './pix-world.ts'
import { startPixBank, type PixBank } from './rails/pix/bank.ts'
import { restWorld, txidOf } from './rest-world.ts'
import { keepCopies, type Place } from './tampering.ts'

export type FilledPixWorld = Place & AsyncDisposable & { readonly sql: Sql }

const hook = 'https://shop.example/hook'

/** The ids of the named records. */
type Ids = Record<string, string>

export async function openFilledPixWorld(): Promise<FilledPixWorld> {
  await using opened = new AsyncDisposableStack()
  const bank = opened.use(await startPixBank())
  const world = opened.use(await openPixWorld(await bank.customer()))
  const ownerUrl = new URL(world.appUrl)
  ownerUrl.username = 'vintem_owner'
  const owner = connect(ownerUrl.href, { max: 2, transactionSeconds: 60 })
  opened.defer(() => owner.end({ timeout: 1 }))
  const ids: Ids = {}
  const stage: Stage = { bank, world, ids }
  const till = await openTill(stage)
  await payOut(stage, till)
  await owe(stage, till)
  await refund(stage)
  await dispute(stage)
  await payInParts(stage)
  await payRest(stage)
  await suspend(stage)
  await leaveOpen(stage)
  await keepCopies({ owner })
  const stack = opened.move()
  return {
    owner,
    sql: world.core.sql,
    ids,
    verify: world.verify,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

type Stage = { readonly bank: PixBank; readonly world: PixWorld; readonly ids: Ids }

async function create({ world, ids }: Stage, name: string, request: Partial<PaymentRequest>) {
  const { payment } = await world.create({ webhookUrl: hook, ...request })
  ids[name] = payment.id
  return payment
}

/** The payer pays, the bank calls back. Returns the end-to-end id. */
async function pay({ bank, world }: Stage, payment: Payment, more = {}): Promise<string> {
  const txid = await world.txidOf(payment)
  const [pix] = await bank.pay(txid, { webhook: 'lose', ...more })
  const { endToEndId } = must(pix, 'the bank reports the payment')
  await world.callback({ pix: [{ endToEndId, txid }] })
  return endToEndId
}

async function paid(stage: Stage, name: string, amount: number) {
  const payment = await create(stage, name, { amount })
  return { payment, endToEndId: await pay(stage, payment) }
}

type Till = {
  request(name: string, amount: number, more?: { readonly idempotencyKey?: string }): Promise<WithdrawalId>
  send(id: WithdrawalId): Promise<unknown>
  report(
    id: WithdrawalId,
    news: Readonly<Record<string, unknown>> & { readonly state: string },
  ): Promise<unknown>
}

/** Withdrawals at a bank whose answers the test chooses. More than 900 waits for a person. */
async function openTill({ world, ids }: Stage): Promise<Till> {
  const { sql, lane, config } = world.core
  const { id: merchantId, mode } = world.merchant
  const connection = `${config.VINTEM_CELL}-${newId()}` as ConnectionId
  await sql`
    insert into connection (id, mode, method, provider, settings, created_at)
    values (${connection}, 'SANDBOX', 'PIX_PAYOUT', 'efi', '{}', clock_timestamp())`
  const limit = { eachMinor: null, dayMinor: null, approvalAboveMinor: 9_000n, listedOnly: false }
  await writeLimit(sql, { merchantId, type: 'PIX', currency: 'BRL', ...limit })
  const rail: PayoutRail = {
    type: 'PIX',
    route: () => ({ ok: false, code: 'invalid_request', detail: '' }),
    send: () => Promise.reject(new Error('nothing is sent here')),
    source: () => ({ at: 'PROVIDER' }),
  }
  const accepting = withdrawalKind()
  const rails = new Map([[rail.type, rail]])
  const deciding = decisionKind(rails)
  const settling = payoutKind(rails)
  const fields = { pixKey: 'ana@example.com', pixKeyType: 'EMAIL' } as const
  const routing = {
    ok: true,
    connection,
    currency: 'BRL',
    destination: { text: fields.pixKey, fields },
  } as const
  return {
    async request(name, amount, more = {}) {
      const id = newId<'withdrawal'>()
      ids[name] = id
      const terms = { type: 'PIX', amount, currency: 'BRL', webhookUrl: hook, metadata: { name } } as const
      const request = { ...terms, pixKey: 'Ana@Example.com', pixKeyType: 'EMAIL' } as const
      const requestedBy = newId() as ApiKeyId
      const item = { merchantId, mode, id, request, requestedBy, routing, ...more }
      const { kind } = await lane.submit(accepting, item)
      must(kind === 'created' || undefined, `a withdrawal was ${kind}`)
      return id
    },
    send: (id) => lane.submit(deciding, { id, event: 'sending' }),
    report: (id, news) =>
      lane.submit(settling, { id, news: { ...news, evidence: Buffer.from(news.state) } as PayoutNews }),
  }
}

/** Withdrawals with every end, paid out of one payment. */
async function payOut(stage: Stage, { request, send, report }: Till): Promise<void> {
  const { lane } = stage.world.core
  await paid(stage, 'paying', 20_000)
  const sent = await request('sent', 800, { idempotencyKey: 'order-7' })
  await send(sent)
  await report(sent, { state: 'sent' })
  await report(sent, { state: 'done', endToEndId: 'E1' })
  await report(sent, { state: 'returned', returned: 300n })
  const bounced = await request('bounced', 100)
  await send(bounced)
  await report(bounced, { state: 'refused', code: 'AC03', message: 'There is no such account.' })
  const dropped = await request('dropped', 200)
  await lane.submit(decisionKind(new Map()), {
    id: dropped,
    merchantId: stage.world.merchant.id,
    event: 'canceled',
  })
  await request('asking', 250)
  await send(await request('going', 350))
  await request('approval', 9_100)
}

/** A dispute of more than there is: another wallet's money is debited too, and the rest is owed. */
async function owe(stage: Stage, { request: withdraw, send, report }: Till): Promise<void> {
  const { world, ids, bank } = stage
  const { lane, sql } = world.core
  const { id: merchantId, mode } = world.merchant
  const other = newId<'wallet'>()
  ids['other'] = other
  const request = { currency: 'BRL', walletType: 'RESERVE', label: 'Taxes' } as const
  await lane.submit(createWalletKind(), { merchantId, mode, id: other, request })
  const { payment, endToEndId } = await paid(stage, 'owing', 2_000)
  const [main] = await selectWallets(sql, merchantId, { currency: 'BRL' })
  const fromWalletId = must(main, 'a wallet').id
  ids['wallet'] = fromWalletId
  const move = { fromWalletId, toWalletId: other, amount: 100 }
  await lane.submit(ownTransferKind, { merchantId, mode, id: newId<'own-transfer'>(), request: move })
  // Everything but a little leaves, in amounts that need no approval.
  const name = `wallet:${fromWalletId}:available`
  const [left] = await sql<{ minor: bigint }[]>`
    select minor from account join balance on account_id = id where account.name = ${name}`
  for (let rest = Number(must(left, 'a balance').minor) - 50; rest > 0; rest -= 9_000) {
    const gone = await withdraw('gone', Math.min(rest, 9_000))
    await send(gone)
    await report(gone, { state: 'done' })
  }
  await bank.control('POST', '/med', { endToEndId, outcome: 'DEVOLVIDO' })
  await hear(stage, payment, endToEndId)
  await nameDispute(stage, 'lost', payment)
}

/** The bank calls back once more. */
async function hear({ world }: Stage, payment: Payment, endToEndId: string): Promise<void> {
  await world.callback({ pix: [{ endToEndId, txid: await world.txidOf(payment) }] })
}

async function nameDispute({ world, ids }: Stage, name: string, payment: Payment): Promise<void> {
  const [row] = await world.core.sql<
    { id: string }[]
  >`select id from dispute where payment_id = ${payment.id}`
  ids[name] = must(row, 'there is a dispute').id
}

/** Refunds with every end, also with two: a bank may change a result. */
async function refund(stage: Stage): Promise<void> {
  const { world, bank, ids } = stage
  const { payment } = await paid(stage, 'exact', 3_000)
  const give = async (name: string, amount: number, mode: string) => {
    await bank.control('POST', '/refunds', { mode })
    const request = { amount, reason: name, metadata: { name } }
    const verdict = await world.refund(payment, request, `refund ${name}`)
    must(verdict.kind === 'created' || undefined, `a refund was ${verdict.kind}`)
    if (verdict.kind !== 'created') return
    ids[name] = verdict.refund.id
    await ends(stage, verdict.refund)
  }
  await give('done', 300, 'done')
  await give('failed', 50, 'fail')
  await give('undone', 200, 'done')
  await give('redone', 150, 'fail')
  await takeBack(stage, 'undone', 'NAO_REALIZADO')
  await takeBack(stage, 'redone', 'DEVOLVIDO')
}

/** Queries the bank until it reports how a refund ended. */
async function ends({ world }: Stage, { id }: Refund): Promise<void> {
  await eventually(`the end of refund ${id}`, async () => {
    await world.clock.advance(hourMs)
    await world.sendRefunds()
    return (await world.refundOf(id)).status !== 'PENDING'
  })
}

/** The bank reports the opposite end of a refund. */
async function takeBack({ world, bank, ids }: Stage, name: string, status: string): Promise<void> {
  const refunded = await world.refundOf(must(ids[name], name) as RefundId)
  const { paymentId, attemptId, connection, merchantId, paidRef } = refunded
  // Later queries must find the same.
  await bank.control('POST', `/refunds/${paidRef}/${toReference(refunded.id)}`, { status, again: true })
  const sent = {
    id: toReference(refunded.id),
    valor: toAmountText(refunded.amountMinor),
    status,
    horario: { solicitacao: world.clock.now().toISOString(), liquidacao: world.clock.now().toISOString() },
  }
  const evidence = Buffer.from(JSON.stringify(sent))
  const of = {
    attempt: { id: attemptId, merchantId, paymentId },
    connection,
    providerRef: paidRef,
    happenedAt: world.clock.now(),
  }
  const receipts = receiptsOfReturn(of, { ...parseReturn(parseJson(evidence)), nature: 'ORIGINAL' }, evidence)
  await world.settle(receipts)
}

/** Disputes that are open and won; one was lost before. */
async function dispute(stage: Stage): Promise<void> {
  const { bank } = stage
  const open = await paid(stage, 'disputed', 700)
  await bank.control('POST', '/med', { endToEndId: open.endToEndId, outcome: 'EM_PROCESSAMENTO' })
  await hear(stage, open.payment, open.endToEndId)
  await nameDispute(stage, 'open', open.payment)
  const won = await paid(stage, 'kept', 600)
  const { endToEndId } = won
  const med = await bank.control('POST', '/med', { endToEndId, outcome: 'EM_PROCESSAMENTO', amount: '4.00' })
  await hear(stage, won.payment, won.endToEndId)
  await bank.control('POST', '/med', { endToEndId, id: String(med['id']), outcome: 'NAO_REALIZADO' })
  await hear(stage, won.payment, won.endToEndId)
  await nameDispute(stage, 'won', won.payment)
}

/** What was returned before the sum was complete is missing from it. */
async function payInParts(stage: Stage): Promise<void> {
  const { world } = stage
  const payment = await create(stage, 'parts', { amount: 1_000 })
  await pay(stage, payment, { amount: '4.00' })
  await stage.bank.control('POST', '/refunds', { mode: 'done' })
  const given = await world.refund(payment, { amount: 100 })
  if (given.kind === 'created') await ends(stage, given.refund)
  await pay(stage, payment, { amount: '6.00', force: true })
  await pay(stage, payment, { amount: '1.00', force: true })
}

/** A checkout of which a part came, with a charge for the rest that waits for its payer. */
async function payRest({ world, bank, ids }: Stage): Promise<void> {
  const rest = restWorld(world, bank)
  const payment = await rest.open(1_000)
  const [first] = await rest.tried(payment)
  await rest.pay(txidOf(must(first, 'an attempt')), 400)
  await rest.press(payment)
  ids['rest'] = payment.id
}

/** Money that fits no attempt: credited, returned, and undecided. */
async function suspend({ world, bank, ids }: Stage): Promise<void> {
  const { sql, lane, rails, connections } = world.core
  const { pixKey } = must(connections.find(world.connection), 'the connection').settings
  for (const amount of ['11.00', '12.00', '13.00']) await bank.control('POST', '/pay-key', { pixKey, amount })
  await world.reconcile()
  const strays = await selectSuspended(sql, false)
  const named = (minor: bigint) =>
    must(
      strays.find(({ amountMinor }) => amountMinor === minor),
      'a stray',
    ).id
  ids['credited'] = named(1_100n)
  ids['returned'] = named(1_200n)
  ids['stray'] = named(1_300n)
  const kind = resolveKind(rails)
  await lane.submit(kind, { id: named(1_100n), merchantId: world.merchant.id, note: 'Ana called' })
  await lane.submit(kind, { id: named(1_200n) })
}

/** A refund that was not sent, a payment that waits, and one whose end was not yet reported to the bank. */
async function leaveOpen(stage: Stage): Promise<void> {
  const { world, ids } = stage
  const { lane, rails } = world.core
  const { payment } = await paid(stage, 'giving', 500)
  const given = await world.refund(payment, { amount: 100 })
  if (given.kind === 'created') ids['pending'] = given.refund.id
  await create(stage, 'waiting', { amount: 1_000 })
  const { merchantId, id } = await create(stage, 'closed', { amount: 1_000 })
  await lane.submit(endKind(rails), { merchantId, paymentId: id, event: 'canceled' })
}
