import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { clientsOf, controlOf, startReceiver, terms } from './harness.ts'

const children: ChildProcess[] = []
const dirs: string[] = []
after(() => {
  for (const child of children) child.kill('SIGKILL')
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true })
})

function freshDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'acquirer-'))
  dirs.push(dir)
  return dir
}

type Ready = { readonly apiUrl: string; readonly controlUrl: string; readonly seed: number }

async function start(dir: string, ...more: readonly string[]) {
  const main = join(import.meta.dirname, 'main.ts')
  const child = spawn(process.execPath, [main, '--port', '0', '--data-dir', dir, '--speed', '100', ...more], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  const line = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`it ended with ${code}`)))
    child.stdout.once('data', (bytes: Buffer) => resolve(bytes.toString()))
  })
  const ready = JSON.parse(line) as Ready
  const kill = async () => {
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  return { ...ready, child, kill }
}

test('what was answered survives kill -9, and what was under way goes on', async () => {
  const dir = freshDir()
  const first = await start(dir, '--seed', '5')
  await using receiver = await startReceiver()
  const made = await controlOf(first.controlUrl, 'accounts', {})
  const shop = clientsOf(first.apiUrl, made)
  const session = await shop.stripe.checkout.sessions.create(terms(), { idempotencyKey: 'k' })
  const left = await shop.stripe.checkout.sessions.create(terms())
  await controlOf(first.controlUrl, `accounts/${shop.accountId}/webhook`, { url: receiver.url })
  await controlOf(first.controlUrl, 'pay', { session: left.id, card: 'challenge', challenge: 'leave' })
  await eventually('both webhooks come', () => receiver.received.length >= 2)
  await controlOf(first.controlUrl, 'webhooks', { mode: 'delay' })
  await controlOf(first.controlUrl, 'clock', { advanceSeconds: 3600 })
  await controlOf(first.controlUrl, 'pay', { session: session.id, card: '4000000000000259' })
  await first.kill()

  const second = await start(dir)
  assert.equal(second.seed, 5)
  const again = clientsOf(second.apiUrl, made)
  const replayed = await again.stripe.checkout.sessions.create(terms(), { idempotencyKey: 'k' })
  assert.equal(replayed.id, session.id)
  assert.equal((await again.stripe.checkout.sessions.retrieve(session.id)).status, 'complete')
  const passed = await controlOf(second.controlUrl, 'pay', { session: left.id, challenge: 'pass' })
  assert.equal(passed['status'], 'succeeded')
  await eventually('the dispute', async () => (await again.stripe.disputes.list()).data.length === 1)
  await eventually('the webhook that waited', () => receiver.types().includes('checkout.session.completed'))
  assert.doesNotMatch(readFileSync(join(dir, 'journal.jsonl'), 'utf8'), /4000000000000259/)
  await second.kill()
})

test('it ends when its parent’s pipe closes, and refuses options that mean nothing', async () => {
  const program = await start(freshDir(), '--die-with-parent')
  const gone = once(program.child, 'exit')
  program.child.stdin.end()
  assert.deepEqual(await gone, [0, null])
  await assert.rejects(start(freshDir(), '--speed', '0'), /ended with 2/)
})
