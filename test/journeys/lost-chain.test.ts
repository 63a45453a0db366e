// The sandbox's chain is in memory. When the program is killed together with it, the next start builds it again, and everything goes on.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { eventually } from '../eventually.ts'
import { createInstallation } from './installation.ts'
import { call } from './merchant.ts'

const to = {
  cryptoAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
  cryptoNetwork: 'BSC',
  cryptoCurrency: 'USDT',
}

test('after a kill of the server and its chain a start says nothing that a person has to act on, and payments, refills and withdrawals go on', async () => {
  await using installation = await createInstallation()
  await installation.start()
  const api = (method: string, route: string, body?: unknown) =>
    call(installation.sandbox(), method, route, body)
  const reach = (route: string, status: string) =>
    eventually(`${route} is ${status}`, async () => (await api('GET', route)).body['status'] === status)
  const money = { currency: 'USDT' }
  async function pay(amount: number) {
    const request = { ...money, amount, paymentMethods: ['CRYPTO'], idempotencyKey: `pay ${amount}` }
    const { body } = await api('POST', '/v1/payments', request)
    const route = `/v1/payments/${String(body['id'])}`
    const sent = await api('POST', `/v1/sandbox${route.slice(3)}/pay`, { scenario: 'exact' })
    assert.equal(sent.status, 202, JSON.stringify(sent.body))
    await reach(route, 'PAID')
  }
  async function withdraw(amount: number) {
    const answer = await api('POST', '/v1/withdrawals', { ...money, ...to, type: 'CRYPTO', amount })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return `/v1/withdrawals/${String(answer.body['id'])}`
  }

  await pay(10_000)
  // It needs a sweep and a refill, so each wallet has sent something, which no check of its gas may have seen yet.
  await reach(await withdraw(4_000), 'COMPLETED')
  const before = installation.output().length
  const chain = readFileSync(path.join(installation.dataDir, 'chain.json'), 'utf8')
  await installation.kill()
  process.kill((JSON.parse(chain) as { readonly pid: number }).pid, 'SIGKILL')

  await installation.start()
  assert.match(installation.output().slice(before), /The sandbox chain is a new one/)
  await pay(2_000)
  // More than the hot wallet has: only a refill that the treasury can pay for makes it possible.
  await reach(await withdraw(7_000), 'COMPLETED')
  const coins = await installation.run('coins')
  assert.equal(coins.code, 0, coins.output)
  assert.match(coins.output, /Books and chain agree to the base unit/)
  assert.doesNotMatch(coins.output, /^x /m)
  const verified = await installation.run('verify')
  assert.equal(verified.code, 0, verified.output)
  const lines = installation.output().slice(before).split('\n')
  const loud = lines.filter((line) => /"level":"(?:warn|error|fatal)"/.test(line))
  // That the large withdrawal waits for the refill is true.
  assert.deepEqual(
    loud.filter((line) => !line.includes('"waiting":"TOKENS"')),
    [],
  )
})
