// Laws of settlement for a provider that reports the same money again and again. Any part of a bank's history may be read, in any order,
// any number of times, several at once. In the end the books are the same as if each report had been read once.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { newId, type ConnectionId, type RefundId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { selectAttempts } from '#/payments/attempt-queries.ts'
import { createPaymentCreator } from '#/payments/create.ts'
import type { Payment } from '#/payments/payment.ts'
import { selectPayments } from '#/payments/queries.ts'
import { listRails } from '#/rails/all.ts'
import type { ConnectionBook, ProviderConnection } from '#/rails/connection.ts'
import { createPixRail } from '#/rails/pix/rail.ts'
import { receiptsOf, toReference } from '#/rails/pix/receipts.ts'
import { parseJson, parsePix } from '#/rails/pix/wire.ts'
import type { Rail } from '#/rails/rail.ts'
import { listRefunds } from '#/refunds/queries.ts'
import { refundKind } from '#/refunds/request.ts'
import { settleKind } from '#/settlement/settle.ts'
import { fc } from '../chance.ts'
import { count } from '../counts.ts'
import { assertPaymentExplained } from '../explained.ts'
import { openLine, type Line } from '../line.ts'
import { pages } from '../page-hosts.ts'

const connection = 't1-pix' as ConnectionId

let line: Line
before(async () => {
  line = await openLine()
  await line.owner`
    insert into connection (id, mode, method, provider, settings, created_at)
    values (${connection}, 'SANDBOX', 'PIX', 'bacen', '{}', clock_timestamp())`
})
after(() => line[Symbol.asyncDispose]())

/** The dynamic example of the Manual de Padrões para Iniciação do Pix. */
const code =
  '00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***630464E4'

/** The rail, but for its bank: a charge exists as soon as it is requested. */
function pixRail(): Rail {
  const open: ProviderConnection = {
    id: connection,
    mode: 'SANDBOX',
    method: 'PIX',
    provider: 'bacen',
    settings: {},
    secrets: {},
  }
  const connections: ConnectionBook = { of: () => [open], find: () => open, all: () => [open] }
  const rail = createPixRail({ connections, clock: line.clock, log: silentLog })
  const place = async () => ({ ok: true as const, artifacts: { copyPaste: code } })
  return { ...rail, opens: { ...rail.opens, open: place } }
}

// ---- The bank's side: what is true, and what it would have reported at each moment

type Devolucao = { readonly id: string; valor: string; natureza: string; status: string }
type Pix = { endToEndId: string; txid: string; valor: string; horario: string; devolucoes: Devolucao[] }

