// The test of a connection to a wallet provider: a harmless query with each of its keys.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { systemClock } from '#/kernel/time.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import { failure, success } from '../../../test/rails/partner-pay/wallet.ts'
import { startTestProvider, type Reply } from '../../../test/rails/provider.ts'
import { newConnectionId } from '../../../test/rails/rail.ts'
import { probePartnerPay } from './probe.ts'

const keyNamed = (key: string) => ({ apiKey: key, apiSecret: key })
const [secrets, refundSecrets] = [keyNamed('collect0'), keyNamed('refund00')]
const keys = (count: number) =>
  success(Array.from({ length: count }, (_, at) => ({ certSerial: String(at), certPublic: 'PEM' })))
const absent = failure('400202')
const denied = failure('400606', 403)

/** What the test says at a provider that answers so, and which key asked. */
async function said(
  t: TestContext,
  answers: { readonly order?: Reply; readonly keys?: Reply; readonly refund?: Reply },
  { canRefund = true, ...more }: Partial<ProviderConnection> & { readonly canRefund?: boolean } = {},
) {
  const provider = await startTestProvider(({ path }) => {
    if (path.endsWith('/certificates')) return answers.keys ?? keys(1)
    return (path.includes('/refund/') ? answers.refund : answers.order) ?? absent
  })
  t.after(() => provider.stop())
  const probes = await probePartnerPay(
    { clock: systemClock },
    {
      id: newConnectionId(),
      mode: 'SANDBOX',
      method: 'PARTNER_PAY',
      provider: 'binance',
      settings: { apiUrl: provider.url },
      secrets,
      ...(canRefund ? { refundSecrets } : {}),
      ...more,
    },
  )
  return {
    asked: provider.calls.map(({ headers }) => headers['binancepay-certificate-sn']),
    probes: probes.map(({ ok, said: text }) => [ok, text]),
  }
}

test('each key asks for what it is for; what the provider does not have is an answer', async (t) => {
  const { asked, probes } = await said(t, {})
  assert.deepEqual(asked, ['collect0', 'collect0', 'refund00'])
  assert.deepEqual(probes, [
    [true, 'works'],
    [true, 'works, 1 key'],
    [true, 'works'],
  ])
  const [, callbacks, refunds] = (await said(t, { keys: keys(2) }, { canRefund: false })).probes
  assert.deepEqual(callbacks, [true, 'works, 2 keys'])
  assert.deepEqual(refunds, [true, 'no refundSecrets: nothing can be given back'])
})

test('a key that may not ask does not work', async (t) => {
  for (const [answers, works] of [
    [{ order: denied }, [false, true, true]],
    [{ keys: denied }, [true, false, true]],
    [{ refund: denied }, [true, true, false]],
  ] as const)
    assert.deepEqual(
      (await said(t, answers)).probes.map(([ok]) => ok),
      works,
    )
})

test('a connection with faults is not asked about', async (t) => {
  const { asked, probes } = await said(t, {}, { settings: { apiUrl: 'nowhere' }, canRefund: false })
  assert.deepEqual([asked.length, probes[0]?.[0]], [0, false])
})
