// Sums of a network that is finer than cents: what came and what is missing are both exact, or the page contradicts itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Payment } from '#/payments/payment.ts'
import { coin, plain, stateOf, toAddress } from '../../test/payer-page.ts'

const cents = (minor: bigint) => minor * 10n ** 16n
const half = cents(1n) / 2n
const deposit = (units: bigint, final = true) => ({
  txHash: '0xab',
  amount: units.toString(),
  confirmations: 3,
  final,
  at: '2026-11-21T18:00:00.000Z',
})

/** The rail's report: `received` settled, the newest transfers, and how many there are in all. */
const report = (
  received: bigint,
  deposits: readonly ReturnType<typeof deposit>[],
  depositCount = deposits.length,
) => ({
  means: {
    ...toAddress,
    fields: {
      ...toAddress.fields,
      ...(received % cents(1n) === 0n ? {} : { cryptoReceived: received.toString() }),
      deposits,
      depositCount,
    },
  },
})
const almost: Partial<Payment> = { receivedMinor: 999n, exceptions: ['UNDERPAID'] }
const came = report(cents(999n) + half, [deposit(cents(999n) + half)])

test('an amount with fractions of a cent is shown the same way all over the page', () => {
  const messages = (['pt-BR', 'en', 'es'] as const).map((locale) =>
    plain(stateOf(almost, { ...came, locale }).message),
  )
  assert.deepEqual(messages, [
    'Recebemos 9,995 USDT de 10,00. Envie mais 0,005 para este endereço até 15:40.',
    'We received 9.995 USDT of 10.00. Send 0.005 more to this address by 3:40 PM GMT-3.',
    'Recibimos 9,995 USDT de 10,00. Envíe 0,005 más a esta dirección hasta las 15:40 GMT-3.',
  ])
  const { panel } = stateOf(almost, came)
  assert.ok(panel?.method === 'CRYPTO')
  assert.equal(panel.amount.value, '0.005')
  assert.match(panel.uri, new RegExp(`uint256=${half}$`))
  assert.equal(panel.deposits[0]?.amount.value, '9.995')
})

test('a wallet is told the amount in units of the token, and the page says it as for every token', () => {
  const six = ({ means }: ReturnType<typeof report>) => ({
    locale: 'en' as const,
    means: { ...means, coin: { ...coin, decimals: 6 } },
  })
  const whole = stateOf({}, six(report(0n, []))).panel
  assert.ok(whole?.method === 'CRYPTO')
  assert.match(whole.uri, /uint256=10000000$/)
  const rest = stateOf(almost, six(came))
  assert.ok(rest.panel?.method === 'CRYPTO')
  assert.match(rest.panel.uri, /uint256=5000$/)
  assert.equal(rest.panel.amount.value, '0.005')
  assert.equal(rest.panel.deposits[0]?.amount.value, '9.995')
  assert.match(plain(rest.message), /received 9\.995 USDT of 10\.00\. Send 0\.005 more/)
})

test('received and missing are the whole, also of many transfers, of money on its way, of another method, and after a refund', () => {
  const cases: readonly (readonly [Partial<Payment>, ReturnType<typeof report>, RegExp])[] = [
    [
      { receivedMinor: 500n, seenMinor: 100n, refundedMinor: 200n },
      report(cents(500n) + half, [deposit(cents(500n) + half), deposit(cents(100n) + 1n, false)]),
      /received 4\.005000000000000001 USDT of 10\.00\. Send 5\.994999999999999999 more/,
    ],
    // Older transfers are not in the report.
    [
      almost,
      report(cents(999n) + half, [deposit(cents(1n))], 40),
      /received 9\.995 USDT of 10\.00\. Send 0\.005 more/,
    ],
    // Another method brought 1.00 of it.
    [
      almost,
      report(cents(899n) + half, [deposit(cents(899n) + half)]),
      /received 9\.995 USDT of 10\.00\. Send 0\.005/,
    ],
    [almost, report(cents(999n), [deposit(cents(999n))]), /received 9\.99 USDT of 10\.00\. Send 0\.01 more/],
  ]
  for (const [changes, more, expected] of cases)
    assert.match(plain(stateOf(changes, { ...more, locale: 'en' }).message), expected)
})
