// USDT from payment to withdrawal: a payment is received and swept, refills the hot wallet, and funds a withdrawal, also after
// the chain, the signer and the server were killed. At the end books and chain agree to the base unit.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { before, describe, test } from 'node:test'
import { createRpc } from '#/evm/client.ts'
import { must } from '#/kernel/check.ts'
import { minuteMs } from '#/kernel/time.ts'
import { isSoak } from '../counts.ts'
import { eventually } from '../eventually.ts'
import type { Installation } from './installation.ts'
import { call } from './merchant.ts'
import { sharedInstallation } from './shared-installation.ts'

const recipient = '0x52908400098527886E0F7030069857D2E4169EE7'

type SendingWallet = {
  readonly purpose: string
  readonly address: `0x${string}`
  readonly stopped: string | null
}

async function walletNamed(installation: Installation, purpose: string): Promise<SendingWallet> {
  const { output } = await installation.run('coins', 'wallets', '--json')
  const all = JSON.parse(output) as readonly SendingWallet[]
  return must(
    all.find((each) => each.purpose === purpose),
    `there is a ${purpose} wallet`,
  )
}

/** Sends a transfer as a stranger with the key would, and so uses the next nonce. */
async function takeNonce(rpcUrl: string, from: `0x${string}`): Promise<void> {
  const rpc = createRpc(rpcUrl, { timeoutMs: 60_000 })
  try {
    await rpc.call('anvil_impersonateAccount', [from])
    await rpc.sendTransaction({ from, to: from, value: 1n, gas: 21_000n })
  } finally {
    rpc.close()
  }
}

