// A payment that is split in three, as its platform, its seller, the bank and the payer play it.
import assert from 'node:assert/strict'
import { eventually } from '../eventually.ts'
import type { Installation } from './installation.ts'
import { call, startWebhookServer, type Answer, type Json } from './merchant.ts'

/** What the journeys of PIX do. */
type Stage = {
  readonly installation: Installation
  api(method: string, path: string, body?: unknown): Promise<Answer>
  get(path: string): Promise<Json>
  create(more: Json): Promise<Json>
  pay(id: unknown, scenario: string): Promise<unknown>
  until(id: unknown, what: string, isSo: (payment: Json) => boolean): Promise<Json>
  notified(id: unknown, type: string): Promise<unknown>
  bank(method: string, path: string, body?: unknown): Promise<Json>
  wallet(): Promise<Json>
}

export async function playSplit({
  installation,
  api,
  get,
  create,
  pay,
  until,
  notified,
  bank,
  wallet,
}: Stage): Promise<void> {
  const made = async (name: string) => (await api('POST', '/v1/sub-accounts', { name })).body['id']
  const subs = [await made('Bea'), await made('Caio'), await made('Davi')]
  const [seller] = subs
  // A key of its own, which its parent did not make, and an endpoint of its own.
  const issued = await installation.run('key', 'create', String(seller), '--json')
  assert.equal(issued.code, 0, issued.output)
  const own = { ...installation.sandbox(), apiKey: String((JSON.parse(issued.output) as Json)['key']) }
  let secret = ''
  await using receiver = await startWebhookServer(() => secret)
  const endpoint = await call(own, 'POST', '/v1/webhook-endpoints', { url: receiver.url })
  assert.equal(endpoint.status, 201, JSON.stringify(endpoint.body))
  secret = String(endpoint.body['secret'])
  const before = Number((await wallet())['balance'])
  const third = (subAccountId: unknown) => ({ subAccountId, percent: '33.33', label: 'Pedido' })
  const paidSplit = async (splits: readonly Json[], amount: number) => {
    const { id } = await create({ amount, splits })
    await pay(id, 'exact')
    await until(id, 'PAID', (payment) => payment['status'] === 'PAID')
    return id
  }
  const id = await paidSplit(subs.map(third), 10_000)
  const { data } = await get(`/v1/payments/${String(id)}/shares`)
  assert.deepEqual(
    (data as readonly Json[]).map((share) => share['amountCredited']),
    [3_333, 3_333, 3_333],
  )
  assert.equal(Number((await wallet())['balance']), before + 1)

  const withdrawal = {
    type: 'PIX',
    amount: 3_333,
    currency: 'BRL',
    pixKey: 'bea@example.com',
    pixKeyType: 'EMAIL',
  }
  assert.equal((await call(own, 'POST', '/v1/withdrawals', withdrawal)).status, 403)
  const { code, output } = await installation.run(
    'merchant',
    'activate',
    String(seller),
    '--reason',
    'papers seen',
  )
  assert.equal(code, 0, output)
  assert.equal((await call(own, 'POST', '/v1/withdrawals', withdrawal)).status, 201)
  const refused = await api('POST', `/v1/payments/${String(id)}/refunds`, {})
  assert.deepEqual([refused.status, refused.body['subAccountId']], [422, seller])

  const { endToEndIds } = await get(`/v1/payments/${String(id)}`)
  const [endToEndId] = endToEndIds as readonly string[]
  const med = await bank('POST', '/_sim/med', { endToEndId, outcome: 'EM_PROCESSAMENTO' })
  await notified(id, 'dispute.opened')
  const balanceOf = async (path = '/v1/wallets/balance') => {
    const { body } = await call(own, 'GET', path)
    return (body['data'] as readonly Json[]).find((each) => each['currency'] === 'BRL') ?? {}
  }
  assert.deepEqual([(await balanceOf())['balance'], (await balanceOf())['owedToParent']], [0, 3_333])
  assert.equal((await wallet())['owedBySubAccounts'], 3_333)
  // Its next share repays what it owes, and is more than that.
  await paidSplit([{ subAccountId: seller, amount: 4_000 }], 5_000)
  assert.deepEqual([(await balanceOf())['balance'], (await balanceOf())['owedToParent']], [667, undefined])
  assert.equal((await wallet())['owedBySubAccounts'], undefined)
  await bank('POST', `/_sim/refunds/${endToEndId}/${String(med['id'])}`, { status: 'NAO_REALIZADO' })
  await notified(id, 'dispute.won')
  assert.equal((await balanceOf())['balance'], 4_000)
  assert.equal(Number((await wallet())['balance']), before + 1 + 1_000)

  // Its parent takes by its grant, and no more.
  const mine = async (who: typeof own) =>
    String(
      ((await call(who, 'GET', '/v1/wallets')).body['data'] as readonly Json[]).find(
        (each) => each['currency'] === 'BRL',
      )?.['id'],
    )
  const take = async (amount: number) =>
    api('POST', '/v1/transfers', {
      fromSubAccountId: seller,
      toWalletId: await mine(installation.sandbox()),
      amount,
    })
  assert.equal((await take(500)).status, 422)
  const grant = await call(own, 'POST', '/v1/transfer-grants', { currency: 'BRL', maxAmount: 500 })
  assert.equal(grant.status, 201, JSON.stringify(grant.body))
  assert.equal((await take(501)).status, 422)
  assert.equal((await take(500)).status, 201)
  assert.equal((await balanceOf())['balance'], 3_500)

  // It got the events of all this, signed with its own secret and numbered without gaps, and no other events.
  await eventually('the last webhook', async () =>
    receiver.received.some(({ type, data }) => type === 'transfer.completed' && data['toParent'] === true),
  )
  const numbered = receiver.received.toSorted(
    (a, b) => Number(a.body['sequence']) - Number(b.body['sequence']),
  )
  const first = Number(numbered[0]?.body['sequence'])
  assert.deepEqual(
    numbered.map(({ body }) => body['sequence']),
    numbered.map((_, nth) => first + nth),
  )
  const shares = numbered.filter(({ type }) => type.startsWith('share.'))
  assert.deepEqual(
    shares.map(({ type, data }) => [type, data['amountCredited'], data['label']]),
    [
      ['share.credited', 3_333, 'Pedido'],
      ['share.returned', 0, 'Pedido'],
      ['share.credited', 4_000, undefined],
      ['share.credited', 3_333, 'Pedido'],
    ],
  )
  assert.equal(receiver.refused(), 0)
  for (const { body } of numbered)
    assert.ok(!JSON.stringify(body).includes(String(id)), 'the payment is not told')
}
