// A payment that has every kind of data about a payer: from its creation, its page, its provider, its refund and dispute, and from
// what the merchant's server answers. For tests of erasing.
import assert from 'node:assert/strict'
import { connect, type Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { newId, type PaymentId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import { selectAttempts } from '#/payments/attempt-queries.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { createDeliverer } from '#/webhooks/deliver.ts'
import { paymentBody, type Tenant } from './contract/world.ts'
import { eventually } from './eventually.ts'
import { startReceiver } from './receiver.ts'
import { doneReceipt, openRefundWorld, type RefundWorld } from './refund-world.ts'
import { loopbackPolicy } from './webhooks.ts'

export type PayerWorld = AsyncDisposable & {
  readonly dashboard: RefundWorld
  /** As the owner of the tables. */
  readonly owner: Sql
  /** Eight digits are in everything that is known of the payer. */
  fullPayment(mark: string, tenant: Tenant): Promise<FullPayment>
  /** Sends all webhooks that wait. */
  deliver(): Promise<void>
  /** The bodies that the merchant's server got. */
  sent(): readonly string[]
}

export type FullPayment = {
  readonly tenant: Tenant
  readonly id: PaymentId
  readonly refundId: string
  /** The request that created it. */
  readonly body: Readonly<Record<string, unknown>>
}

export const payerTaxId = '52998224725'

export async function openPayerWorld(): Promise<PayerWorld> {
  const dashboard = await openRefundWorld()
  const url = new URL(dashboard.base.appUrl)
  url.username = 'vintem_owner'
  const owner = connect(url.href, { max: 2, transactionSeconds: 60 })
  // A server that repeats what it receives.
  const receiver = await startReceiver(({ body }) => ({ status: 200, body }))
  return {
    dashboard,
    owner,
    sent: () => receiver.calls.map(({ body }) => body.toString('utf8')),
    deliver: () => deliver(dashboard),
    async fullPayment(mark, tenant) {
      const keys = await dashboard.ask(tenant, 'PUT', '/v1/metadata-keys', { body: { keys: ['buyer'] } })
      assert.equal(keys.status, 200, keys.text)
      const body = creation(mark, `${receiver.origin}/hook`)
      const made = await dashboard.ask(tenant, 'POST', '/v1/payments', { body })
      assert.equal(made.status, 201, made.text)
      const id = made.body['id'] as PaymentId
      await pay(dashboard, tenant, id, mark)
      const refundId = await giveBack(dashboard, tenant, id, mark)
      await dispute(dashboard, tenant, id, mark)
      await writeTheRest(dashboard, tenant, id, mark)
      await deliver(dashboard)
      return { tenant, id, refundId, body }
    },
    async [Symbol.asyncDispose]() {
      await owner.end({ timeout: 1 })
      await receiver[Symbol.asyncDispose]()
      await dashboard.close()
    },
  }
}

function creation(mark: string, webhookUrl: string) {
  return paymentBody({
    customerName: `Zélia ${mark} Quintanilha`,
    customerEmail: `Zelia.${mark}@pagadora.example`,
    customerTaxId: payerTaxId,
    customerPhone: `+55119${mark}`,
    customerAddress: {
      line1: `Rua ${mark} das Acácias`,
      city: `Vila ${mark}`,
      region: 'SP',
      postcode: '01310-100',
      country: 'BR',
    },
    customerCountry: 'BR',
    description: `Consulta de ${mark}`,
    metadata: { buyer: `comprador-${mark}`, note: `nota-${mark}` },
    items: [{ name: `Sessão para ${mark}`, quantity: 1, amount: 1234 }],
    returnUrl: `https://shop.example/back?who=${mark}`,
    cancelUrl: `https://shop.example/off?who=${mark}`,
    webhookUrl,
  })
}

async function pay(dashboard: RefundWorld, tenant: Tenant, id: PaymentId, mark: string): Promise<void> {
  await dashboard.arrive(tenant, id, { by: 'PARTNER_PAY', minor: 1n })
  await report(dashboard, tenant, id, 'paid', `part-${id}`, {
    amount: { minor: 1_233n, currency: 'USDT' },
    evidence: Buffer.from(JSON.stringify({ payer: { name: `pagador-${mark}`, taxId: payerTaxId } })),
    means: { brand: 'visa', last4: '4242', holder: `titular-${mark}` },
  })
}

/** What the provider reports of the payment. */
async function report(
  dashboard: RefundWorld,
  { id: merchantId }: Tenant,
  paymentId: PaymentId,
  outcome: Receipt['outcome'],
  providerRef: string,
  more: Partial<Receipt> = {},
): Promise<void> {
  const attempts = await selectAttempts(dashboard.base.sql, [{ merchantId, paymentId }])
  const { id, method, connection } = must(
    attempts.find((each) => each.method === 'PARTNER_PAY'),
    'an attempt',
  )
  const attempt = { merchantId, paymentId, id }
  const amount = { minor: 1_233n, currency: 'USDT' as const }
  const happenedAt = systemClock.now()
  const evidence = Buffer.from(`${providerRef} ${outcome}`)
  const what = { method, attempt, connection, providerRef, outcome, occurrence: 1, amount }
  await dashboard.settle([{ ...what, happenedAt, evidence, ...more }])
}

async function giveBack(
  dashboard: RefundWorld,
  tenant: Tenant,
  id: PaymentId,
  mark: string,
): Promise<string> {
  dashboard.sending.partner = async (order) => [doneReceipt(order)]
  const refund = { amount: 100, reason: `motivo-${mark}`, metadata: { who: `devolvido-${mark}` } }
  const { status, text, body } = await dashboard.refund(tenant, id, refund)
  assert.equal(status, 201, text)
  await dashboard.work()
  assert.equal(await dashboard.dueOf(tenant), 0)
  return String(body['id'])
}

async function dispute(dashboard: RefundWorld, tenant: Tenant, id: PaymentId, mark: string): Promise<void> {
  const more = { dispute: { paidRef: `part-${id}`, kind: 'CHARGEBACK' } } as const
  for (const outcome of ['dispute_opened', 'dispute_won'] as const) {
    const evidence = Buffer.from(JSON.stringify({ outcome, cardholder: `titular-${mark}` }))
    await report(dashboard, tenant, id, outcome, `dp-${id}`, { ...more, evidence })
  }
}

/** What a page, a refusal of a provider, a form of the dashboard and the sandbox write. */
async function writeTheRest(
  { base: { sql } }: RefundWorld,
  { id: merchantId }: Tenant,
  id: PaymentId,
  mark: string,
): Promise<void> {
  const name = `digitado-${mark}`
  await sql`update payment set payer = ${JSON.stringify({ name })}::text::json where id = ${id}`
  const openingTerms = JSON.stringify({ expiresAt: '2030-01-01T00:00:00.000Z', customerName: name })
  const refusal = JSON.stringify({
    code: 'refused',
    said: `recusa de ${mark}`,
    at: '2026-01-01T00:00:00.000Z',
  })
  await sql`
    update attempt set asked = ${openingTerms}::text::json, refusal = ${refusal}::text::json
     where payment_id = ${id} and method = 'PARTNER_PAY'`
  const [disputed] = await sql<{ id: string }[]>`select id from dispute where payment_id = ${id}`
  const disputeId = must(disputed, 'the dispute').id
  await sql`
    insert into dispute_evidence (merchant_id, dispute_id, status, texts, changed_at, changed_by)
    values (${merchantId}, ${disputeId}, 'DRAFT', ${JSON.stringify({ story: `prova-${mark}` })}::text::jsonb, now(), ${newId()})`
  await sql`
    insert into dispute_evidence_file (merchant_id, dispute_id, kind, id, name, type, bytes, digest, added_at, added_by)
    values (${merchantId}, ${disputeId}, 'receipt', ${newId()}, ${`prova-${mark}.pdf`}, 'application/pdf',
            ${Buffer.from(`prova-${mark}`)}, ${Buffer.alloc(32)}, now(), ${newId()})`
  const [row] = await sql<{ id: string; body: string }[]>`
    select id, body from event where resource_id = ${id} order by sequence limit 1`
  const event = must(row, 'an event')
  await sql`
    insert into sandbox_inbox (id, received_at, headers, body, verified)
    values (${newId()}, now(), ${JSON.stringify({ 'webhook-id': event.id })}::text::json, ${Buffer.from(event.body)}, true)`
}

async function deliver({ base: { sql } }: RefundWorld): Promise<void> {
  const stop = new AbortController()
  const deliverer = createDeliverer({
    sql,
    clock: systemClock,
    secretsOf: async () => [Buffer.alloc(32, 1)],
    openSecret: () => Buffer.alloc(32, 2),
    policy: { LIVE: loopbackPolicy, SANDBOX: loopbackPolicy },
    log: silentLog,
    pollMs: 20,
  })
  const running = deliverer.run(stop.signal)
  try {
    await eventually('all webhooks are sent', async () => {
      const [row] = await sql<{ waiting: number }[]>`select count(*)::integer as waiting from delivery_due`
      return row?.waiting === 0
    })
  } finally {
    stop.abort()
    await running
  }
}

/** The columns in which a text stands, of all tables and schemas; bytes too. */
export async function columnsWith(sql: Sql, text: string): Promise<readonly string[]> {
  const columns = await sql<{ schema: string; table: string; column: string; type: string }[]>`
    select table_schema as schema, table_name as table, column_name as column, data_type as type
      from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
       and data_type in ('text', 'character varying', 'character', 'name', 'json', 'jsonb', 'bytea', 'ARRAY', 'USER-DEFINED')`
  assert.ok(columns.length > 300, `${columns.length} columns`)
  const found: string[] = []
  for (const { schema, table, column, type } of columns) {
    const value =
      type === 'bytea'
        ? sql`position(convert_to(${text}, 'UTF8') in ${sql(column)}) > 0`
        : sql`position(lower(${text}) in lower(${sql(column)}::text)) > 0`
    const rows = await sql`select 1 from ${sql(schema)}.${sql(table)} where ${value} limit 1`
    if (rows.length > 0) found.push(`${table}.${column}`)
  }
  return found.toSorted()
}
