// A freeze, from the outside: while payouts and refunds wait, no money leaves the bank; afterwards each leaves once.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { isSoak } from '../counts.ts'
import { eventually } from '../eventually.ts'
import { callsOf } from '../rails/pix/bank.ts'
import type { Installation } from './installation.ts'
import { call, type Json } from './merchant.ts'
import { sharedInstallation } from './shared-installation.ts'

describe('a frozen installation', () => {
  let installation: Installation
  let bank: ReturnType<typeof callsOf>
  let keys = 0
  before(async () => {
    installation = await sharedInstallation()
    bank = callsOf(installation.sandbox().simulators.pixBank)
  })

  const api = (method: string, path: string, body?: unknown) =>
    call(installation.sandbox(), method, path, body)

  async function paid(amount: number): Promise<string> {
    const request = { amount, paymentMethods: ['PIX'], idempotencyKey: `freeze-${++keys}` }
    const { body } = await api('POST', '/v1/payments', request)
    await bank.control('POST', '/pay', { copyPaste: body['pixCopyPaste'] })
    await eventually('the payment is PAID', async () => {
      const shown = await api('GET', `/v1/payments/${String(body['id'])}`)
      return shown.body['status'] === 'PAID'
    })
    return String(body['id'])
  }

  const withdraw = (idempotencyKey: string) =>
    api('POST', '/v1/withdrawals', {
      type: 'PIX',
      amount: 300,
      currency: 'BRL',
      pixKey: 'ana@example.com',
      pixKeyType: 'EMAIL',
      idempotencyKey,
    })

  async function command(...args: readonly string[]): Promise<string> {
    const { code, output } = await installation.run(...args)
    assert.equal(code, 0, output)
    return output
  }

  /** What left the bank. */
  async function left(): Promise<{ readonly payouts: number; readonly returns: number }> {
    const { events } = await bank.control('GET', '/events?limit=10000')
    const payouts = (events as readonly Json[]).filter(({ type }) => type === 'payout.accepted')
    const charges = await bank.charges()
    const returns = charges.flatMap(({ pix }) => pix ?? []).flatMap(({ devolucoes }) => devolucoes ?? [])
    return { payouts: payouts.length, returns: returns.length }
  }

  const ended = async (path: string) => {
    await eventually(
      `${path} is COMPLETED`,
      async () => (await api('GET', path)).body['status'] === 'COMPLETED',
    )
  }

  test('sends no money, receives money, and after the freeze sends each payout once', async () => {
    const payments = [await paid(5_000), await paid(5_000)]
    // The bank refuses everything, so that no money has left when the operator freezes.
    for (const path of ['/devolucao/', '/gn/pix/'])
      await bank.control('POST', '/faults', {
        match: { method: 'PUT', path },
        action: 'status',
        status: 429,
        times: 1_000,
      })
    const paths: string[] = []
    for (const payment of payments) {
      const refund = await api('POST', `/v1/payments/${payment}/refunds`, { amount: 200 })
      assert.equal(refund.status, 201, JSON.stringify(refund.body))
      const withdrawal = await withdraw(`out-${payment}`)
      assert.equal(withdrawal.status, 201, JSON.stringify(withdrawal.body))
      paths.push(
        `/v1/refunds/${String(refund.body['id'])}`,
        `/v1/withdrawals/${String(withdrawal.body['id'])}`,
      )
    }
    await command('freeze', 'merchant', installation.sandbox().merchantId, '--reason', 'a stolen key')
    await bank.control('DELETE', '/faults')
    const refused = [await withdraw('later'), await api('POST', `/v1/payments/${payments[0]}/refunds`, {})]
    for (const { status, body } of refused) assert.deepEqual([status, body['code']], [403, 'frozen'])
    if (isSoak) {
      await installation.stop()
      await installation.start()
    }
    // Workers still run: money comes in.
    await paid(100)
    await paid(100)
    assert.deepEqual(await left(), { payouts: 0, returns: 0 })
    assert.match(await command('freeze', 'list'), /a stolen key/)

    await command('unfreeze', 'merchant', installation.sandbox().merchantId, '--reason', 'new keys')
    for (const path of paths) await ended(path)
    assert.deepEqual(await left(), { payouts: 2, returns: 2 })
    assert.equal((await withdraw(`out-${payments[0]}`)).headers.get('idempotent-replayed'), 'true')
    await command('merchant', 'suspend', installation.sandbox().merchantId, '--reason', 'fraud')
    const request = { amount: 100, paymentMethods: ['PIX'], idempotencyKey: 'suspended' }
    const { status, body } = await api('POST', '/v1/payments', request)
    assert.deepEqual([status, body['code']], [403, 'merchant_suspended'])
    await command('merchant', 'resume', installation.sandbox().merchantId, '--reason', 'cleared')
    assert.equal((await api('POST', '/v1/payments', request)).status, 201)
    await command('verify')
  })
})
