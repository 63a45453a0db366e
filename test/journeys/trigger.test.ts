// Every scenario of `trigger`, at a running sandbox: a few in the quick run, all of them in the soak.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { scenarios } from '#/cli/trigger-scenarios.ts'
import { isSoak } from '../counts.ts'
import type { Installation } from './installation.ts'
import { call } from './merchant.ts'
import { sharedInstallation } from './shared-installation.ts'

let installation: Installation

before(async () => {
  installation = await sharedInstallation()
})

/** The types of the events that each scenario waits for. */
const events: Readonly<Record<string, readonly string[]>> = {
  'pix-paid': ['payment.completed'],
  'pix-underpaid': ['payment.underpaid'],
  'pix-overpaid': ['payment.completed'],
  'pix-twice': ['payment.completed'],
  'pix-late': ['payment.expired', 'payment.completed'],
  'pix-lost-callback': [],
  'pix-med': ['payment.completed', 'dispute.opened'],
  'usdt-paid': ['payment.completed'],
  'usdt-underpaid': ['payment.underpaid'],
  'card-paid': ['payment.completed'],
  'card-challenged': ['payment.completed'],
  'card-declined': [],
  'card-authorised': ['payment.approved'],
  'wallet-app-paid': ['payment.completed'],
  'multibanco-paid': ['payment.completed'],
  'mb-way-declined': [],
  'ideal-paid': ['payment.completed'],
  'boleto-paid': ['payment.completed'],
  'sepa-paid': ['payment.completed'],
  'sepa-typo': [],
  'sepa-twice': ['payment.completed', 'payment.received_after_close'],
  'sepa-withdrawn': ['payment.completed', 'withdrawal.completed'],
  'payment-canceled': ['payment.canceled'],
  'refund-completed': ['payment.completed', 'refund.created', 'refund.completed'],
  'refund-failed': ['payment.completed', 'refund.created', 'refund.completed', 'refund.failed'],
  'dispute-opened': ['payment.completed', 'dispute.opened'],
  'dispute-won': ['payment.completed', 'dispute.opened', 'dispute.won'],
  'dispute-lost': ['payment.completed', 'dispute.opened', 'dispute.lost'],
  'withdrawal-completed': ['payment.completed', 'withdrawal.created', 'withdrawal.completed'],
  'withdrawal-failed': ['payment.completed', 'withdrawal.created', 'withdrawal.failed'],
  'withdrawal-returned': [
    'payment.completed',
    'withdrawal.created',
    'withdrawal.completed',
    'withdrawal.returned',
  ],
}
const quick = [
  'pix-paid',
  'card-declined',
  'boleto-paid',
  'refund-failed',
  'dispute-won',
  'withdrawal-returned',
]

test('every scenario is tried here, and trigger without one lists them', async () => {
  assert.deepEqual(Object.keys(events), Object.keys(scenarios))
  const { code, output } = await installation.run('trigger', '--json')
  assert.equal(code, 0, output)
  const listed = JSON.parse(output) as readonly { readonly name: string; readonly meaning: string }[]
  assert.deepEqual(
    listed.map(({ name }) => name),
    Object.keys(scenarios),
  )
  const table = (await installation.run('trigger')).output
  for (const name of Object.keys(scenarios)) assert.match(table, new RegExp(`^${name} `, 'm'))
})

test('an unknown scenario is refused', async () => {
  const { code, output } = await installation.run('trigger', 'rain')
  assert.equal(code, 2)
  assert.match(output, /There is no scenario rain/)
})

for (const [name, expected] of Object.entries(events).filter(([name]) => isSoak || quick.includes(name)))
  test(`${name} happens, with its events`, async () => {
    const { code, output } = await installation.run('trigger', name, '--json')
    assert.equal(code, 0, output)
    const { scenario, steps } = JSON.parse(output) as {
      readonly scenario: string
      readonly steps: readonly { readonly step: string; readonly type?: string }[]
    }
    assert.equal(scenario, name)
    assert.deepEqual(
      steps.flatMap(({ step, type }) => (step === 'event' ? [type] : [])),
      expected,
    )
  })

test('with a URL the events of what it makes are sent there', async () => {
  const url = `${installation.sandbox().apiUrl}/sandbox/inbox`
  const { code, output } = await installation.run(
    'trigger',
    'payment-canceled',
    '--webhook-url',
    url,
    '--json',
  )
  assert.equal(code, 0, output)
  const { steps } = JSON.parse(output) as {
    readonly steps: readonly { readonly step: string; readonly id: string }[]
  }
  const id = steps.find(({ step }) => step === 'event')?.id
  const { body } = await call(installation.sandbox(), 'GET', `/v1/events/${id}/deliveries`)
  assert.deepEqual(
    (body['data'] as readonly { readonly url: string }[]).map((each) => each.url),
    [url],
  )
})
