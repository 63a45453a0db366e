// When a provider is called to open an attempt, what is written down before, and what the caller gets, on a test's own rows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { AppError, ProviderError } from '#/kernel/error.ts'
import { addMs } from '#/kernel/time.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { Attempt, Issue } from '#/rails/attempt.ts'
import type { Opened, Rail } from '#/rails/rail.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { at, bank, ours } from '../../test/bare-attempts.ts'
import {
  attemptRows,
  numberOf,
  paymentOf,
  paymentRow,
  paymentTables,
  railsThatOpen,
} from '../../test/bare-payments.ts'
import { onRows, type RowsTx } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { runOnRows } from '../../test/kind-on-rows.ts'
import { partly } from '../../test/partly.ts'
import { toAttempt, selectAttempts } from './attempt-queries.ts'
import { openKind } from './open-kind.ts'
import { createPageOpener, createPaymentOpener, type PageOpener, type PaymentOpener } from './open.ts'
import type { Payment } from './payment.ts'
import { selectPayments } from './queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

type Row = Readonly<Record<string, unknown>>
type Openers = {
  readonly pages: PageOpener
  readonly payments: PaymentOpener
  readonly payment: Payment
  /** The first attempt as it was made. */
  readonly made: Attempt
}

const artifacts = { code: 'A', name: 'txid' }
const accepted: Opened = { ok: true, artifacts }
const refused: Opened = { ok: false, code: 'payer_refused', message: 'no', said: 'nao' }
const checkout = { request: { amount: 100, checkout: 'shop' }, methods: ['CREDIT_CARD', 'PIX', 'CRYPTO'] }

type Start = {
  readonly payment?: Row
  readonly attempts?: readonly Row[]
  /** The answer of the provider of cards and of PIX. */
  readonly open?: (tx: RowsTx) => Promise<Opened>
  readonly rail?: Partial<Rail>
}

async function ask(
  by: (
    openers: Openers,
  ) => Promise<{ readonly payment: Payment; readonly attempt?: { readonly id: string } }>,
  { payment = {}, attempts = [], open = async () => accepted, rail = {} }: Start = {},
) {
  const tables = {
    ...paymentTables([paymentRow(0, payment)], attemptRows(0, attempts)),
    attempt_check: [],
    attempt_closing: [],
    receipt: [],
  }
  return onRows(sql, tables, async (tx) => {
    const [calls, issued, logged]: [number[], string[], Row[]] = [[], [], []]
    const atProvider = {
      async open({ id }: { readonly id: Attempt['id'] }) {
        calls.push(numberOf(id))
        return open(tx)
      },
      namedBy: 'name',
    }
    const rails = railsThatOpen(
      { PAGE: atProvider, REQUEST: atProvider },
      { route: () => ({ ok: true, connection: bank, currency: 'BRL' }), ...rail },
    )
    const submit: LedgerLane<EventDraft>['submit'] = async (kind, item) => {
      const { verdicts } = await runOnRows(tx, kind, [item], { at })
      return must(verdicts[0], 'a verdict')
    }
    const issue: Issue = async ({ method }, name) => void issued.push([method, name ?? ''].join(' ').trim())
    const deps = {
      sql: tx,
      rails,
      lane: partly<LedgerLane<EventDraft>>({ submit }),
      log: pino({}, { write: (line: string) => void logged.push(JSON.parse(line) as Row) }),
      issue,
    }
    const ref = { merchantId: ours, paymentId: paymentOf(0) }
    const [found] = await selectPayments(tx, [ref])
    const [kept] = await selectAttempts(tx, [ref])
    const clock = { now: () => at, advance: () => {} }
    const openers = {
      pages: createPageOpener({ ...deps, clock }),
      payments: createPaymentOpener({ ...deps, kind: openKind(rails) }),
      payment: must(found, 'the payment'),
      made: kept === undefined ? partly<Attempt>({}) : toAttempt(kept),
    }
    const answer = await by(openers).catch((error: unknown) => {
      assert.ok(error instanceof AppError, String(error))
      return error
    })
    const shown =
      answer instanceof AppError
        ? answer.code
        : [
            answer.payment.status,
            ...(answer.attempt === undefined ? [] : [answer.attempt.id.slice(-2)]),
          ].join(' ')
    return { answer, shown, calls, issued, logged }
  })
}

const page = { method: 'CREDIT_CARD' } as const
const load = ({ pages, payment }: Openers) => pages.openPage(payment, page)
const opened = { artifacts }