type Step =
  | { readonly do: 'pay'; readonly payment: number; readonly cents: number }
  | { readonly do: 'refund'; readonly payment: number; readonly cents: number }
  | { readonly do: 'end'; readonly which: number; readonly done: boolean }
  | { readonly do: 'med'; readonly pix: number; readonly cents: number }
  | { readonly do: 'hear'; readonly views: readonly number[] }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      payment: fc.nat(2),
      cents: fc.integer({ min: 1, max: 900 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      payment: fc.nat(2),
      cents: fc.integer({ min: 1, max: 900 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('end' as const), which: fc.nat(20), done: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('med' as const),
      pix: fc.nat(20),
      cents: fc.integer({ min: 1, max: 900 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('hear' as const),
      views: fc.array(fc.nat(200), { minLength: 1, maxLength: 6 }),
    }),
  },
)

const text = (cents: number) => (cents / 100).toFixed(2)
const centsOf = (amount: string) => BigInt(amount.replace('.', ''))

async function live(steps: readonly Step[]): Promise<void> {
  const rail = pixRail()
  const rails = listRails([rail])
  const [settling, refunding] = [settleKind(rails), refundKind(rails)]
  const { sql, lane, clock, merchant } = line
  const creator = createPaymentCreator({ pages, sql, rails, ledger: lane, clock, log: silentLog })
  const opening = await balances(sql)
  const payments: Payment[] = []
  for (let nth = 0; nth < 3; nth++) {
    const request = { amount: 500, paymentMethods: ['PIX'] as const }
    payments.push((await creator.create(merchant, newId(), request)).payment)
  }
  await creator.close()
  const attempts = await selectAttempts(
    sql,
    payments.map(({ merchantId, id }) => ({ merchantId, paymentId: id })),
  )
  const txids = payments.map(({ id }) =>
    toReference(
      must(
        attempts.find((each) => each.paymentId === id),
        'an attempt',
      ).id,
    ),
  )

  const pixes: Pix[] = []
  const views: string[] = []
  const note = (pix: Pix) => views.push(JSON.stringify(pix))
  const hear = (view: string) => {
    const body = Buffer.from(view)
    const pix = must(parsePix(parseJson(body)), 'a Pix')
    return lane.submit(settling, { receipts: receiptsOf(connection, pix, body) })
  }
  const open = () =>
    pixes.flatMap((pix) =>
      pix.devolucoes.filter((each) => each.status === 'EM_PROCESSAMENTO').map((each) => ({ pix, each })),
    )

  for (const each of steps) {
    if (each.do === 'pay') {
      const endToEndId = `E${newId().replaceAll('-', '').slice(0, 31)}`
      const horario = clock.now().toISOString()
      pixes.push({
        endToEndId,
        txid: txids[each.payment] ?? '',
        valor: text(each.cents),
        horario,
        devolucoes: [],
      })
      note(must(pixes.at(-1), 'just made'))
    }
    if (each.do === 'refund') {
      const payment = must(payments[each.payment], 'one of three')
      const id = newId<'refund'>()
      const verdict = await lane.submit(refunding, {
        merchantId: merchant.id,
        mode: merchant.mode,
        paymentId: payment.id,
        id,
        request: { amount: each.cents },
      })
      if (verdict.kind !== 'created') continue
      // From now on the bank has it, so a MED does not hold it back.
      await sql`update refund_due set sends = 1 where refund_id = ${id}`
      const pix = must(
        pixes.find(({ endToEndId }) => endToEndId === verdict.refund.paidRef),
        'its Pix',
      )
      pix.devolucoes.push({
        id: toReference(id),
        valor: text(each.cents),
        natureza: 'ORIGINAL',
        status: 'EM_PROCESSAMENTO',
      })
      note(pix)
    }
    if (each.do === 'med') {
      const pix = pixes[each.pix % Math.max(pixes.length, 1)]
      const goingBack =
        pix?.devolucoes.reduce(
          (sum, one) => sum + (one.status === 'NAO_REALIZADO' ? 0n : centsOf(one.valor)),
          0n,
        ) ?? 0n
      if (pix === undefined || goingBack + BigInt(each.cents) > centsOf(pix.valor)) continue
      pix.devolucoes.push({
        id: `D${newId().slice(-12)}`,
        valor: text(each.cents),
        natureza: 'MED_FRAUDE',
        status: 'EM_PROCESSAMENTO',
      })
      note(pix)
    }
    if (each.do === 'end') {
      const one = open()[each.which % Math.max(open().length, 1)]
      if (one === undefined) continue
      one.each.status = each.done ? 'DEVOLVIDO' : 'NAO_REALIZADO'
      note(one.pix)
    }
    if (each.do === 'hear' && views.length > 0)
      await Promise.all(each.views.map((nth) => hear(must(views[nth % views.length], 'a view'))))
  }
  // Reconciliation reads everything and finds what no callback reported; it may run any number of times.
  for (let round = 0; round < 2; round++) await Promise.all(pixes.map((pix) => hear(JSON.stringify(pix))))
  await compare({ payments, pixes, opening })
}

async function compare({
  payments,
  pixes,
  opening,
}: {
  readonly payments: readonly Payment[]
  readonly pixes: readonly Pix[]
  readonly opening: Balances
}): Promise<void> {
  const { sql, merchant } = line
  const all = pixes.flatMap(({ devolucoes }) => devolucoes)
  const sum = (some: readonly { readonly valor: string }[]) =>
    some.reduce((total, { valor }) => total + centsOf(valor), 0n)
  const gone = all.filter(({ status }) => status === 'DEVOLVIDO')
  const held = all.filter(({ status }) => status === 'EM_PROCESSAMENTO')
  const now = await balances(sql)
  assert.equal(now.held - opening.held, sum(held), 'held is what is open')
  assert.equal(
    now.available - opening.available - (now.owed - opening.owed),
    sum(pixes) - sum(gone) - sum(held),
    'available less debts is what came, less what went back or may',
  )
  const refs = payments.map(({ merchantId, id }) => ({ merchantId, paymentId: id }))
  for (const [nth, payment] of (await selectPayments(sql, refs)).entries()) {
    assert.ok(nth >= 0)
    const [attempt] = await selectAttempts(sql, [{ merchantId: merchant.id, paymentId: payment.id }])
    const ofPayment = pixes.filter(({ txid }) => txid === toReference(must(attempt, 'an attempt').id))
    const returned = ofPayment.flatMap(({ devolucoes }) =>
      devolucoes.filter(({ status }) => status !== 'NAO_REALIZADO'),
    )
    const isMed = ({ natureza }: Devolucao) => natureza.startsWith('MED')
    assert.equal(payment.receivedMinor, sum(ofPayment), 'each Pix is credited once')
    assert.equal(payment.refundedMinor, sum(returned.filter((each) => !isMed(each))), 'refunded')
    assert.equal(payment.disputedMinor, sum(returned.filter(isMed)), 'disputed')
    await assertPaymentExplained(sql, payment)
  }
  for (const refund of await listRefunds(sql, merchant.id, { limit: 1_000 })) {
    const atBank = all.find(({ id }) => id === toReference(refund.id satisfies RefundId))
    const ends: Readonly<Record<string, string>> = {
      DEVOLVIDO: 'COMPLETED',
      NAO_REALIZADO: 'FAILED',
      EM_PROCESSAMENTO: 'PENDING',
    }
    if (atBank !== undefined) assert.equal(refund.status, ends[atBank.status])
  }
}

type Balances = { readonly available: bigint; readonly held: bigint; readonly owed: bigint }

async function balances(sql: Sql): Promise<Balances> {
  const rows = await sql<{ name: string; minor: bigint }[]>`
    select account.name, balance.minor from account join balance on balance.account_id = account.id
     where account.currency = 'BRL'`
  const sumOf = (fits: (name: string) => boolean) =>
    rows.filter(({ name }) => fits(name)).reduce((sum, { minor }) => sum + minor, 0n)
  return {
    available: sumOf((name) => name.endsWith(':available')),
    held: sumOf((name) => name.endsWith(':held')),
    owed: sumOf((name) => name.startsWith('receivable:')),
  }
}

test('reports of a bank, in any order and any number of times, are booked as if each had been read once', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), live), {
    numRuns: count({ quick: 4, soak: 1_500 }),
    endOnFailure: true,
  })
})

test('and all of it is on the books', async () => {
  const report = await line.verify()
  assert.deepEqual(report.faults, [])
})
