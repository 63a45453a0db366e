// Refunds over HTTP: payments whose money came by two methods, rails whose results the test chooses, and a worker's round.
import { verify } from '#/audit/verify.ts'
import { usdtAt } from '#/coins/networks.ts'
import { must } from '#/kernel/check.ts'
import { newId, type AttemptId, type ConnectionId, type PaymentId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { addMs, systemClock } from '#/kernel/time.ts'
import type { Limit } from '#/money-out/limits.ts'
import { writeLimit } from '#/money-out/queries.ts'
import { selectAttempts } from '#/payments/attempt-queries.ts'
import { listRails } from '#/rails/all.ts'
import type { Rail, RefundOrder } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { refundKind } from '#/refunds/request.ts'
import { sendDueRefunds } from '#/refunds/send.ts'
import { refundDecisionKind, type RefundDecisionItem } from '#/settlement/refund-decide.ts'
import { settleKind } from '#/settlement/settle.ts'
import { routePayout, type PayoutChain } from '#/treasury/payout.ts'
import { assertDocumented } from './contract/document.ts'
import { testRail } from './contract/rail.ts'
import { openApiWorld, paymentBody, type Answer, type Ask, type Tenant } from './contract/world.ts'
import { inquireNow } from './inquiry.ts'

export type Row = Readonly<Record<string, unknown>>

export type RefundWorld = Awaited<ReturnType<typeof openRefundWorld>>

/** The default sender: an address with the capitals of EIP-55. */
export const payer = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
export const stranger = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'

const partnerConnection = 'a1-partner' as ConnectionId
const cryptoConnection = 'a1-test' as ConnectionId

/** The rails' result of a refund. Absent: it is under way. */
export type Sending = { crypto?: SendRefund; partner?: SendRefund }
type SendRefund = (order: RefundOrder) => Promise<readonly Receipt[]>

/** `more`: rails besides. */
export async function openRefundWorld(more: readonly Rail[] = []) {
  const base = await openApiWorld()
  const { sql, lane } = base
  const sending: Sending = {}
  const senders = new Map<string, string>()
  const rails = listRails([cryptoRail(sending, senders), partnerRail(sending), ...more])
  const settle = settleKind(rails)
  const kind = refundKind(rails)
  const deciding = refundDecisionKind(rails)
  const api = await base.openApi({ rails, refundKind: kind, refundDecisionKind: deciding })
  let arrivals = 0

  async function ask(
    tenant: Pick<Tenant, 'key'>,
    method: string,
    path: string,
    more: Pick<Ask, 'body' | 'headers'> & { readonly id?: string } = {},
  ): Promise<Answer> {
    const { id = '', ...rest } = more
    const answer = await api.ask(method, path.replace('{id}', id), { key: tenant.key, ...rest })
    assertDocumented(method, path.split('?')[0] ?? path, answer)
    return answer
  }

  /** Final money by a method, at a time in the past. `from`: its sender on the chain. Returns the provider's reference. */
  async function arrive(
    { id: merchantId }: Tenant,
    paymentId: PaymentId,
    piece: {
      readonly by: 'CRYPTO' | 'PARTNER_PAY' | 'SEPA_TRANSFER'
      readonly minor: bigint
      readonly agoMs?: number
      readonly from?: string
    },
  ): Promise<string> {
    const { by, minor, agoMs = 0, from = payer } = piece
    arrivals += 1
    const isCrypto = by === 'CRYPTO'
    const providerRef = isCrypto ? `0x${arrivals.toString(16).padStart(64, '0')}:0` : `partner-${arrivals}`
    if (isCrypto) senders.set(providerRef, from)
    const receipt: Receipt = {
      method: by,
      attempt: { merchantId, paymentId, id: await attemptOf(merchantId, paymentId, by) },
      connection: isCrypto ? cryptoConnection : partnerConnection,
      providerRef,
      outcome: 'paid',
      occurrence: 1,
      amount: { minor, currency: 'USDT' },
      happenedAt: addMs(systemClock.now(), -agoMs),
      evidence: Buffer.from(providerRef),
      ...(isCrypto ? { txHash: providerRef.slice(0, 66) } : {}),
    }
    await lane.submit(settle, { receipts: [receipt] })
    return providerRef
  }

  /** As when the payer chose another method on the page. */
  async function attemptOf(
    merchantId: Tenant['id'],
    paymentId: PaymentId,
    method: string,
  ): Promise<AttemptId> {
    const attempts = await selectAttempts(sql, [{ merchantId, paymentId }])
    const existing = attempts.find((each) => each.method === method)
    if (existing !== undefined) return existing.id
    const id: AttemptId = newId()
    await sql`
      insert into attempt (merchant_id, id, payment_id, method, connection, amount_minor, currency, created_at)
      values (${merchantId}, ${id}, ${paymentId}, ${method}, ${partnerConnection}, 1234, 'USDT', now())`
    return id
  }

  return {
    base,
    sending,
    senders,
    rails,
    /** What a provider answers when it is asked now. */
    settle: async (receipts: readonly Receipt[]) =>
      lane.submit(settle, { receipts, inquiry: await inquireNow(sql) }),
    arrive,
    ask,
    /** A payment of 12.34 USDT that was not paid. */
    async payment(tenant: Tenant): Promise<PaymentId> {
      const { body } = await ask(tenant, 'POST', '/v1/payments', { body: paymentBody() })
      return must(body['id'], 'a payment') as PaymentId
    },
    refund: (
      tenant: Pick<Tenant, 'key'>,
      payment: PaymentId,
      body: Row = {},
      headers: Readonly<Record<string, string>> = {},
    ) => ask(tenant, 'POST', '/v1/payments/{id}/refunds', { id: payment, body, headers }),
    /** The tenant's statement as a file. */
    csv: async ({ key }: Pick<Tenant, 'key'>): Promise<string> =>
      (await api.ask('GET', '/v1/wallets/statement?format=csv', { key })).text,
    read: async (tenant: Pick<Tenant, 'key'>, id: unknown) =>
      (await ask(tenant, 'GET', '/v1/refunds/{id}', { id: String(id) })).body,
    /** The piece of a refund and its destination, as stored. */
    async storedOf(id: unknown) {
      const [row] = await sql<{ method: string; paidRef: string; destination: Row | null }[]>`
        select method, paid_ref as "paidRef", destination from refund where id = ${String(id)}`
      return must(row, 'the refund')
    },
    async balanceOf(tenant: Tenant): Promise<Row> {
      const { body } = await ask(tenant, 'GET', '/v1/wallets/balance')
      const found = (body['data'] as Row[]).find((each) => each['currency'] === 'USDT')
      return { balance: found?.['balance'], held: found?.['heldBalance'] }
    },
    async eventsOf(tenant: Tenant, id: unknown): Promise<readonly Row[]> {
      const { body } = await api.ask('GET', '/v1/events?limit=100', { key: tenant.key })
      return (body['data'] as Row[]).filter((each) => (each['data'] as Row)['id'] === id)
    },
    /** A worker's round, in which all refunds that wait to be sent are due. */
    async work(): Promise<number> {
      await sql`update refund_due set due_at = now() - interval '1 minute'`
      return sendDueRefunds({
        sql,
        rails,
        log: silentLog,
        settle: (receipts) => lane.submit(settle, { receipts }),
        isStillAllowed: async ({ id }) =>
          (await lane.submit(deciding, { id, event: 'sending' })).kind === 'decided',
      })
    },
    decide: (item: RefundDecisionItem) => lane.submit(deciding, item),
    act: (tenant: Pick<Tenant, 'key'>, verb: 'approve' | 'reject', id: unknown) =>
      ask(tenant, 'POST', `/v1/refunds/{id}/${verb}`, { id: String(id) }),
    limit: (tenant: Tenant, more: Partial<Limit>): Promise<void> =>
      writeLimit(sql, {
        merchantId: tenant.id,
        type: 'CRYPTO',
        currency: 'USDT',
        eachMinor: null,
        dayMinor: null,
        approvalAboveMinor: null,
        listedOnly: false,
        ...more,
      }),
    /** How many of a tenant's refunds wait to be sent. */
    async dueOf({ id }: Tenant): Promise<number> {
      const rows = await sql`select 1 from refund_due where merchant_id = ${id}`
      return rows.length
    },
    /** The faults that verify finds, except that the rails of a test have no connections. */
    async faults(): Promise<readonly Row[]> {
      const { faults } = await verify(sql, { cell: 'a1', auditKey: base.auditKey })
      return faults.filter(({ inspection }) => inspection !== 'payments').map((each) => ({ ...each }))
    },
    close: () => base.close(),
  }
}

/** The receipt of a completed refund, as its rail would report it. */
export function doneReceipt({ id, attempt, connection, amount }: RefundOrder): Receipt {
  return {
    method: connection === partnerConnection ? 'PARTNER_PAY' : 'CRYPTO',
    attempt,
    connection,
    providerRef: `refund/${id}`,
    outcome: 'refunded',
    occurrence: 1,
    refund: id,
    amount,
    happenedAt: systemClock.now(),
    evidence: Buffer.from(`done ${id}`),
  }
}

const nobodys = '0x00000000000000000000000000000000000f0002'
const chain: PayoutChain['chain'] = {
  key: 'test',
  mode: 'SANDBOX',
  network: 'BSC',
  connection: cryptoConnection,
  chainId: 1n,
  tokens: [usdtAt(nobodys)],
  treasury: nobodys,
  factory: nobodys,
  implementation: nobodys,
  confirmationsMin: 1,
}

/** The chain of the world, and its hot wallet. */
export const worldChain: PayoutChain = { chain, hot: '0x00000000000000000000000000000000000f0001' }

/** The contract tests' rail, which sends refunds to an address. */
export function cryptoRail(sending: Sending, senders: ReadonlyMap<string, string>): Rail {
  return {
    ...testRail(),
    refunds: {
      paysOutBy: 'CRYPTO',
      sendersOf: async (_tx, pieces) =>
        new Map(
          pieces.flatMap(({ paidRef }) => {
            const sender = senders.get(paidRef)
            if (sender === undefined) return []
            return [[paidRef, { text: sender, fields: { cryptoAddress: sender } }] as const]
          }),
        ),
      destination(request) {
        const routing = routePayout([worldChain], {
          currency: 'USDT',
          ...request,
        })
        return routing.ok ? { ok: true, fields: routing.destination.fields } : routing
      },
      send: async (order) => (await sending.crypto?.(order)) ?? [],
    },
  }
}

/** Its money can go back for an hour. */
function partnerRail(sending: Sending): Rail {
  return {
    method: 'PARTNER_PAY',
    lifetimeMs: 3_600_000,
    opens: { at: 'CREATION' },
    route: () => ({ ok: true, connection: partnerConnection, currency: 'USDT' }),
    read: () => [],
    arrival: () => ({ at: 'PROVIDER' }),
    refunds: {
      windowMs: 3_600_000,
      send: async (order) => (await sending.partner?.(order)) ?? [],
    },
  }
}
