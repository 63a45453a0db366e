// Payments in USDT, from the outside: HTTP, the chain, and a merchant's own server.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { createRpc } from '#/evm/client.ts'
import { transferCall } from '#/evm/erc20.ts'
import { eventually } from '../eventually.ts'
import type { Installation } from './installation.ts'
import { call, startWebhookServer, type Json, type WebhookServer } from './merchant.ts'
import { networkReportsOf, sharedInstallation } from './shared-installation.ts'

describe('a USDT payment', () => {
  let installation: Installation
  let hooks: WebhookServer

  before(async () => {
    installation = await sharedInstallation()
    hooks = await startWebhookServer(installation.sandbox().webhookSecret)
  })
  after(() => hooks[Symbol.asyncDispose]())

  const api = (method: string, path: string, body?: unknown) =>
    call(installation.sandbox(), method, path, body)
  const create = async (key: string, more: Json = {}) => {
    const body = {
      amount: 1234,
      currency: 'USDT',
      paymentMethods: ['CRYPTO'],
      idempotencyKey: key,
      webhookUrl: hooks.url,
    }
    const answer = await api('POST', '/v1/payments', { ...body, ...more })
    assert.equal(answer.status, 201)
    return answer.body
  }
  const paid = (id: unknown) =>
    eventually(`${String(id)} is PAID`, async () => {
      const { body } = await api('GET', `/v1/payments/${String(id)}`)
      return body['status'] === 'PAID' && body
    })
  const notified = (id: unknown, type: string) =>
    eventually(`the webhook ${type}`, async () =>
      hooks.received.find((each) => each.type === type && each.data['id'] === id),
    )

  test('sent on the chain by any wallet is PAID, credited, and reported by one signed webhook with its transaction', async () => {
    const { chain } = installation.sandbox()
    const created = await create('by-hand', { metadata: { orderId: 'A-1' } })
    assert.deepEqual(
      Object.keys(created).filter((name) => name.startsWith('crypto')),
      [],
    )
    const { body: shown } = await api('GET', `/v1/payments/${String(created['id'])}`)
    assert.equal(shown['cryptoAmount'], '12340000000000000000')

    const rpc = createRpc(chain.rpcUrl, { timeoutMs: 60_000 })
    const address = String(shown['cryptoAddress']).toLowerCase() as `0x${string}`
    const txHash = await rpc.sendTransaction({
      from: chain.faucet.toLowerCase() as `0x${string}`,
      to: chain.usdt.toLowerCase() as `0x${string}`,
      data: transferCall(address, { raw: 12_340_000_000_000_000_000n }),
    })
    rpc.close()

    const payment = await paid(created['id'])
    assert.equal(payment['amountReceived'], 1234)
    const event = await notified(created['id'], 'payment.completed')
    assert.equal(event.data['onchainTxHash'], txHash)
    assert.deepEqual(event.data['metadata'], { orderId: 'A-1' })
    assert.equal(event.data['status'], 'PAID')
    const { body: statement } = await api('GET', '/v1/wallets/statement?currency=USDT')
    const rows = (statement['data'] as Json[]).filter((row) => row['paymentId'] === created['id'])
    assert.deepEqual(
      rows.map((row) => [row['kind'], row['amount']]),
      [['PAYMENT', 1234]],
    )
  })

  test('shows some of its many deposits, and lists all of them on pages, newest first', async () => {
    const { chain } = installation.sandbox()
    const created = await create('many', { amount: 25 })
    const id = String(created['id'])
    const { body: shown } = await api('GET', `/v1/payments/${id}`)
    assert.deepEqual([shown['depositCount'], shown['deposits']], [0, []])
    const address = String(shown['cryptoAddress']).toLowerCase() as `0x${string}`
    const rpc = createRpc(chain.rpcUrl, { timeoutMs: 60_000 })
    const [from, to] = [chain.faucet, chain.usdt].map((each) => each.toLowerCase() as `0x${string}`)
    assert.ok(from !== undefined && to !== undefined)
    const hashes = []
    for (let n = 0; n < 25; n += 1)
      hashes.push(await rpc.sendTransaction({ from, to, data: transferCall(address, { raw: 10n ** 16n }) }))
    rpc.close()
    const payment = await paid(id)
    assert.equal(payment['depositCount'], 25)
    assert.equal((payment['deposits'] as Json[]).length, 10)
    const event = await notified(id, 'payment.completed')
    assert.ok((event.data['deposits'] as Json[]).length <= 10)
    assert.ok(
      (event.data['deposits'] as Json[]).some((each) => each['txHash'] === event.data['onchainTxHash']),
    )
    const all: Json[] = []
    for (let cursor = ''; ;) {
      const page = await api('GET', `/v1/payments/${id}/deposits?limit=10${cursor}`)
      assert.equal(page.status, 200)
      all.push(...(page.body['data'] as Json[]))
      const next = page.body['nextCursor']
      if (typeof next !== 'string') break
      cursor = `&cursor=${next}`
    }
    assert.deepEqual(
      all
        .map((each) => String(each['txHash']))
        .toReversed()
        .sort(),
      hashes.toSorted(),
    )
    const times = all.map((each) => String(each['at']))
    assert.deepEqual(times, times.toSorted().toReversed())
  })

  test('in USD is returned in USD and credited to the USDT wallet one for one', async () => {
    const created = await create('usd', { currency: 'USD', amount: 500 })
    assert.equal(created['currency'], 'USD')
    const before = await usdtBalance()
    const sent = await api('POST', `/v1/sandbox/payments/${String(created['id'])}/pay`, {})
    assert.equal(sent.status, 202, JSON.stringify(sent.body))
    const payment = await paid(created['id'])
    assert.equal(payment['currency'], 'USD')
    assert.equal((await usdtBalance()) - before, 500)
  })

  async function usdtBalance(): Promise<number> {
    const { body } = await api('GET', '/v1/wallets')
    const wallet = (body['data'] as Json[]).find((each) => each['currency'] === 'USDT')
    return Number(wallet?.['balance'])
  }

  for (const { scenario, status, received, exceptions, event } of [
    { scenario: 'exact', status: 'PAID', received: 1234, exceptions: [], event: 'payment.completed' },
    {
      scenario: 'under',
      status: 'WAITING_PAYMENT',
      received: 617,
      exceptions: ['UNDERPAID'],
      event: 'payment.underpaid',
    },
    {
      scenario: 'over',
      status: 'PAID',
      received: 1357,
      exceptions: ['OVERPAID'],
      event: 'payment.completed',
    },
    {
      scenario: 'twice',
      status: 'PAID',
      received: 2468,
      exceptions: ['DUPLICATE'],
      event: 'payment.received_after_close',
    },
    { scenario: 'late', status: 'PAID', received: 1234, exceptions: ['LATE'], event: 'payment.completed' },
    { scenario: 'reorged', status: 'PAID', received: 1234, exceptions: [], event: 'payment.completed' },
  ]) {
    test(`in the scenario ${scenario} ends ${status} with ${received} received`, async () => {
      const created = await create(`scenario-${scenario}`)
      const answer = await api('POST', `/v1/sandbox/payments/${String(created['id'])}/pay`, { scenario })
      assert.equal(answer.status, 202)
      await notified(created['id'], event)
      const payment = await eventually(`${scenario} is settled`, async () => {
        const { body } = await api('GET', `/v1/payments/${String(created['id'])}`)
        return body['amountReceived'] === received && body
      })
      assert.equal(payment['status'], status)
      assert.deepEqual(payment['exceptions'], exceptions)
    })
  }

  test('in an unknown scenario is refused as malformed', async () => {
    const created = await create('scenario-none')
    const answer = await api('POST', `/v1/sandbox/payments/${String(created['id'])}/pay`, {
      scenario: 'never',
    })
    assert.equal(answer.status, 400)
  })

  test('leaves correct books: verify finds no fault', async () => {
    const { code, output } = await installation.run('verify')
    assert.equal(code, 0, output)
  })

  test('makes no network call inside a transaction, from its creation to its webhooks', async () => {
    assert.equal(await installation.stop(), 0)
    const { transactions, calls, violations } = networkReportsOf(installation)
    assert.deepEqual(violations, [])
    // The watcher queries its node all the time, and each payment needs several transactions.
    assert.ok(
      transactions > 50 && calls > 100,
      `${transactions} transactions and ${calls} calls were recorded`,
    )
  })

  test('is deleted with everything else by a reset', async () => {
    await installation.stop()
    const { code, output } = await installation.run('reset')
    assert.equal(code, 0, output)
    assert.deepEqual(readdirSync(installation.dataDir), [])
  })
})
