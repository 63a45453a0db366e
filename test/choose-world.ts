// A merchant's pages without their server: PIX, cards and wallet app at providers that the test controls,
// CRYPTO on the chain of the line, and all parts between a creation and the money.
import { connect, type Sql } from '#/db/client.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { toDecimal, type Currency } from '#/kernel/money.ts'
import { createLedgerLane } from '#/ledger/post.ts'
import { createPaymentCreator, type PaymentCreator } from '#/payments/create.ts'
import { describePayments } from '#/payments/describe.ts'
import { createPageOpener, type PageOpener } from '#/payments/open.ts'
import type { Payment } from '#/payments/payment.ts'
import { paymentRecord } from '#/payments/record.ts'
import { listRails } from '#/rails/all.ts'
import { createCryptoRail } from '#/rails/crypto/rail.ts'
import type { Method } from '#/rails/method.ts'
import type { Rails } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { settleKind } from '#/settlement/settle.ts'
import { openTemplateStore, type TemplateStore } from '#/templates/store.ts'
import { announce } from '#/webhooks/announce.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { auditKey, cell, openLine, type Line } from './line.ts'
import { pages } from './page-hosts.ts'
import { pageRail, type PageRail } from './page-rail.ts'

type Fields = Readonly<Record<string, unknown>>

export type ChooseWorld = AsyncDisposable & {
  readonly line: Line
  readonly rails: Rails
  readonly pix: PageRail
  readonly card: PageRail
  readonly partner: PageRail
  readonly templates: TemplateStore
  readonly creator: PaymentCreator
  readonly opener: PageOpener
  /** A database client, a lane and an opener of its own, as another process has. */
  openOther(): Promise<{ readonly opener: PageOpener; readonly sql: Sql }>
  /** As its GET shows it. */
  shown(payment: Payment): Promise<Fields>
  /** The events of a payment, in order. */
  eventsOf(payment: Payment): Promise<readonly { readonly type: string; readonly data: Fields }[]>
  attempts(
    payment: Payment,
  ): Promise<readonly { readonly id: string; readonly method: Method; readonly connection: ConnectionId }[]>
  /** Final money by the latest attempt of this method. */
  pay(payment: Payment, method: Method): Promise<void>
}

export async function openChooseWorld(): Promise<ChooseWorld> {
  const line = await openLine()
  const { sql, lane, clock } = line
  const rail = async (method: Method, opens: 'REQUEST' | 'PAGE', currencies: readonly Currency[]) => {
    const connection = await newConnection(sql, method)
    return pageRail({ method, opens, currencies, connection, now: () => clock.now() })
  }
  const pix = await rail('PIX', 'REQUEST', ['BRL'])
  const card = await rail('CREDIT_CARD', 'PAGE', ['BRL', 'EUR'])
  const partner = await rail('PARTNER_PAY', 'PAGE', ['USDT'])
  const rails = listRails([pix, card, createCryptoRail(() => [line.chain]), partner])
  const templates = await openTemplateStore({ sql, log: silentLog })
  const creator = createPaymentCreator({
    pages,
    sql,
    rails,
    ledger: lane,
    clock,
    log: silentLog,
    templates,
  })
  const settling = settleKind(rails)
  const closing: (() => unknown)[] = [() => templates.close(), () => creator.close()]

  const attempts: ChooseWorld['attempts'] = async ({ merchantId, id }) => [
    ...(await sql<{ id: string; method: Method; connection: ConnectionId }[]>`
      select id, method, connection from attempt where merchant_id = ${merchantId} and payment_id = ${id} order by id`),
  ]

  return {
    line,
    rails,
    pix,
    card,
    partner,
    templates,
    creator,
    opener: createPageOpener({ sql, rails, lane, clock, log: silentLog }),
    attempts,
    async openOther() {
      const client = connect(line.appUrl, { max: 2 })
      const other = await createLedgerLane<EventDraft>({
        openSql: () => connect(line.appUrl, { max: 1 }),
        cell,
        auditKey,
        announce,
        clock: clock.running,
        log: silentLog,
      })
      closing.push(
        () => other.close(),
        () => client.end({ timeout: 1 }),
      )
      return {
        sql: client,
        opener: createPageOpener({ sql: client, rails, lane: other, clock, log: silentLog }),
      }
    },
    async shown({ id }) {
      const payment = await line.payment(id)
      return paymentRecord(payment, (await describePayments(sql, rails, [payment], 'full')).of(payment))
    },
    async eventsOf({ merchantId, id }) {
      const rows = await sql<{ type: string; data: Fields }[]>`
        select type, body::json -> 'data' as data
          from event
         where merchant_id = ${merchantId} and resource_id = ${id}
         order by sequence`
      return [...rows]
    },
    async pay(payment, method) {
      const attempt = (await attempts(payment)).findLast((each) => each.method === method)
      if (attempt === undefined) throw new Error(`the payment has no attempt by ${method}`)
      await lane.submit(settling, { receipts: [paidBy(payment, method, attempt, clock.now())] })
    },
    async [Symbol.asyncDispose]() {
      for (const close of closing) await close()
      await line[Symbol.asyncDispose]()
    },
  }
}

async function newConnection(sql: Sql, method: Method): Promise<ConnectionId> {
  const id = `${cell}-${newId<'connection'>()}` as ConnectionId
  await sql`
    insert into connection (id, mode, method, provider, settings, created_at)
    values (${id}, 'SANDBOX', ${method}, 'test', '{}', now())`
  return id
}

function paidBy(
  { amountMinor: minor, currency }: Payment,
  method: Method,
  attempt: { readonly id: string; readonly connection: ConnectionId },
  at: Date,
): Receipt {
  const providerRef = method === 'PIX' ? `E${newId().replaceAll('-', '').slice(-31)}` : newId()
  // As a bank reports it.
  const sent = {
    endToEndId: providerRef,
    txid: attempt.id.replaceAll('-', ''),
    valor: toDecimal({ minor, currency: 'BRL' }),
    horario: at.toISOString(),
  }
  return {
    method,
    attempt: { id: attempt.id as NonNullable<Receipt['attempt']>['id'] },
    connection: attempt.connection,
    providerRef,
    outcome: 'paid',
    occurrence: 1,
    amount: { minor, currency },
    happenedAt: at,
    evidence: Buffer.from(JSON.stringify(sent)),
  }
}
