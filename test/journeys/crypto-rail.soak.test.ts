// The sandbox's chain is a process that can die at any moment. Credited money stays credited, its coins come back, and
// payments continue, without an operator. The quick run tests the same rules in `laws/watcher` and `sandbox/chain`.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Address } from '#/evm/address.ts'
import { createRpc, type Rpc } from '#/evm/client.ts'
import { toTopic } from '#/evm/wire.ts'
import { count } from '../counts.ts'
import { eventually } from '../eventually.ts'
import type { Installation } from './installation.ts'
import { call, type Json } from './merchant.ts'
import { sharedInstallation, withoutSweeps } from './shared-installation.ts'

const kills = count({ quick: 4, soak: 40 })

test('the chain is killed again and again: balances stay, coins come back, payments continue', async (t) => {
  const installation = await sharedInstallation(withoutSweeps)
  const { chain } = installation.sandbox()
  const rpc = createRpc(chain.rpcUrl, { timeoutMs: 60_000 })
  const paid: string[] = []
  for (let round = 0; round < kills; round++) {
    const id = await createAndPay(installation, `round-${round}`)
    paid.push(id)
    // The kill comes at rest, while a payment is on its way, or in the middle of the rebuild.
    if (round % 2 === 0) await isPaid(installation, id)
    await killChain(installation)
    await new Promise((resolve) => setTimeout(resolve, (round * 389) % 1_300))
    if (round % 3 === 1) await killChain(installation)
  }
  const last = await createAndPay(installation, 'the last')
  await isPaid(installation, last)
  paid.push(last)
  let sum = 0
  for (const id of paid) {
    const payment = await settled(installation, id)
    const received = Number(payment['amountReceived'])
    const address = String(payment['cryptoAddress']).toLowerCase() as Address
    assert.equal(
      await unitsAt(rpc, chain.usdt.toLowerCase() as Address, address),
      BigInt(received) * 10n ** 16n,
    )
    sum += received
  }
  const { body } = await call(installation.sandbox(), 'GET', '/v1/wallets/balance')
  const usdt = (body['data'] as Json[]).find(({ currency }) => currency === 'USDT')
  assert.deepEqual([usdt?.['balance'], usdt?.['pendingBalance']], [sum, 0])
  rpc.close()
  const { code, output } = await installation.run('verify')
  assert.equal(code, 0, output)
  t.diagnostic(
    `${kills} kills, ${sum / 1_234} of ${paid.length} payments were final before their chain was gone`,
  )
})

/** Pays as soon as the chain is ready; until then the answer is a 503 that says so. */
async function createAndPay(installation: Installation, key: string): Promise<string> {
  const request = { amount: 1_234, currency: 'USDT', paymentMethods: ['CRYPTO'], idempotencyKey: key }
  const { body } = await call(installation.sandbox(), 'POST', '/v1/payments', request)
  const id = String(body['id'])
  await eventually('it can be paid', async () => {
    const { status, body } = await call(installation.sandbox(), 'POST', `/v1/sandbox/payments/${id}/pay`, {})
    assert.ok(
      status === 202 || (status === 503 && body['code'] === 'provider_unavailable'),
      JSON.stringify(body),
    )
    return status === 202
  })
  return id
}

function isPaid(installation: Installation, id: string): Promise<Json> {
  return eventually('it is paid', async () => {
    const { body } = await call(installation.sandbox(), 'GET', `/v1/payments/${id}`)
    return body['status'] === 'PAID' && body
  })
}

/** Waits until the payment is credited, or its transfer was lost with its chain; returns the payment. */
function settled(installation: Installation, id: string): Promise<Json> {
  return eventually('it is settled', async () => {
    const { body } = await call(installation.sandbox(), 'GET', `/v1/payments/${id}`)
    const deposits = body['deposits'] as { final: boolean }[]
    const isBooked = Number(body['amountReceived']) === deposits.length * 1_234
    return deposits.every(({ final }) => final) && isBooked && body
  })
}

/** Sends SIGKILL to the process that the product started. */
async function killChain({ dataDir }: Installation): Promise<void> {
  const pid = await eventually('the chain runs', async () => {
    const chain = JSON.parse(readFileSync(join(dataDir, 'chain.json'), 'utf8')) as { pid: number }
    return chain.pid
  })
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The chain is being replaced at this moment: one kill less.
  }
}

async function unitsAt(rpc: Rpc, token: Address, holder: Address): Promise<bigint> {
  return BigInt(await rpc.ethCall(token, `0x70a08231${toTopic(holder).slice(2)}`))
}
