// A PSP's payouts in Efí's shape: what is read, and what is not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isReference, parseBalance, parsePayout, parsePayoutHints, parsePayoutPage } from './payout-wire.ts'

const bytes = (sent: unknown) => Buffer.from(typeof sent === 'string' ? sent : JSON.stringify(sent))
const nonsense = { name: 'ProviderError', outcome: 'unknown' }
const reference = (number: number) => number.toString(16).padStart(32, '0')
const payout = { idEnvio: reference(1), endToEndId: 'E1', valor: '12.34', status: 'REALIZADO' }

test('a payout is read with its reference, its end, and what came back', () => {
  const sent = {
    ...payout,
    status: 'NAO_REALIZADO',
    horario: { solicitacao: '2026-11-29T12:00:00.000-03:00' },
    erro: { codigo: 'AB03' },
    devolucoes: [
      { id: 'D1', valor: '1.00', status: 'DEVOLVIDO' },
      { id: 'D2', valor: '2.00', status: 'EM_PROCESSAMENTO' },
      { id: 'D3', valor: '4.00', status: 'DEVOLVIDO' },
      { id: 'D4', valor: '8.00', status: 'SOMETHING_NEW' },
    ],
  }
  assert.deepEqual(parsePayout(sent), {
    reference: reference(1),
    endToEndId: 'E1',
    amount: 12_34n,
    status: 'NAO_REALIZADO',
    code: 'AB03',
    requestedAt: new Date('2026-11-29T15:00:00.000Z'),
    returned: 5_00n,
    sent,
  })
})

test('what a payout does not say is absent, and an unknown status and an odd end-to-end id are as well', () => {
  const { idEnvio: _id, endToEndId: _e2e, ...bare } = payout
  assert.deepEqual(parsePayout(bare), { amount: 12_34n, status: 'REALIZADO', returned: 0n, sent: bare })
  assert.equal(parsePayout({ ...bare, e2eId: 'E2' }).endToEndId, 'E2')
  assert.equal('endToEndId' in parsePayout({ ...payout, endToEndId: '../../x' }), false)
  assert.equal('status' in parsePayout({ ...payout, status: 'SOMETHING_NEW' }), false)
})

test('a payout without an amount or a status, or with a return that cannot be read, is an error', () => {
  for (const change of [
    { valor: '0.00' },
    { valor: 12 },
    { status: undefined },
    { devolucoes: [{ id: 'D1', valor: 'x' }] },
  ])
    assert.throws(() => parsePayout({ ...payout, ...change }), nonsense, JSON.stringify(change))
  assert.throws(() => parsePayout(null), nonsense)
})

test('an item that cannot be read does not hide the others of its page', () => {
  const page = (quantidadeDePaginas: unknown) =>
    parsePayoutPage(bytes({ parametros: { paginacao: { quantidadeDePaginas } }, pix: [null, payout] }))
  const { payouts, unread, length } = page(1)
  assert.deepEqual([payouts.map(({ reference: of }) => of), unread.length, length], [[reference(1)], 1, 2])
  assert.deepEqual(
    [0, 3, -1, 1.5, '2', null].map((pages) => page(pages).pages),
    [0, 3, undefined, undefined, undefined, undefined],
  )
})

test('a callback names payouts by our references alone, each once and at most a hundred', () => {
  const item = (idEnvio: unknown, tipo = 'SOLICITACAO') => ({ tipo, gnExtras: { idEnvio } })
  const pix = [
    item(reference(1)),
    item(reference(1)),
    item(reference(2), 'DEVOLUCAO'),
    item('of another program'),
    item(7),
    { tipo: 'SOLICITACAO', gnExtras: null },
    { tipo: 'SOLICITACAO' },
    null,
    item(reference(3)),
  ]
  assert.deepEqual(parsePayoutHints(bytes({ pix })), [reference(1), reference(3)])
  const many = Array.from({ length: 101 }, (_, index) => item(reference(index)))
  assert.equal(parsePayoutHints(bytes({ pix: many })).length, 100)
  for (const junk of ['', 'null', '[]', '{}', '{"pix":{}}', '{"pix":"x"}'])
    assert.deepEqual(parsePayoutHints(bytes(junk)), [], junk)
})

test('a reference has 32 hex digits in small letters', () => {
  const texts = ['a'.repeat(32), 'a'.repeat(31), 'a'.repeat(33), 'A'.repeat(32), `${'a'.repeat(31)}g`]
  assert.deepEqual(texts.map(isReference), [true, false, false, false, false])
})

test('a balance is read to the centavo, also below nothing', () => {
  const balance = (saldo: unknown) => parseBalance(bytes({ saldo }))
  assert.deepEqual(['0.00', '12.34', '-0.05', '-12.34'].map(balance), [0n, 1234n, -5n, -1234n])
  for (const saldo of ['12', '12.3', '1,00', '--1.00', 12.34, null, undefined])
    assert.throws(() => balance(saldo), nonsense, String(saldo))
})
