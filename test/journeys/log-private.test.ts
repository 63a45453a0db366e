// What a payer, a merchant and a person at a bank are called, and every secret, goes through a whole installation that logs all it can:
// through accepted requests, through calls of providers that fail, and through webhooks that do not arrive. None of it is printed.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { eventually } from '../eventually.ts'
import { freePort } from '../ports.ts'
import { callsOf } from '../rails/pix/bank.ts'
import type { Installation } from './installation.ts'
import { call, type Json } from './merchant.ts'
import { sharedInstallation, talkative } from './shared-installation.ts'

const payer = {
  customerName: 'Conceicao Quiteria',
  customerEmail: 'quiteria.conceicao@example.com',
  customerTaxId: '52998224725',
  customerPhone: '+5511987650123',
  customerAddress: { country: 'BR', region: 'SP', city: 'Pindamonhangaba', line1: 'Rua das Acacias 77' },
}
const planted = {
  iban: 'PT50000201231234567890154',
  key: `vtm_live_a1${'Q'.repeat(36)}`,
  webhookSecret: `whsec_${'Z'.repeat(40)}`,
  word: 'hush-hush-7731',
}
const pixKey = 'benedita.recebedora@example.com'
const searched = [
  ...Object.values(payer).flatMap((value) =>
    typeof value === 'string' ? [value] : ['Pindamonhangaba', 'Acacias'],
  ),
  ...Object.values(planted),
  'Conceicao',
  pixKey,
]

let installation: Installation
let bank: ReturnType<typeof callsOf>
before(async () => {
  installation = await sharedInstallation(talkative)
  bank = callsOf(installation.sandbox().simulators.pixBank)
})

const api = (method: string, path: string, body?: unknown) => call(installation.sandbox(), method, path, body)

/** From here on; other files of this process have printed before. */
const linesSince = (from: number) =>
  installation
    .output()
    .slice(from)
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Json)

async function fail(method: string, path: string, fault: Json): Promise<void> {
  await bank.control('POST', '/faults', { match: { method, path }, times: 1, ...fault })
}

test('accepted payments, refused and failing calls of a bank, and lost webhooks print no secret and nothing of a person', async () => {
  const from = installation.output().length
  const nowhere = `http://127.0.0.1:${await freePort()}/hook?secret=${planted.word}`
  const request = (name: string) => ({
    amount: 2_345,
    currency: 'BRL',
    paymentMethods: ['PIX'],
    idempotencyKey: `private-${name}`,
    description: `Para ${payer.customerName}`,
    metadata: { note: Object.values(planted).join(' '), payer: payer.customerName },
    webhookUrl: nowhere,
    ...payer,
  })
  const accepted = await api('POST', '/v1/payments', request('accepted'))
  assert.deepEqual([accepted.status, accepted.body['status']], [201, 'WAITING_PAYMENT'])

  await fail('PUT', '/cob/', { action: 'status', status: 400 })
  const refused = await api('POST', '/v1/payments', request('refused'))
  assert.deepEqual([refused.status, refused.body['status']], [201, 'FAILED'])
  await fail('PUT', '/cob/', { action: 'reset' })
  const cut = await api('POST', '/v1/payments', request('cut'))
  assert.deepEqual([cut.status, cut.body['code']], [503, 'provider_unavailable'])

  // Paid, so its webhooks go to a server that is not there.
  const paid = await api('POST', `/v1/sandbox/payments/${String(accepted.body['id'])}/pay`, {
    scenario: 'exact',
  })
  assert.equal(paid.status, 202)
  const shown = async (path: string) => (await api('GET', path)).body
  await eventually(
    'it is paid',
    async () => (await shown(`/v1/payments/${String(accepted.body['id'])}`))['status'] === 'PAID',
  )

  await fail('PUT', '/gn/pix/', { action: 'status', status: 500 })
  const withdrawal = await api('POST', '/v1/withdrawals', {
    type: 'PIX',
    amount: 100,
    currency: 'BRL',
    pixKey,
    pixKeyType: 'EMAIL',
    webhookUrl: nowhere,
  })
  assert.equal(withdrawal.status, 201, JSON.stringify(withdrawal.body))

  // The calls did fail, and were told about: otherwise nothing was searched.
  await eventually('the log tells of all that failed', () => {
    const said = linesSince(from).map(({ msg }) => msg)
    return [
      'request',
      'a provider refuses a payment',
      'a provider did not open a payment',
      'a withdrawal has no answer yet',
    ].every((each) => said.includes(each))
  })
  const printed = installation.output().slice(from).toLowerCase()
  for (const value of searched) assert.ok(!printed.includes(value.toLowerCase()), `${value} is in the log`)
  for (const line of linesSince(from))
    assert.ok(
      ['role', 'cell', 'host', 'pid'].every((name) => line[name] !== undefined),
      JSON.stringify(line),
    )
})
