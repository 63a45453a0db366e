import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { closer, startProgram } from '../kit/harness.ts'
import { clientsOf, startReceiver, terms } from './harness.ts'

const dirs: string[] = []
after(() => {
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true })
})

function freshDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'acquirer-'))
  dirs.push(dir)
  return dir
}

const start = (dataDir: string, ...args: readonly string[]) =>
  startProgram('acquirer', { dataDir, args: ['--speed', '100', ...args] })

test('what was answered survives kill -9, and what was under way continues', async () => {
  const dir = freshDir()
  const first = await start(dir, '--seed', '5')
  await using receiver = await startReceiver()
  const made = await first.control('POST', '/accounts', {})
  const shop = clientsOf(first.apiUrl, made)
  const session = await shop.stripe.checkout.sessions.create(terms(), { idempotencyKey: 'k' })
  const left = await shop.stripe.checkout.sessions.create(terms())
  await first.control('POST', `/accounts/${shop.accountId}/webhook`, { url: receiver.url })
  await first.control('POST', '/pay', { session: left.id, card: 'challenge', challenge: 'leave' })
  await eventually('both webhooks come', () => receiver.received.length >= 2)
  await first.control('POST', '/webhooks', { mode: 'delay' })
  await first.control('POST', '/clock', closer(shop.accountId, 3600))
  await first.control('POST', '/pay', { session: session.id, card: '4000000000000259' })
  await first.kill('SIGKILL')

  const second = await start(dir)
  assert.equal(second.seed, 5)
  const again = clientsOf(second.apiUrl, made)
  const replayed = await again.stripe.checkout.sessions.create(terms(), { idempotencyKey: 'k' })
  assert.equal(replayed.id, session.id)
  assert.equal((await again.stripe.checkout.sessions.retrieve(session.id)).status, 'complete')
  const passed = await second.control('POST', '/pay', { session: left.id, challenge: 'pass' })
  assert.equal(passed['status'], 'succeeded')
  await eventually('the dispute', async () => (await again.stripe.disputes.list()).data.length === 1)
  await eventually('the webhook that waited', () => receiver.types().includes('checkout.session.completed'))
  assert.doesNotMatch(readFileSync(join(dir, 'journal.jsonl'), 'utf8'), /4000000000000259/)
  await second.kill('SIGKILL')
})

test('it ends when its parent’s pipe closes, and refuses invalid options', async () => {
  const program = await start(freshDir())
  assert.equal(await program.leave(), 0)
  await assert.rejects(start(freshDir(), '--speed', '0'), /ended with 2/)
})
