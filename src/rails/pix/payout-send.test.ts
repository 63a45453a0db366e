// When a payout is sent, and what the answer of a PSP means, with a client that answers as the test says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { must } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import type { ConnectionId, MerchantId, WithdrawalId } from '#/kernel/id.ts'
import { addMs, secondMs } from '#/kernel/time.ts'
import type { PayoutOrder } from '#/rails/payout-rail.ts'
import { bareId } from '../../../test/bare-rows.ts'
import { payoutRailOf } from '../../../test/rails/pix/payout.ts'
import { pemSecrets, startTestPsp } from '../../../test/rails/pix/psp.ts'
import { connectionOf } from '../../../test/rails/pix/rail.ts'
import { PixError } from './client.ts'
import type { NewPayout } from './payout-client.ts'
import { parsePayout } from './payout-wire.ts'
import { payoutMethod, sendPayout } from './payout.ts'

const now = new Date('2026-11-29T12:00:00Z')
const reference = 'ab'.repeat(16)
const order: PayoutOrder = {
  id: bareId(1) as WithdrawalId,
  merchantId: bareId(2) as MerchantId,
  reference,
  connection: 'a1-x' as ConnectionId,
  amount: { minor: 12_34n, currency: 'BRL' },
  destination: { pixKey: 'ana@example.com' },
}

const payout = (change: object = {}) => {
  const value = parsePayout({ idEnvio: reference, valor: '12.34', status: 'REALIZADO', ...change })
  return { value, raw: Buffer.from('sent') }
}
type Answer = ReturnType<typeof payout> | Error | undefined

const answered = (status: number, body = '{}', outcome: ProviderError['outcome'] = 'refused') =>
  new PixError(outcome, 'no', { status, headers: {}, body: Buffer.from(body) })

/** Sends once at a PSP that answers so. Returns the state, or the outcome of the error, and what was put. */
async function send(
  answers: { readonly put?: Answer; readonly find?: Answer },
  { again = false, ...change }: Partial<PayoutOrder> & { readonly again?: boolean } = {},
) {
  const put: NewPayout[] = []
  const client = {
    put: async (sent: NewPayout) => {
      put.push(sent)
      if (answers.put === undefined || answers.put instanceof Error)
        throw answers.put ?? new Error('not to be put')
      return answers.put
    },
    find: async () => {
      if (answers.find instanceof Error) throw answers.find
      return answers.find
    },
  }
  const sending = sendPayout({ client, clock: { now: () => now }, from: 'k' }, { ...order, ...change }, again)
  const result = await sending.then(
    ({ state }) => state,
    (error: unknown) => (error instanceof ProviderError ? error.outcome : 'fault'),
  )
  return { result, put }
}

test('a payout that may have been sent is sent again when the PSP has had time for the earlier call', async () => {
  const done = { put: payout() }
  const lastSent = (ms: number) => ({ again: true, lastSentAt: addMs(now, -ms) })
  assert.deepEqual((await send(done, lastSent(90 * secondMs - 1))).result, 'unavailable')
  assert.deepEqual((await send(done, lastSent(90 * secondMs))).result, 'done')
  assert.deepEqual((await send(done, { again: true })).result, 'done')
  const known = await send({ ...done, find: payout({ status: 'EM_PROCESSAMENTO' }) }, lastSent(0))
  assert.deepEqual([known.result, known.put.length], ['sent', 0])
})

test('a payout is sent only before its time is over, and while its money may leave', async () => {
  const sent = async (change: Partial<PayoutOrder>) => {
    const { result, put } = await send({ put: payout() }, change)
    return [result, put.length]
  }
  assert.deepEqual(await sent({ sendBefore: addMs(now, 1) }), ['done', 1])
  assert.deepEqual(await sent({ sendBefore: now }), ['unavailable', 0])
  assert.deepEqual(await sent({ mayLeave: async () => true }), ['done', 1])
  assert.deepEqual(await sent({ mayLeave: async () => false }), ['unavailable', 0])
})

test('the recipient reads at most 140 characters', async () => {
  const { put } = await send({ put: payout() }, { description: 'd'.repeat(141) })
  assert.equal(put[0]?.note?.length, 140)
  assert.equal((await send({ put: payout() }, { description: ' ' })).put[0]?.note, undefined)
})