describe('a USDT withdrawal', () => {
  let installation: Installation
  before(async () => {
    installation = await sharedInstallation()
  })

  const api = (method: string, route: string, body?: unknown) =>
    call(installation.sandbox(), method, route, body)

  async function pay(amount: number): Promise<string> {
    const request = {
      amount,
      currency: 'USDT',
      paymentMethods: ['CRYPTO'],
      idempotencyKey: String(process.hrtime.bigint()),
    }
    const { status, body } = await api('POST', '/v1/payments', request)
    assert.equal(status, 201, JSON.stringify(body))
    const sent = await api('POST', `/v1/sandbox/payments/${String(body['id'])}/pay`, { scenario: 'exact' })
    assert.equal(sent.status, 202, JSON.stringify(sent.body))
    let shown: unknown
    await eventually(
      () => `the payment is PAID: ${JSON.stringify(shown)}; ${installation.output().slice(-4_000)}`,
      async () => {
        const now = await api('GET', `/v1/payments/${String(body['id'])}`)
        shown = now.body
        return now.body['status'] === 'PAID'
      },
    )
    return String(body['id'])
  }

  async function withdraw(amount: number): Promise<string> {
    const where = { cryptoAddress: recipient, cryptoNetwork: 'BSC', cryptoCurrency: 'USDT' }
    const { status, body } = await api('POST', '/v1/withdrawals', {
      type: 'CRYPTO',
      amount,
      currency: 'USDT',
      ...where,
    })
    assert.equal(status, 201)
    return String(body['id'])
  }

  const completed = (id: string) =>
    eventually('the withdrawal is COMPLETED', async () => {
      const { body } = await api('GET', `/v1/withdrawals/${id}`)
      return body['status'] === 'COMPLETED' && body
    })

  async function received(): Promise<bigint> {
    const { chain } = installation.sandbox()
    const rpc = createRpc(chain.rpcUrl, { timeoutMs: 60_000 })
    try {
      const data = `0x70a08231${recipient.slice(2).toLowerCase().padStart(64, '0')}` as const
      return BigInt(await rpc.ethCall(chain.usdt.toLowerCase() as `0x${string}`, data))
    } finally {
      rpc.close()
    }
  }

  test('is paid from a received payment, with its transaction', async () => {
    await pay(10_000)
    const body = await completed(await withdraw(4_000))
    assert.match(String(body['txHash']), /^0x[0-9a-f]{64}$/)
    assert.equal(await received(), 4_000n * 10n ** 16n)
  })

  test('a refund goes to the address that the merchant names', async () => {
    const payment = await pay(1_000)
    const before = await received()
    const nowhere = await api('POST', `/v1/payments/${payment}/refunds`, { amount: 300 })
    assert.deepEqual([nowhere.status, nowhere.body['code']], [422, 'refund_exceeds_payment'])
    const ours = { amount: 300, cryptoAddress: installation.sandbox().chain.treasury }
    const refused = await api('POST', `/v1/payments/${payment}/refunds`, ours)
    assert.deepEqual([refused.status, refused.body['code']], [422, 'destination_not_allowed'])
    const request = { amount: 300, cryptoAddress: recipient, idempotencyKey: 'back' }
    const created = await api('POST', `/v1/payments/${payment}/refunds`, request)
    assert.deepEqual([created.status, created.body['cryptoAddress']], [201, recipient])
    // A refund to this address needs the approval of a second key.
    assert.equal(created.body['approvalRequired'], true)
    const approval = `/v1/refunds/${String(created.body['id'])}/approve`
    assert.equal((await api('POST', approval)).status, 403)
    const { apiUrl, merchantId } = installation.sandbox()
    const made = await installation.run(
      'key',
      'create',
      merchantId,
      '--scopes',
      'withdrawals:approve',
      '--json',
    )
    const { key } = JSON.parse(made.output) as { readonly key: string }
    assert.equal((await call({ apiUrl, apiKey: key }, 'POST', approval)).status, 200)
    const done = await eventually('the refund is COMPLETED', async () => {
      const { body } = await api('GET', `/v1/refunds/${String(created.body['id'])}`)
      return body['status'] === 'COMPLETED' && body
    })
    assert.match(String(done['txHash']), /^0x[0-9a-f]{64}$/)
    assert.equal((await received()) - before, 300n * 10n ** 16n)
    const again = await api('POST', `/v1/payments/${payment}/refunds`, request)
    assert.equal(again.body['id'], created.body['id'])
    const shown = await api('GET', `/v1/payments/${payment}`)
    assert.deepEqual([shown.body['amountRefunded'], shown.body['refundStatus']], [300, 'PARTIAL'])
  })

  // A dead worker's claims last for a minute.
  if (isSoak)
    test('survives the end of the server and of the chain', async () => {
      const id = await withdraw(6_000)
      await installation.kill()
      await installation.start()
      await completed(id)
      await pay(700)
      const chainFile = readFileSync(path.join(installation.dataDir, 'chain.json'), 'utf8')
      process.kill((JSON.parse(chainFile) as { readonly pid: number }).pid, 'SIGKILL')
      await completed(await withdraw(700))
      // The new chain does not have the transfers that others received on the lost one.
      assert.equal(await received(), 700n * 10n ** 16n)
    })

  test('leaves books and chain that agree to the base unit', async () => {
    const coins = await installation.run('coins')
    assert.equal(coins.code, 0, coins.output)
    assert.match(coins.output, /Books and chain agree to the base unit/)
    for (const list of [['coins'], ['rescue', 'list']]) {
      const { code, output } = await installation.run(...list, '--json')
      assert.equal(code, 0, output)
      assert.equal(typeof JSON.parse(output), 'object', list.join(' '))
    }
    const verified = await installation.run('verify')
    assert.equal(verified.code, 0, verified.output)
  })

  // The wallet stops only after some time, when it is sure.
  if (isSoak)
    test('a stranger with the key stops the wallet, and an operator lets it continue', async () => {
      const hot = () => walletNamed(installation, 'hot')
      await takeNonce(installation.sandbox().chain.rpcUrl, (await hot()).address)
      await pay(300)
      const id = await withdraw(200)
      // It is sure a minute after the foreign transaction is final.
      await eventually(
        'the wallet is stopped',
        async () => /was never given out/.test((await hot()).stopped ?? ''),
        3 * minuteMs,
      )
      const unwanted = await withdraw(50)
      await eventually('it waits in the queue', async () => {
        const { body } = await api('GET', `/v1/withdrawals/${unwanted}`)
        return body['status'] === 'PROCESSING'
      })
      const canceled = await eventually('it is canceled', async () => {
        const { body } = await api('POST', `/v1/withdrawals/${unwanted}/cancel`)
        return body['status'] === 'CANCELED' && body
      })
      assert.equal(canceled['id'], unwanted)
      const silent = await installation.run('coins', 'lift', (await hot()).address)
      assert.deepEqual([silent.code, /--reason is missing/.test(silent.output)], [2, true], silent.output)
      assert.equal((await api('GET', `/v1/withdrawals/${id}`)).body['status'], 'PROCESSING')
      const lifted = await installation.run(
        'coins',
        'lift',
        (await hot()).address,
        '--reason',
        'It was a test',
      )
      assert.equal(lifted.code, 0, lifted.output)
      await completed(id)
      const late = await installation.run('withdrawal', 'stop', id, '--reason', 'Too late')
      assert.equal(late.code, 2, late.output)
    })
})
