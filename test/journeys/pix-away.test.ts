// PIX while the bank, its webhooks or our server is away. And which callers the address for callbacks accepts.
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request as httpsRequest } from 'node:https'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { soakTest } from '../counts.ts'
import { eventually } from '../eventually.ts'
import { freePorts } from '../ports.ts'
import { callsOf, startPixBank, type BankSecrets } from '../rails/pix/bank.ts'
import type { Installation } from './installation.ts'
import { call, startWebhookServer, type Answer, type Json, type WebhookServer } from './merchant.ts'
import { bankOf } from './processes.ts'
import { behindProxy, sharedInstallation } from './shared-installation.ts'

describe('PIX while something is away', () => {
  let installation: Installation
  let hooks: WebhookServer
  let bank: ReturnType<typeof callsOf>
  let keys = 0

  before(async () => {
    installation = await sharedInstallation(behindProxy)
    hooks = await startWebhookServer(installation.sandbox().webhookSecret)
    bank = callsOf(installation.sandbox().simulators.pixBank)
  })
  after(() => hooks[Symbol.asyncDispose]())

  const api = (method: string, path: string, body?: unknown) =>
    call(installation.sandbox(), method, path, body)
  const get = async (path: string) => (await api('GET', path)).body
  const request = (): Json => ({
    amount: 1234,
    paymentMethods: ['PIX'],
    idempotencyKey: `away-${++keys}`,
    webhookUrl: hooks.url,
  })
  const create = async (): Promise<Json> => {
    const answer = await api('POST', '/v1/payments', request())
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body
  }
  const pay = async ({ pixCopyPaste }: Json) => bank.control('POST', '/pay', { copyPaste: pixCopyPaste })
  const isPaid = ({ id }: Json) =>
    eventually(`${String(id)} is PAID`, async () => {
      const payment = await get(`/v1/payments/${String(id)}`)
      return payment['status'] === 'PAID' && payment
    })
  const balance = async () => {
    const { data } = await get('/v1/wallets/balance')
    return Number((data as Json[]).find(({ currency }) => currency === 'BRL')?.['balance'])
  }
  const chargesNow = async () => (await bank.charges()).length

  test('a bank that is too slow gives 503, the payment is kept, and the same key leads to one charge', async () => {
    const before = await chargesNow()
    // Much longer than our timeout: on a busy machine calls are cut off late.
    const fault = { match: { method: 'PUT', path: '/cob/' }, action: 'delay', delayMs: 15_000, times: 1 }
    await bank.control('POST', '/faults', fault)
    const body = request()
    const slow = await api('POST', '/v1/payments', body)
    assert.deepEqual([slow.status, slow.body['code']], [503, 'provider_unavailable'])
    assert.ok(Number(slow.headers.get('retry-after')) > 0)
    const kept = await get(`/v1/payments/${String(slow.body['paymentId'])}`)
    assert.deepEqual([kept['status'], kept['pixCopyPaste']], ['PENDING', undefined])
    const again = await api('POST', '/v1/payments', body)
    assert.deepEqual([again.status, again.body['status']], [201, 'WAITING_PAYMENT'])
    assert.equal(again.body['id'], slow.body['paymentId'])
    await eventually('the slow call has done its work too', async () => {
      const [charge] = await bank.charges()
      return charge !== undefined && charge.revisao > 0
    })
    assert.equal(await chargesNow(), before + 1)
    await pay(again.body)
    await isPaid(again.body)
  })

  // The quick run has two servers in contract/idempotency, and the bank's one charge in pix-payment.
  soakTest(
    'a hundred calls with one key at two API processes are one payment, one charge, one answer',
    async () => {
      await using other = await startApi(installation)
      const charges = await chargesNow()
      // A separate API process has no sandbox, and sends webhooks to public addresses only.
      const { webhookUrl: _, ...body } = request()
      const answers: Answer[] = await Promise.all(
        Array.from({ length: 100 }, (_each, n) => {
          const { apiKey, apiUrl } = installation.sandbox()
          return call({ apiKey, apiUrl: n % 2 === 0 ? apiUrl : other.apiUrl }, 'POST', '/v1/payments', body)
        }),
      )
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
      assert.equal(new Set(answers.map((each) => JSON.stringify(each.body))).size, 1)
      assert.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1)
      assert.equal(await chargesNow(), charges + 1)
      await pay(answers[0]?.body ?? assert.fail())
      await isPaid(answers[0]?.body ?? assert.fail())
    },
  )

  test('every paid charge is credited once although all webhooks are lost, and the bank and our server are killed', async () => {
    const before = await balance()
    await bank.control('POST', '/webhooks', { lose: true })
    const payments = await Promise.all(Array.from({ length: 9 }, create))
    const [first, second, third, unpaid] = [0, 3, 6, 8].map((from, index, all) =>
      payments.slice(from, all[index + 1]),
    )
    for (const payment of first ?? []) await pay(payment)
    process.kill(
      (await eventually('the bank runs', async () => bankOf(installation.dataDir))) ?? 0,
      'SIGKILL',
    )
    for (const payment of second ?? [])
      await eventually('the bank is back', () =>
        pay(payment).then(
          () => true,
          () => false,
        ),
      )
    // Paid just before we kill the server, so no server receives the callbacks.
    for (const payment of third ?? []) await pay(payment)
    await installation.kill()
    await installation.start()
    const paid = [...(first ?? []), ...(second ?? []), ...(third ?? [])]
    for (const payment of paid) {
      const shown = await isPaid(payment)
      assert.deepEqual([shown['amountReceived'], shown['exceptions']], [1234, []])
    }
    assert.equal(await balance(), before + paid.length * 1234)
    for (const { id } of paid) {
      await eventually('the merchant is notified', async () =>
        hooks.received.some(({ data }) => data['id'] === id),
      )
      const notified = new Set(
        hooks.received
          .filter(({ data }) => data['id'] === id)
          .map(({ id: event, type }) => `${event} ${type}`),
      )
      assert.equal(notified.size, 1)
    }
    for (const { id } of unpaid ?? [])
      assert.equal((await get(`/v1/payments/${String(id)}`))['status'], 'WAITING_PAYMENT')
    await bank.control('POST', '/webhooks', { lose: false })
  })

  test('a refund that the bank has not decided stays PENDING, and is COMPLETED when the bank ends it', async () => {
    const payment = await create()
    await pay(payment)
    await isPaid(payment)
    await bank.control('POST', '/refunds', { mode: 'pending' })
    const { status, body } = await api('POST', `/v1/payments/${String(payment['id'])}/refunds`, {
      amount: 200,
    })
    assert.deepEqual([status, body['status']], [201, 'PENDING'])
    const [charge] = await bank.charges()
    const [pix] = charge?.pix ?? []
    const name = String(body['id']).replaceAll('-', '')
    await eventually('the bank ends it', () =>
      bank.control('POST', `/refunds/${pix?.endToEndId}/${name}`, { status: 'DEVOLVIDO' }).then(
        () => true,
        () => false,
      ),
    )
    await bank.control('POST', '/refunds', { mode: 'done' })
    const done = await eventually('it is COMPLETED', async () => {
      const refund = await get(`/v1/refunds/${String(body['id'])}`)
      return refund['status'] === 'COMPLETED' && refund
    })
    assert.ok(done['completedAt'] !== undefined)
    await eventually('both events were delivered', async () => {
      const notified = hooks.received.filter(({ data }) => data['id'] === body['id']).map(({ type }) => type)
      return notified.includes('refund.created') && notified.includes('refund.completed')
    })
  })

  test('the address for callbacks accepts only the bank, or our proxy if it has verified the bank', async () => {
    const { output } = await installation.run('connection', 'list', '--json')
    const [{ id } = assert.fail('there is a connection')] = (
      JSON.parse(output) as { id: string; method: string }[]
    ).filter(({ method }) => method === 'PIX')
    const base = `https://127.0.0.1:${installation.port + 3}/callbacks/pix`
    const own = await bank.customer()
    await using elsewhere = await startPixBank()
    const stranger = await elsewhere.customer()
    assert.equal(await callback(`${base}/${id}/pix`), 403)
    assert.equal(await callback(`${base}/${id}/pix`, stranger.secrets), 403)
    assert.equal(await callback(`${base}/${id}/pix`, own.secrets), 200)
    assert.equal(await callback(`${base}/a1-019a0000-0000-7000-8000-000000000001/pix`, own.secrets), 404)

    const proxied = async (path: string, verified?: string) => {
      const headers = verified === undefined ? {} : { 'x-client-verify': verified }
      const url = `${installation.sandbox().apiUrl}/callbacks/pix/${path}`
      const answer = await fetch(url, { method: 'POST', headers, body: '{"pix":[]}' })
      return answer.status
    }
    assert.equal(await proxied(`${id}/pix`, 'SUCCESS'), 200)
    assert.equal(await proxied(`${id}/pix`, 'NONE'), 403)
    assert.equal(await proxied(`${id}/pix`), 403)
    assert.equal(await proxied('a1-019a0000-0000-7000-8000-000000000001/pix', 'SUCCESS'), 404)
  })

  test('leaves correct books: verify finds no fault', async () => {
    const { code, output } = await installation.run('verify')
    assert.equal(code, 0, output)
  })
})

