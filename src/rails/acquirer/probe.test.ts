// The test of a card connection, at a provider that answers as the test says.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { systemClock } from '#/kernel/time.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import { connectionOf } from '../../../test/rails/acquirer/acquirer.ts'
import { startTestProvider, type Reply } from '../../../test/rails/provider.ts'
import { askCardAccounts, probeCard } from './probe.ts'

const secrets = { secretKey: 'sk_test_1', webhookSecrets: ['whsec_1'] }
const events = (count: number): Reply => ({
  status: 200,
  body: {
    object: 'list',
    data: Array.from({ length: count }, (_, number) => ({
      object: 'event',
      id: `evt_${number}`,
      type: 'charge.refunded',
      data: { object: { id: 'ch_1', object: 'charge' } },
    })),
    has_more: false,
  },
})
const refused: Reply = { status: 404, body: { error: { type: 'invalid_request_error' } } }
const account = (capabilities: object = {}, country = 'PT'): Reply => ({
  status: 200,
  body: { object: 'account', id: 'acct_1', country, capabilities },
})

/** `canRefund`: whether the connection has secrets for refunds. */
type Change = Partial<ProviderConnection> & { readonly canRefund?: boolean }
type Answers = { readonly events?: Reply; readonly refunds?: Reply; readonly account?: Reply }

/** A connection to a provider that answers so. */
async function connectedTo(
  t: TestContext,
  answers: Answers,
  { settings = {}, canRefund = true, ...more }: Change = {},
) {
  const provider = await startTestProvider(({ path }) => {
    if (path.startsWith('/v1/events')) return answers.events ?? events(0)
    return path.startsWith('/v1/account') ? (answers.account ?? account()) : (answers.refunds ?? refused)
  })
  t.after(() => provider.stop())
  const given = { apiUrl: provider.url, publishableKey: 'pk_test_1', currencies: ['EUR'], ...settings }
  const connection = connectionOf(given, secrets, more)
  const { refundSecrets: _, ...collecting } = connection
  return { connection: canRefund ? connection : collecting, calls: provider.calls }
}

/** What the test says, by what was tested. */
async function said(t: TestContext, answers: Answers, more: Change = {}) {
  const { connection } = await connectedTo(t, answers, more)
  const probes = await probeCard({ clock: systemClock }, connection)
  return probes.map(({ what, ok, said: text }) => [what, ok, text])
}
const [readEvents, readRefunds] = ['collection: read what happened', 'refunds: read refunds']

test('a connection that works: events of the last minute are counted, and a refusal of an unused name is an answer', async (t) => {
  assert.deepEqual(await said(t, { events: events(2) }), [
    [readEvents, true, 'works, 2 events in the last minute'],
    ['callbacks', true, '1 of their secrets are known'],
    [readRefunds, true, 'works'],
  ])
  const none = { secrets: { secretKey: 'sk_test_1' }, canRefund: false }
  assert.deepEqual(await said(t, {}, none), [
    [readEvents, true, 'works, 0 events in the last minute'],
    ['callbacks', false, 'no webhookSecrets: no callback is believed'],
    ['refunds', true, 'no refundSecrets: nothing can be given back'],
  ])
})

test('a key that may not read refunds, and a provider that fails, do not work', async (t) => {
  for (const status of [401, 403, 500]) {
    const [, , refunds] = await said(t, { refunds: { status } })
    assert.deepEqual(refunds?.slice(0, 2), [readRefunds, false], String(status))
  }
})

test('local methods are those that the account has enabled, in the country of the connection', async (t) => {
  const settings = { country: 'PT', methods: ['IDEAL', 'MB_WAY'] }
  const enabled = { ideal_payments: 'active', mb_way_payments: 'active' }
  const first = async (capabilities: object, country?: string) =>
    (await said(t, { account: account(capabilities, country) }, { settings }))[0]?.slice(1)
  assert.deepEqual(await first(enabled), [true, 'MB_WAY, IDEAL are enabled'])
  assert.deepEqual(await first({ ...enabled, ideal_payments: 'pending' }), [
    false,
    'the account has not enabled IDEAL',
  ])
  assert.deepEqual(await first(enabled, 'ES'), [false, 'the account is in ES, not in PT'])
})

test('a connection with faults is not asked about: each fault is said', async (t) => {
  const faulty: readonly (readonly [more: Change, whats: readonly string[]])[] = [
    [{ settings: { currencies: [] } }, ['/settings/currencies']],
    [{ mode: 'LIVE', canRefund: false }, ['/settings/publishableKey', '/secrets/secretKey']],
    [{ refundSecrets: {} }, ['/refundSecrets/secretKey']],
  ]
  for (const [more, whats] of faulty) {
    const { connection, calls } = await connectedTo(t, {}, more)
    const probes = await probeCard({ clock: systemClock }, connection)
    assert.deepEqual(
      probes.map(({ what, ok }) => [what, ok]),
      whats.map((what) => [what, false]),
    )
    assert.equal(calls.length, 0)
  }
})

test('the accounts of both keys are named once; a key that may not read its account names none', async (t) => {
  const asked = async (answer: Reply, more: Change = {}) => {
    const { connection, calls } = await connectedTo(t, { account: answer }, more)
    return [await askCardAccounts(connection), calls.length]
  }
  assert.deepEqual(await asked(account()), [['stripe:acct_1'], 2])
  assert.deepEqual(await asked(account(), { canRefund: false }), [['stripe:acct_1'], 1])
  assert.deepEqual(await asked({ status: 403 }), [[], 2])
  assert.deepEqual(await asked(account(), { settings: { currencies: [] } }), [[], 0])
})
