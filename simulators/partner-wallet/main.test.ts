import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { closer, startProgram, type Json } from '../kit/harness.ts'
import { isGenuine, merchantWith, openMerchant, startReceiver, terms } from './harness.ts'

const dirs: string[] = []
after(() => {
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true })
})

function freshDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'partner-wallet-'))
  dirs.push(dir)
  return dir
}

const start = (dataDir: string, ...args: readonly string[]) =>
  startProgram('partner-wallet', { dataDir, args: ['--speed', '50', '--tolerance-ms', '10000', ...args] })

test('what was answered survives kill -9, and what was under way continues', async () => {
  const dir = freshDir()
  await using inbox = await startReceiver()
  const first = await start(dir, '--seed', '5')
  const shop = await openMerchant(first.apiUrl)
  await first.control('POST', `/merchants/${shop.apiKey}/webhook`, { url: inbox.url })
  const [paid, open, started] = [
    terms('10'),
    terms('20'),
    terms('30', { orderExpireTime: Date.now() + 500_000 }),
  ]
  const { prepayId } = await shop.data('/v3/order', paid)
  await shop.data('/v3/order', open)
  await shop.data('/v3/order', started)
  await first.control('POST', '/refunds', { mode: 'pending' })
  await first.control('POST', `/orders/${String(prepayId)}`, { action: 'confirm' })
  await inbox.until(1)
  await shop.data('/order/refund', { refundRequestId: 'r1', prepayId, refundAmount: '4' })
  // A webhook that is still to be sent when it dies.
  await first.control('POST', '/webhooks', { mode: 'delay', delaySeconds: 100 })
  await first.control('POST', '/refunds/r1', { outcome: 'succeed' })
  const certificates = await shop.data('/certificates')
  await first.kill('SIGKILL')
  // A torn last line, as if it had died while writing.
  appendFileSync(join(dir, 'journal.jsonl'), '[{"type":"order.created","prepayId":"1')
  const second = await start(dir)
  assert.equal(second.seed, 5)
  const again = merchantWith(second.apiUrl, shop)
  const statusOf = async ({ merchantTradeNo }: Json) =>
    (await again.data('/v2/order/query', { merchantTradeNo }))['status']
  assert.equal(await statusOf(paid), 'REFUNDED')
  assert.equal(await statusOf(open), 'INITIAL')
  assert.deepEqual(await again.data('/certificates'), certificates)
  assert.equal((await again.call('/v3/order', paid)).body['code'], '400201')
  const [, late] = await inbox.until(2)
  assert.ok(late !== undefined && (await isGenuine(again, late)))
  assert.equal(late.body['bizStatus'], 'REFUND_SUCCESS')
  // Expiry continues too.
  await second.control('POST', '/webhooks', { mode: 'normal' })
  await second.control('POST', '/clock', closer(shop.apiKey, 500))
  const [, , ended] = await inbox.until(3)
  assert.equal(ended?.data['merchantTradeNo'], started['merchantTradeNo'])
  assert.equal(await statusOf(started), 'EXPIRED')
  assert.equal(await second.kill('SIGTERM'), 0)
})

test('the same seed gives the same names, and another one others', async () => {
  const course = async (seed: string) => {
    const program = await start(freshDir(), '--seed', seed)
    const shop = await openMerchant(program.apiUrl)
    const { prepayId } = await shop.data('/v3/order', terms())
    await program.control('POST', `/orders/${String(prepayId)}`, { action: 'confirm' })
    const { transactionId, merchantId } = await shop.data('/v2/order/query', { prepayId })
    await program.kill('SIGTERM')
    return [prepayId, transactionId, merchantId]
  }
  const first = await course('7')
  assert.deepEqual(await course('7'), first)
  assert.notDeepEqual(await course('8'), first)
})

test('it ends when its parent’s pipe closes, and refuses invalid options', async () => {
  const program = await start(freshDir())
  assert.equal(await program.leave(), 0)
  for (const wrong of [
    ['--seed', 'x'],
    ['--retry-seconds', '1,a'],
    ['--public-url', 'nowhere'],
  ] as const)
    await assert.rejects(start(freshDir(), ...wrong), /ended with 2/)
})
