// Local methods over the API: only those that a connection's account has enabled are offered, and any other is refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import { createPaymentCreator } from '#/payments/create.ts'
import { localMethods } from '#/rails/acquirer/methods/all.ts'
import { acquirerModule } from '#/rails/acquirer/module.ts'
import { listRails } from '#/rails/all.ts'
import type { Method } from '#/rails/method.ts'
import { openForTests } from '../open-for-tests.ts'
import { pages } from '../page-hosts.ts'
import { connectionOf } from '../rails/acquirer/acquirer.ts'
import { brazil, europe, payer } from '../rails/acquirer/local.ts'
import { bookOf } from '../rails/rail.ts'
import { assertDocumented } from './document.ts'
import { openApiWorld, type Answer } from './world.ts'

const world = openForTests(openApiWorld)

/** No method opens before the payer is on the page, so nobody answers at this address. */
const apiUrl = 'http://127.0.0.1:9'

/** The API of an installation whose two accounts, in Portugal and in Brazil, have enabled all local methods but these. */
async function without(...missing: readonly Method[]) {
  const connections = [europe, brazil].map((place) => {
    const methods = place.methods.filter((each) => !missing.includes(each as Method))
    return connectionOf(
      { apiUrl, publishableKey: 'pk_test_1', ...place, methods },
      { secretKey: 'sk_test_1' },
    )
  })
  const module = acquirerModule.open({
    connections: bookOf(connections),
    clock: systemClock,
    log: silentLog,
  })
  const rails = listRails(module.rails)
  const { sql, lane } = world
  const creator = createPaymentCreator({
    pages,
    sql,
    rails,
    ledger: lane,
    clock: systemClock,
    log: silentLog,
  })
  const api = await world.openApi({ rails, creator })
  const { key } = await world.openTenant()
  return {
    async post(body: object): Promise<Answer> {
      const answer = await api.ask('POST', '/v1/payments', {
        key,
        body: { amount: 5_000, idempotencyKey: newId(), ...payer, ...body },
      })
      assertDocumented('POST', '/v1/payments', answer)
      return answer
    },
    async [Symbol.asyncDispose]() {
      await creator.close()
      await module.stop()
    },
  }
}

const said = ({ status, body }: Answer) => [status, body['code'], body['detail']]

for (const { method, currency } of localMethods)
  test(`${method} that no account has enabled is not on the checkout, and 422 where it is asked for`, async () => {
    await using shop = await without(method)
    const everything = await shop.post({ currency, checkout: 'default' })
    assert.equal(everything.status, 201, everything.text)
    const offered = everything.body['paymentMethods'] as readonly string[]
    const others = localMethods.filter((each) => each.currency === currency && each.method !== method)
    for (const other of others) assert.ok(offered.includes(other.method), other.method)
    assert.ok(!offered.includes(method))
    const where = method === 'BOLETO' ? ' in Brazil' : ''
    const detail = `No account${where} with ${method} enabled is connected.`
    const alone = await shop.post({ currency, paymentMethods: [method] })
    assert.deepEqual(said(alone), [422, 'method_not_available', detail])
    const onPage = await shop.post({ currency, checkout: 'default', paymentMethods: [method] })
    assert.deepEqual(said(onPage), [
      422,
      'method_not_available',
      `No method of the checkout accepts this payment. ${detail}`,
    ])
  })

test('where all are enabled, each is offered in its currency alone', async () => {
  await using shop = await without()
  for (const currency of ['EUR', 'BRL'] as const) {
    const { body } = await shop.post({ currency, checkout: 'default' })
    const offered = body['paymentMethods'] as readonly string[]
    for (const local of localMethods)
      assert.equal(offered.includes(local.method), local.currency === currency, local.method)
  }
  const wrong = await shop.post({ currency: 'BRL', paymentMethods: ['MULTIBANCO'] })
  assert.deepEqual(said(wrong).slice(0, 2), [422, 'currency_not_supported'])
})