test('a refusal counts when it is clear, has a reason, and the PSP has no such payout', async () => {
  for (const [status, body, result] of [
    [400, '{}', 'refused'],
    [404, '{}', 'refused'],
    [422, '{}', 'refused'],
    [400, '<html>', 'unknown'],
    [400, '[]', 'unknown'],
    [401, '{}', 'unknown'],
    [405, '{}', 'unknown'],
    [409, '{}', 'unknown'],
    [423, '{}', 'unknown'],
  ] as const)
    assert.equal((await send({ put: answered(status, body) })).result, result, `${status} ${body}`)
  const kept = { put: answered(422), find: payout() }
  assert.equal((await send(kept)).result, 'done')
  assert.equal((await send({ put: new ProviderError('refused', 'no answer of the PSP') })).result, 'unknown')
  assert.equal((await send({ put: answered(422), find: answered(500) })).result, 'unknown')
  assert.equal((await send({ put: answered(422), find: new Error('a fault of ours') })).result, 'fault')
  assert.equal((await send({ put: new Error('a fault of ours') })).result, 'fault')
})

test('nothing was sent when no call was, or the gateway refused it', async () => {
  const unavailable = (status: number) => answered(status, '{}', 'unavailable')
  assert.equal((await send({ put: new ProviderError('unavailable', 'no token') })).result, 'unavailable')
  for (const [status, result] of [
    [401, 'unavailable'],
    [403, 'unavailable'],
    [429, 'unavailable'],
    [402, 'unknown'],
    [430, 'unknown'],
    [503, 'unknown'],
  ] as const)
    assert.equal((await send({ put: unavailable(status) })).result, result, String(status))
})

test('an answer about another payout is unknown, and what came back is told', async () => {
  for (const change of [{ idEnvio: 'cd'.repeat(16) }, { valor: '12.35' }, { idEnvio: undefined }])
    assert.equal((await send({ put: payout(change) })).result, 'unknown', JSON.stringify(change))
  const back = (valor: string) => ({ devolucoes: [{ id: 'D1', valor, status: 'DEVOLVIDO' }] })
  assert.equal((await send({ put: payout(back('0.01')) })).result, 'returned')
  assert.equal((await send({ put: payout({ status: 'NAO_REALIZADO' }) })).result, 'refused')
  assert.equal((await send({ put: payout({ status: 'SOMETHING_NEW' }) })).result, 'sent')
})

test('the list of a span has our payouts; one that cannot be read is an alarm', async (t) => {
  const other = 'of another program'
  const psp = await startTestPsp(({ path }) => {
    if (path === '/oauth/token') return undefined
    const mine = { idEnvio: reference, valor: '12.34', status: 'REALIZADO' }
    const pix = [mine, { ...mine, idEnvio: other }, { ...mine, idEnvio: undefined }]
    const isFirst = path.includes('paginaAtual=0')
    const parametros = { paginacao: { quantidadeDePaginas: 2 } }
    return { status: 200, body: { parametros, pix: isFirst ? pix : [mine, { ...mine, valor: 'x' }] } }
  })
  t.after(() => psp.stop())
  const urls = { baseUrl: psp.url, tokenUrl: `${psp.url}/oauth/token`, ca: psp.ca }
  const more = { method: payoutMethod, provider: 'efi', refundSecrets: pemSecrets }
  const connection = connectionOf({ ...urls, pixKey: 'k' }, {}, more)
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
  const rail = payoutRailOf(t, [connection], { log })
  const found: unknown[] = []
  for await (const page of must(rail.list, 'it lists')(connection.id, { from: now, to: now }))
    found.push(page.map(({ reference: of, amount, result }) => [of, amount.minor, result.state]))
  const ours = [reference, 12_34n, 'done']
  assert.deepEqual(found, [[ours], [ours]])
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /a PSP reports a payout that cannot be read/)
})

test('a look-up that fails has sent nothing', async () => {
  for (const outcome of ['refused', 'unknown', 'unavailable'] as const) {
    const find = new ProviderError(outcome, 'no')
    assert.equal((await send({ find }, { again: true })).result, 'unavailable')
  }
  assert.equal((await send({ find: new Error('a fault of ours') }, { again: true })).result, 'fault')
})
