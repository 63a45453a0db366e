// Load that goes on while servers are killed: payers and a merchant by every method, and what must be true in the end.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { baseUnitsPerCent } from '#/coins/units.ts'
import { createRpc, type Rpc } from '#/evm/client.ts'
import { transferCall, transferGas } from '#/evm/erc20.ts'
import { toTopic } from '#/evm/wire.ts'
import { sleep } from '#/kernel/time.ts'
import { eventually } from '../eventually.ts'
import { acknowledgedBetween, goalOf, reached, startMethodsLoad } from './crash-methods.ts'
import { keptByApp, type PagesLoad } from './crash-pages.ts'
import { betweenPaymentsMs } from './crash-pix.ts'
import type { LoadedInstallation } from './installation.ts'
import { call, type Json, type WebhookServer } from './merchant.ts'

type Hex = `0x${string}`

/** What we acknowledged to the merchant: a 201 for a key is a promise. */
type Promised = { readonly key: string; readonly id: string; readonly amount: number }

export type CrashLoad = {
  /** Waits until each method has acknowledged more payments. */
  goOn(after: string): Promise<void>
  stop(): Promise<void>
  /** After the stop: all that was acknowledged is true, here, at the providers and on the chain, and `verify` finds no fault. */
  holds(t: TestContext): Promise<void>
}

/** Starts the load on a running installation. `stack` ends it. */
export async function startCrashLoad(
  installation: LoadedInstallation,
  stack: AsyncDisposableStack,
): Promise<CrashLoad> {
  const methods = await startMethodsLoad(installation, stack)
  const rpc = createRpc(installation.sandbox().chain.rpcUrl, { timeoutMs: 60_000 })
  stack.defer(() => rpc.close())
  const coins = startLoad(installation, rpc, methods.hooks)
  const stop = async () => {
    await Promise.all([coins.stop(), methods.stop()])
  }
  stack.defer(() => stop().catch(() => {}))
  return {
    stop,
    async goOn(after) {
      const goals = [goalOf('USDT', coins.promised, acknowledgedBetween), ...methods.goals()]
      await reached(after, goals, () => installation.output().slice(-4_000))
    },
    async holds(t) {
      t.diagnostic(
        `${coins.promised.length} payments in USDT acknowledged, ${coins.failures()} calls without an answer`,
      )
      await eventually(
        'the server is ready again',
        async () => (await fetch(`${installation.sandbox().apiUrl}/health/ready`)).ok,
      )
      await promisesHold(installation, coins.promised)
      await methods.holds(t)
      await coinsAreCredited(installation, coins.promised, methods.onPages)
      const { code, output } = await installation.run('verify')
      assert.equal(code, 0, output)
    },
  }
}

/** Payers and a merchant who continue through every crash: a call without an answer is sent again with the same key. */
function startLoad(installation: LoadedInstallation, rpc: Rpc, hooks: WebhookServer) {
  const promised: Promised[] = []
  const ending = new AbortController()
  const stopping = ending.signal
  let failures = 0
  let keys = 0

  async function work(): Promise<void> {
    while (!stopping.aborted) {
      const key = `crash-${keys++}`
      const amount = 100 + (keys % 50)
      const body = {
        amount,
        currency: 'USDT',
        paymentMethods: ['CRYPTO'],
        idempotencyKey: key,
        webhookUrl: hooks.url,
      }
      const created = await persistently(
        () => call(installation.sandbox(), 'POST', '/v1/payments', body),
        201,
      )
      if (created === undefined) return
      promised.push({ key, id: String(created['id']), amount })
      const shown = await persistently(
        () => call(installation.sandbox(), 'GET', `/v1/payments/${String(created['id'])}`),
        200,
      )
      if (shown !== undefined) await pay(installation, rpc, String(shown['cryptoAddress']), amount)
      await sleep(betweenPaymentsMs)
    }
  }

  async function persistently(
    ask: () => Promise<{ status: number; body: Json }>,
    status: number,
  ): Promise<Json | undefined> {
    while (!stopping.aborted) {
      const answer = await ask().catch(() => undefined)
      if (answer?.status === status) return answer.body
      if (answer !== undefined) assert.equal(answer.status, 503, JSON.stringify(answer.body))
      failures += 1
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return undefined
  }

  const workers = [work(), work(), work()]
  return {
    promised,
    failures: () => failures,
    stop: async () => {
      ending.abort()
      await Promise.all(workers)
    },
  }
}

/** One payer after the other: two calls at once could get the same nonce from the node. */
let queue: Promise<unknown> = Promise.resolve()

function pay(installation: LoadedInstallation, rpc: Rpc, address: string, amount: number): Promise<unknown> {
  const { faucet, usdt } = installation.sandbox().chain
  const data = transferCall(address.toLowerCase() as Hex, { raw: BigInt(amount) * baseUnitsPerCent })
  queue = queue.then(() =>
    rpc.sendTransaction({
      from: faucet.toLowerCase() as Hex,
      to: usdt.toLowerCase() as Hex,
      data,
      gas: transferGas,
    }),
  )
  return queue
}

async function promisesHold(installation: LoadedInstallation, promised: readonly Promised[]): Promise<void> {
  for (const { key, id, amount } of promised) {
    const { status, body } = await call(installation.sandbox(), 'GET', `/v1/payments/${id}`)
    assert.equal(status, 200, `${key} was acknowledged as ${id}`)
    assert.equal(body['amount'], amount)
  }
  const { body } = await call(installation.sandbox(), 'GET', '/v1/payments?limit=100')
  assert.ok((body['data'] as Json[]).length > 0)
}

/** Each address received on the chain what its payment reports. The wallet holds the sum and the app's money. */
async function coinsAreCredited(
  installation: LoadedInstallation,
  promised: readonly Promised[],
  onPages: PagesLoad,
): Promise<void> {
  let sum = 0n
  for (const { id } of promised) {
    sum += await eventually(`the coins of ${id} are credited`, async () => {
      const { body } = await call(installation.sandbox(), 'GET', `/v1/payments/${id}`)
      const came = await receivedBy(installation, String(body['cryptoAddress']))
      return BigInt(Number(body['amountReceived'])) * baseUnitsPerCent === came
        ? came / baseUnitsPerCent
        : undefined
    })
  }
  const { body } = await call(installation.sandbox(), 'GET', '/v1/wallets')
  const wallet = (body['data'] as Json[]).find((each) => each['currency'] === 'USDT')
  assert.equal(BigInt(Number(wallet?.['balance'])), sum + BigInt(await keptByApp(installation, onPages)))
  assert.equal(wallet?.['pendingBalance'], 0)
}

/** keccak256 of `Transfer(address,address,uint256)` (EIP-20). */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Everything that an address ever received, as the chain reports it. Its balance may be less after a sweep. */
async function receivedBy(installation: LoadedInstallation, address: string): Promise<bigint> {
  const { rpcUrl, usdt } = installation.sandbox().chain
  const topics = [transferTopic, null, toTopic(address.toLowerCase() as Hex)]
  const filter = { address: usdt, fromBlock: '0x0', toBlock: 'latest', topics }
  const answer = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [filter] }),
  })
  const { result } = (await answer.json()) as { readonly result: readonly { readonly data: Hex }[] }
  return result.reduce((sum, { data }) => sum + BigInt(data), 0n)
}