test('an attempt is written down before its provider is called, and again with the provider’s name of it', async () => {
  const { shown, calls, issued } = await ask(load, { attempts: [{}] })
  assert.deepEqual([shown, calls, issued], ['WAITING_PAYMENT 01', [1], ['CREDIT_CARD', 'CREDIT_CARD txid']])
})

test('what is made here is written down before it is committed, without a call', async () => {
  const choose = ({ pages, payment }: Openers) => pages.openChosen(payment, { method: 'CRYPTO' }, {})
  const { calls, issued } = await ask(choose, { payment: checkout })
  assert.deepEqual([calls, issued], [[], ['CRYPTO']])
})

test('a page that was opened is shown without a call, while the payment waits for its method', async () => {
  const kept = await ask(load, { attempts: [opened, { ...opened, method: 'PIX' }] })
  assert.deepEqual([kept.shown, kept.calls], ['WAITING_PAYMENT 01', []])
  const other = await ask(load, { payment: { method: 'PIX' }, attempts: [opened] })
  assert.equal(other.shown, 'method_not_available')
  const ended = await ask(load, { payment: { status: 'EXPIRED' }, attempts: [opened] })
  assert.deepEqual([ended.shown, ended.calls], ['EXPIRED', []])
  const past = { artifacts: { ...artifacts, expiresAt: at.toISOString() } }
  assert.deepEqual((await ask(load, { attempts: [past, {}] })).calls, [2])
})

test('an attempt is not shown when its provider refuses it, or the payment ended meanwhile', async () => {
  const no = await ask(load, { attempts: [{}], open: async () => refused })
  assert.deepEqual([no.shown, no.logged.length, no.logged[0]?.['said']], ['FAILED', 1, 'nao'])
  const late = await ask(load, {
    attempts: [{}],
    async open(tx) {
      await tx`update payment set status = 'PAID'`
      return accepted
    },
  })
  assert.equal(late.shown, 'PAID')
})

test('a provider that does not answer is told to the caller, who may ask again', async () => {
  const { answer, logged } = await ask(load, {
    attempts: [{}],
    open: async () => {
      throw new ProviderError('unavailable', 'away')
    },
  })
  assert.ok(answer instanceof AppError && answer.code === 'provider_unavailable')
  assert.deepEqual([answer.retryAfterMs, answer.extra['paymentId'], logged.length], [2_000, paymentOf(0), 1])
})

test('a choice needs what its method needs of the payer', async () => {
  const choose = ({ pages, payment }: Openers) => pages.openChosen(payment, page, {})
  const needy = { payment: checkout, rail: { needs: ['name'] } } as const
  const { answer } = await ask(choose, needy)
  assert.ok(answer instanceof AppError)
  assert.deepEqual(
    answer.faults?.map(({ pointer }) => pointer),
    ['/customer/name'],
  )
  const named = { ...checkout, payer: { name: 'Zélia' } }
  assert.equal((await ask(choose, { ...needy, payment: named })).calls.length, 1)
})

const byPix = { method: 'PIX', methods: ['PIX'] }
const pix = { method: 'PIX' }
const create = ({ payments, payment, made }: Openers) => payments.open(payment, made)
const replay = ({ payments, payment }: Openers) => payments.open(payment)

test('a creation opens what its provider makes in the request, and nothing of a checkout or of a page', async () => {
  const pending = { ...byPix, status: 'PENDING' }
  const first = await ask(create, { payment: pending, attempts: [pix] })
  assert.deepEqual([first.shown, first.calls], ['WAITING_PAYMENT 01', [1]])
  const shop = { request: { amount: 100, checkout: 'shop' } }
  assert.deepEqual((await ask(create, { payment: { ...pending, ...shop }, attempts: [pix] })).calls, [])
  assert.deepEqual((await ask(create, { attempts: [{}] })).calls, [])
  assert.equal((await ask(replay, { attempts: [opened] })).shown, 'WAITING_PAYMENT')
})

test('a repeated creation goes on with the attempt of its method, or returns what was opened', async () => {
  const pending = { ...byPix, status: 'PENDING', expires_at: addMs(at, 1_000) }
  assert.deepEqual((await ask(replay, { payment: pending, attempts: [pix, {}] })).calls, [1])
  const before = await ask(replay, { payment: byPix, attempts: [{ ...pix, ...opened }] })
  assert.deepEqual([before.shown, before.calls], ['WAITING_PAYMENT 01', []])
  const ended = await ask(create, { payment: { ...byPix, status: 'EXPIRED' }, attempts: [pix] })
  assert.deepEqual([ended.shown, ended.calls], ['EXPIRED', []])
})
