// The sandbox's app has answered every call that the rail of wallet apps makes. A call that is added to the client needs its line
// here, or this test fails.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { newId } from '#/kernel/id.ts'
import { addMs, minuteMs, systemClock } from '#/kernel/time.ts'
import { exercise } from '../../../test/client-routes.ts'
import { openForTests } from '../../../test/open-for-tests.ts'
import { startTestWallet } from '../../../test/rails/partner-pay/wallet.ts'
import { createPartnerClient, partnerRoutes } from './client.ts'

const wallet = openForTests(startTestWallet)

const plain = () => newId().replaceAll('-', '')

test('the app answers every call of the client', async (t) => {
  const { secrets, refundSecrets } = await wallet.merchant()
  const { apiUrl } = wallet
  const client = createPartnerClient({ apiUrl, credentials: secrets, clock: systemClock })
  const refunder = createPartnerClient({ apiUrl, credentials: refundSecrets, clock: systemClock })
  t.after(() => Promise.all([client.close(), refunder.close()]))
  const place = async () => {
    const tradeNo = plain()
    const { value } = await client.placeOrder({
      tradeNo,
      amount: 12_34n,
      expiresAt: addMs(systemClock.now(), 30 * minuteMs),
      description: 'Order 7',
      reference: newId(),
      goodsId: plain(),
      pageUrl: 'http://127.0.0.1:4002/c/token',
    })
    return { tradeNo, prepayId: value.prepayId }
  }
  const [open, paid] = [await place(), await place()]
  await wallet.control('POST', `/orders/${paid.prepayId}`, { action: 'confirm' })
  const requestId = plain()
  const refund = { requestId, prepayId: paid.prepayId, amount: 34n, reason: 'one item' }
  await exercise(partnerRoutes, apiUrl, {
    placeOrder: place,
    async findOrder() {
      const byNumber = must(await client.findOrder({ tradeNo: open.tradeNo }), 'it is there')
      assert.equal(byNumber.value.prepayId, open.prepayId)
      must(await client.findOrder({ prepayId: paid.prepayId }), 'it is there')
    },
    closeOrder: () => client.closeOrder(open.tradeNo),
    refund: () => refunder.refund(refund),
    findRefund: async () => must(await refunder.findRefund(requestId), 'it is there'),
    certificates: async () => assert.ok((await client.certificates()).length > 0),
  })
})