function callback(url: string, caller?: BankSecrets): Promise<number> {
  return new Promise((resolve, reject) => {
    const tls = caller === undefined ? {} : { cert: caller.certificate, key: caller.privateKey }
    const options = { method: 'POST', rejectUnauthorized: false, agent: false, ...tls }
    const asking = httpsRequest(url, options, (answer) => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode ?? 0))
    })
    asking.once('error', reject)
    asking.end('{"pix":[]}')
  })
}

/** Another API process on the database of this installation: an operator may run several. */
async function startApi({
  dataDir,
  databaseUrl,
}: Installation): Promise<AsyncDisposable & { readonly apiUrl: string }> {
  const own = await freePorts([0, 1, 2, 3, 4])
  const keyOf = (name: string) => readFileSync(join(dataDir, 'keys', name), 'utf8').trim()
  const child: ChildProcess = spawn(
    process.execPath,
    [new URL('../../src/main.ts', import.meta.url).pathname, 'api'],
    {
      env: {
        ...process.env,
        PORT: String(own),
        DATABASE_URL: await databaseUrl(),
        VINTEM_DATA_DIR: dataDir,
        VINTEM_SANDBOX: 'off',
        VINTEM_DRAIN_SECONDS: '0',
        VINTEM_MASTER_KEY: keyOf('master.key'),
        VINTEM_AUDIT_KEY: keyOf('audit.key'),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const apiUrl = `http://127.0.0.1:${own}`
  await eventually('the other API answers', async () =>
    fetch(`${apiUrl}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return {
    apiUrl,
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}
