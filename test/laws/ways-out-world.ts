// A platform with a sub-account that has money, and every way out of it, each started as from outside: over HTTP, or as the worker's work.
import assert from 'node:assert/strict'
import { scopes } from '#/contract/keys.ts'
import { must } from '#/kernel/check.ts'
import { newId, type MerchantId, type PaymentId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import { deleteFreeze, insertFreeze } from '#/merchants/queries.ts'
import { deleteDestination, insertDestination } from '#/money-out/queries.ts'
import type { Way } from '#/money-out/ways.ts'
import { activateSubAccount } from '#/operator/merchants.ts'
import type { PayoutRails } from '#/rails/payout-rail.ts'
import type { Rail } from '#/rails/rail.ts'
import { refundKind } from '#/refunds/request.ts'
import { payoutKind, settlePayout } from '#/settlement/payout.ts'
import { refundDecisionKind } from '#/settlement/refund-decide.ts'
import { routePayout } from '#/treasury/payout.ts'
import { selectDefaultWallets } from '#/wallets/queries.ts'
import { batchDecisionKind } from '#/withdrawals/decide-batch.ts'
import { decisionKind } from '#/withdrawals/decide.ts'
import { withdrawalBatchKind } from '#/withdrawals/request-batch.ts'
import { withdrawalKind } from '#/withdrawals/request.ts'
import { runDueSchedules, scheduleKind } from '#/withdrawals/schedule-run.ts'
import { sendDueWithdrawals } from '#/withdrawals/send.ts'
import { testRail } from '../contract/rail.ts'
import { withdrawalBody, type Answer, type Tenant } from '../contract/world.ts'
import { testPayoutRails } from '../payout-rail.ts'
import { worldChain, openRefundWorld, payer, stranger, type Row } from '../refund-world.ts'

/** What became of money that was to leave. */
export type Outcome = 'refused' | 'waits' | 'passes'
/** Who asks: the sub-account's own key, its platform by the header, or a key that the platform made for it. */
export type Asker = 'own' | 'header' | 'made'
export type Asked = { readonly by?: Asker; readonly place?: string }
/** The id of what was asked for, where there is one. */
export type Started = { readonly outcome: Outcome; readonly id?: string }

/** The four ways on which somebody names a place. */
export const payingWays = ['WITHDRAWAL', 'BATCH', 'SCHEDULE', 'REFUND_SENT'] as const
export type PayingWay = (typeof payingWays)[number]
/** The ways on which money of a payment goes back. */
const paymentWays: readonly Way[] = ['REFUND_SENT', 'REFUND_BACK', 'DISPUTE']

const listedPlace = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
export const unlistedPlace = stranger
export const oursPlace = worldChain.hot
const operator = { by: { actor: { kind: 'OPERATOR', id: 'ana@test' } }, name: 'ana' } as const

export type World = Awaited<ReturnType<typeof openWaysOut>>
export type Scene = Awaited<ReturnType<World['scene']>>

/** The rails of withdrawals: a chain, with the product's own reading of addresses. */
function payoutRails(sent: Set<string>): PayoutRails {
  const rails = testPayoutRails(
    async ({ id }) => {
      sent.add(id)
      return { state: 'sent', evidence: Buffer.from('sent') }
    },
    { type: 'CRYPTO', route: (request) => routePayout([worldChain], request) },
  )
  return new Map([...testPayoutRails(), ['CRYPTO', must(rails.get('PIX'), 'it has one rail')]])
}

/** Money that came by bank transfer, and that we send back in a file. */
export function bankRail(): Rail {
  return {
    ...testRail(),
    method: 'SEPA_TRANSFER',
    refunds: {
      paysOutBy: 'SEPA',
      destination: ({ iban = payerIban }) => ({ ok: true, fields: { iban } }),
      sendersOf: async (_tx, pieces) =>
        new Map(pieces.map(({ paidRef }) => [paidRef, { text: payerIban, fields: { iban: payerIban } }])),
      send: async () => [],
    },
  }
}
const payerIban = 'DE89370400440532013000'
/** More than a credit transfer can be. */
const beyondSepa = 100_000_000_000
const beyondPix = 1_000_000_000_000

export async function openWaysOut() {
  const dashboard = await openRefundWorld([bankRail()])
  const { base, rails } = dashboard
  const { sql, lane } = base
  const sent = new Set<string>()
  const payouts = payoutRails(sent)
  const schedules = scheduleKind(payouts)
  dashboard.sending.crypto = async ({ id }) => {
    sent.add(id)
    return []
  }
  const api = await base.openApi({
    rails,
    refundKind: refundKind(rails),
    refundDecisionKind: refundDecisionKind(rails),
    withdrawals: {
      rails: payouts,
      kind: withdrawalKind(),
      decisionKind: decisionKind(payouts),
      batchKind: withdrawalBatchKind(),
      batchDecisionKind: batchDecisionKind(payouts),
    },
  })

  async function post(key: string, path: string, body: Row = {}, as?: MerchantId): Promise<Answer> {
    const headers = as === undefined ? {} : { headers: { 'sub-account': as } }
    return api.ask(path.endsWith('}') ? 'PATCH' : 'POST', path.replaceAll(/[{}]/g, ''), {
      key,
      body,
      ...headers,
    })
  }

  return {
    dashboard,
    base,
    sql,
    lane,
    sent,
    post,
    /** `way`: which is tried in it. `of`: the platform, where it has others already. */
    async scene(way?: Way, of?: Tenant) {
      const platform = of ?? (await base.openTenant())
      const made = await post(platform.key, '/v1/sub-accounts', { name: 'Bea' })
      const id = made.body['id'] as MerchantId
      await activateSubAccount(sql, operator, id, 'papers seen')
      const own = await base.issue(id, scopes)
      const sub = { id, mode: 'SANDBOX', key: own.key, keyId: own.id } as const
      const keyOfPlatform = post(platform.key, `/v1/sub-accounts/${id}/keys`, {
        name: 'AK',
        scopes: ['payments:write', 'withdrawals:write', 'withdrawals:approve', 'wallets:read'],
      })
      const [given, second, payment] = await Promise.all([
        keyOfPlatform,
        base.issue(id, ['withdrawals:approve']),
        way !== undefined && paymentWays.includes(way) ? paidPayment(sub) : newId<'payment'>(),
        list(id, listedPlace),
        ...[platform, sub].map((each) => base.fund(each, 10_000n, 'USDT')),
      ])
      return {
        platform,
        sub,
        /** There is none where its way needs none. */
        payment,
        made: String(given.body['key']),
        /** Of another person of the sub-account's own. */
        second: second.key,
      }
    },
    list,
    unlist: (merchantId: MerchantId) =>
      sql.begin((tx) => deleteDestination(tx, { merchantId, type: 'CRYPTO', destination: listedPlace })),
    freeze,
    suspend: async ({ platform, sub }: { readonly platform: Tenant; readonly sub: Tenant }) => {
      const answer = await post(platform.key, `/v1/sub-accounts/{${sub.id}}`, { state: 'SUSPENDED' })
      assert.equal(answer.status, 200, answer.text)
    },
    /** Runs it while all money is kept in after a restore. */
    async restoring<Result>(run: () => Promise<Result>): Promise<Result> {
      await freeze({ kind: 'RESTORE', merchantId: null })
      try {
        return await run()
      } finally {
        await sql.begin((tx) => deleteFreeze(tx, { kind: 'RESTORE', merchantId: null, rail: null }))
      }
    },
    runSchedules: async ({ sub }: { readonly sub: Tenant }) => {
      await sql`update payout_schedule set next_run_at = now() - interval '1 second' where merchant_id = ${sub.id}`
      await runDueSchedules({ sql, lane, log: silentLog, kind: schedules })
    },
    /** A worker's round of all that is due. */
    async send(): Promise<void> {
      await sql`update withdrawal_due set due_at = now() - interval '1 second'`
      await sendDueWithdrawals({
        sql,
        lane,
        rails: payouts,
        clock: systemClock,
        log: silentLog,
        decisionKind: decisionKind(payouts),
        settle: (withdrawal, news, sends) =>
          settlePayout({ lane, kind: payoutKind(payouts), log: silentLog }, withdrawal, news, sends),
      })
      await dashboard.work()
    },
    walletOf: async (merchantId: MerchantId) => {
      const [wallet] = await selectDefaultWallets(sql, [{ merchantId, currency: 'USDT' }])
      return must(wallet, 'a default wallet').id
    },
    close: () => dashboard.close(),
  }

  /** A payment to which coins and money of the wallet app came. */
  async function paidPayment(sub: Tenant): Promise<PaymentId> {
    const payment = await dashboard.payment(sub)
    for (const by of ['CRYPTO', 'PARTNER_PAY'] as const)
      await dashboard.arrive(sub, payment, { by, minor: 1_234n })
    return payment
  }

  function list(merchantId: MerchantId, destination: string): Promise<void> {
    return sql.begin((tx) => insertDestination(tx, { merchantId, type: 'CRYPTO', destination, note: null }))
  }

  async function freeze(of: {
    readonly kind?: 'FREEZE' | 'RESTORE'
    readonly merchantId: MerchantId | null
    readonly rail?: string
  }): Promise<void> {
    const { kind = 'FREEZE', merchantId, rail = null } = of
    const row = { id: newId<'freeze'>(), kind, merchantId, rail, reason: 'test', decidedBy: 'ana' }
    await sql.begin((tx) => insertFreeze(tx, row))
  }
}

/** A schedule that is due whenever a round is run. */
export async function makeSchedule(world: World, { sub }: Scene): Promise<void> {
  const rule = { rhythm: 'DAILY', time: '06:00', timeZone: 'UTC', minimum: 100, keep: 9_000 }
  const order = { type: 'CRYPTO', currency: 'USDT', cryptoAddress: listedPlace }
  const walletId = await world.walletOf(sub.id)
  const answer = await world.post(sub.key, '/v1/payout-schedules', { ...order, ...rule, walletId })
  assert.equal(answer.status, 201, answer.text)
}

/** Asks for money by this way. */
export async function start(world: World, scene: Scene, way: PayingWay, asked: Asked = {}): Promise<Started> {
  const { by = 'own', place = listedPlace } = asked
  const { platform, sub, made } = scene
  const key = by === 'own' ? sub.key : by === 'made' ? made : platform.key
  const ask = (path: string, body: Row) => world.post(key, path, body, by === 'header' ? sub.id : undefined)
  const order = { type: 'CRYPTO', currency: 'USDT', cryptoAddress: place }
  switch (way) {
    case 'WITHDRAWAL':
      return startedBy(await ask('/v1/withdrawals', { ...order, amount: 120 }))
    case 'BATCH': {
      const withdrawals = [60, 60].map((amount) => ({ ...order, amount }))
      const answer = await ask('/v1/withdrawal-batches', { idempotencyKey: newId(), withdrawals })
      const [progress] = (answer.body['progress'] as readonly Row[] | undefined) ?? []
      return startedBy({ ...answer, body: { ...answer.body, status: progress?.['status'] } })
    }
    case 'SCHEDULE': {
      const walletId = await world.walletOf(sub.id)
      const rule = { rhythm: 'DAILY', time: '06:00', timeZone: 'UTC', minimum: 100, keep: 9_000 }
      const answer = await ask('/v1/payout-schedules', { ...order, ...rule, walletId })
      if (answer.status !== 201) return { outcome: 'refused' }
      await world.runSchedules(scene)
      const [row] = await world.sql<{ id: string; status: string }[]>`
        select id, status from withdrawal where schedule_id = ${String(answer.body['id'])}`
      if (row === undefined) return { outcome: 'refused' }
      return { id: row.id, outcome: row.status === 'PENDING_APPROVAL' ? 'waits' : 'passes' }
    }
    case 'REFUND_SENT':
      return startedBy(
        await ask(`/v1/payments/${scene.payment}/refunds`, { amount: 120, cryptoAddress: place }),
      )
  }
}

function startedBy({ status, body, text }: Pick<Answer, 'status' | 'body' | 'text'>): Started {
  if (status !== 201) {
    assert.ok([403, 409, 422].includes(status), text)
    return { outcome: 'refused' }
  }
  const waits = body['approvalRequired'] === true || body['status'] === 'PENDING_APPROVAL'
  return { id: String(body['id']), outcome: waits ? 'waits' : 'passes' }
}

/** Approves what waits, by this key. */
export async function approve(world: World, way: PayingWay, id: string, key: string): Promise<Outcome> {
  const room = {
    WITHDRAWAL: 'withdrawals',
    SCHEDULE: 'withdrawals',
    BATCH: 'withdrawal-batches',
    REFUND_SENT: 'refunds',
  }
  const answer = await world.post(key, `/v1/${room[way]}/${id}/approve`)
  if (answer.status === 200) return 'passes'
  assert.ok([403, 409, 422].includes(answer.status), answer.text)
  return 'refused'
}

/** The ids that a provider is given when this leaves. */
export async function membersOf(world: World, way: PayingWay, id: string): Promise<readonly string[]> {
  if (way !== 'BATCH') return [id]
  const rows = await world.sql<{ id: string }[]>`select id from withdrawal where batch_id = ${id}`
  return rows.map((row) => row.id)
}

/** A refund that its provider gives back. */
export async function refundBack(world: World, { sub, payment }: Scene): Promise<Outcome> {
  return startedBy(await world.post(sub.key, `/v1/payments/${payment}/refunds`, { amount: 10 })).outcome
}

/** The payer gets back what it paid, from the address from which it came. */
export async function refundToPayer(world: World, scene: Scene, by: Asker = 'own'): Promise<Outcome> {
  return (await start(world, scene, 'REFUND_SENT', { by, place: payer })).outcome
}

/** More than the way's rail can carry: by PIX, or of money that came by bank transfer. */
export async function beyondRail(world: World, { sub, payment }: Scene, way: PayingWay): Promise<Outcome> {
  if (way === 'REFUND_SENT') {
    await world.dashboard.arrive(sub, payment, { by: 'SEPA_TRANSFER', minor: BigInt(beyondSepa) })
    const body = { amount: beyondSepa, iban: payerIban }
    return startedBy(await world.post(sub.key, `/v1/payments/${payment}/refunds`, body)).outcome
  }
  await world.base.fund(sub, BigInt(beyondPix) * 2n)
  const order = withdrawalBody({ amount: beyondPix })
  const answer =
    way === 'BATCH'
      ? await world.post(sub.key, '/v1/withdrawal-batches', { idempotencyKey: newId(), withdrawals: [order] })
      : await world.post(sub.key, '/v1/withdrawals', order)
  return startedBy(answer).outcome
}
