// The sandbox's acquirer has answered every call that the card rail makes. A call that is added to the client needs its line
// here, or this test fails.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { newId } from '#/kernel/id.ts'
import { addMs, hourMs, systemClock } from '#/kernel/time.ts'
import { exercise } from '../../../test/client-routes.ts'
import { openForTests } from '../../../test/open-for-tests.ts'
import { startTestAcquirer } from '../../../test/rails/acquirer/acquirer.ts'
import { cardRoutes, createCardClient, type CardClient, type Form } from './client.ts'

const acquirer = openForTests(startTestAcquirer)

const span = { from: addMs(systemClock.now(), -hourMs), to: addMs(systemClock.now(), hourMs) }

function formOf(attempt: string, more: Form = {}): Form {
  const item = 'line_items[0][price_data]'
  return {
    mode: 'payment',
    ui_mode: 'embedded_page',
    redirect_on_completion: 'never',
    client_reference_id: attempt,
    'metadata[attempt_id]': attempt,
    'payment_intent_data[metadata][attempt_id]': attempt,
    'line_items[0][quantity]': '1',
    [`${item}[currency]`]: 'eur',
    [`${item}[unit_amount]`]: '1990',
    [`${item}[product_data][name]`]: 'Order 7',
    ...more,
  }
}

function localForm(attempt: string): Form {
  return {
    amount: '1990',
    currency: 'eur',
    confirm: 'true',
    'allowed_payment_method_types[0]': 'ideal',
    'payment_method_data[type]': 'ideal',
    return_url: 'https://shop.example',
    'metadata[attempt_id]': attempt,
  }
}

/** A shop's clients: one with the key that collects money, one with the key that refunds it. */
async function shop() {
  const { secretKey, refundKey } = await acquirer.control('accounts', { name: 'Loja' })
  const clientOf = (key: unknown) => createCardClient({ apiUrl: acquirer.apiUrl, secretKey: String(key) })
  const [client, refunder] = [clientOf(secretKey), clientOf(refundKey)]
  const paid = async (more: Form = {}) => {
    const attempt = newId<'attempt'>()
    const { value } = await client.createSession(formOf(attempt, more), attempt)
    const { paymentIntent } = await acquirer.control('pay', { session: value.id, card: 'success' })
    return String(paymentIntent)
  }
  return {
    client,
    refunder,
    paid,
    held: () => paid({ 'payment_intent_data[capture_method]': 'manual' }),
    async [Symbol.asyncDispose]() {
      await client.close()
      await refunder.close()
    },
  }
}

const present = async (found: Promise<unknown>) => must(await found, 'it is there')

async function all(pages: ReturnType<CardClient['listEvents']>): Promise<number> {
  let count = 0
  for await (const page of pages) count += page.length
  return count
}

test('every call of the card client is answered by the acquirer', async () => {
  await using clients = await shop()
  const { client, refunder, paid, held } = clients
  const attempt = newId<'attempt'>()
  const { value: session } = await client.createSession(formOf(attempt), attempt)
  const intent = await paid()
  const refundForm = { payment_intent: intent, amount: '10', 'metadata[refund_id]': newId() }
  const { value: refund } = await refunder.createRefund(refundForm, newId())
  const dispute = String((await acquirer.control('disputes', { paymentIntent: await paid() }))['id'])
  await exercise(cardRoutes, acquirer.apiUrl, {
    createSession: () => client.createSession(formOf(newId()), newId()),
    listSessions: async () =>
      assert.equal((await client.findSession(attempt, span.from))?.value.id, session.id),
    getSession: () => present(client.getSession(session.id)),
    expireSession: () => client.expireSession(session.id),
    createIntent: () => client.createIntent(localForm(newId()), newId()),
    listIntents: async () => {
      const own = newId<'attempt'>()
      const { value } = await client.createIntent(localForm(own), own)
      assert.equal((await client.findIntent(own, span.from))?.value.id, value.id)
    },
    getAccount: async () => {
      const { id, capabilities } = await client.getAccount()
      assert.match(id, /^acct_/)
      assert.equal(id, (await refunder.getAccount()).id, 'both keys open one account')
      assert.equal(capabilities['ideal_payments'], 'active')
    },
    getIntent: () => present(client.getIntent(intent)),
    captureIntent: async () => present(client.captureIntent(await held(), 500n)),
    cancelIntent: async () => present(client.cancelIntent(await held())),
    createRefund: () => refunder.createRefund({ ...refundForm, 'metadata[refund_id]': newId() }, newId()),
    listRefunds: async () => {
      assert.equal((await client.listRefunds(intent, true)).length, 2)
      assert.equal((await refunder.listRefunds(intent, false)).length, 2)
    },
    getRefund: () => present(client.getRefund(refund.id)),
    getDispute: () => present(client.getDispute(dispute)),
    closeDispute: () => present(client.closeDispute(dispute)),
    submitEvidence: async () => {
      const other = String((await acquirer.control('disputes', { paymentIntent: await paid() }))['id'])
      await present(client.submitEvidence(other, { submit: 'true' }, newId()))
    },
    uploadFile: () =>
      client.uploadFile({ name: 'a.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF-1.7') }, newId()),
    listEvents: async () => {
      assert.ok((await all(client.listEvents(span, []))) > 0)
      assert.ok((await all(client.listEvents(span, ['payment_intent.succeeded']))) > 0)
    },
  })
})
