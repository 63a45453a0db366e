// The receivers of webhooks that docs/webhooks.md shows: what stands in the built page is run, and gets webhooks that it must take or refuse.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Webhook } from 'standardwebhooks'
import { builtBlocks } from './built.ts'

/** The program that the built page shows for this file, as it stands there. */
export async function shownReceiver(file: string): Promise<string> {
  const found = (await builtBlocks('webhooks.html')).filter(({ notes }) => notes === `<!-- file: ${file} -->`)
  assert.equal(found.length, 1, `${file}: ${found.length} blocks of the page`)
  return `${found[0]?.text ?? ''}\n`
}

export type Receiver = AsyncDisposable & {
  readonly url: string
  /** The lines that it has printed. */
  readonly lines: () => readonly string[]
}

/** Starts the program, and waits until it answers. */
export async function startReceiver(
  [program = '', ...args]: readonly string[],
  { cwd, secret, port }: { readonly cwd: string; readonly secret: string; readonly port: number },
): Promise<Receiver> {
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) }
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  let faults = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (faults += text))
  const ended = once(child, 'close')
  const url = `http://127.0.0.1:${port}/webhooks`
  const isThere = () =>
    fetch(url, { method: 'POST', body: '{}' }).then(
      () => true,
      () => false,
    )
  while (!(await isThere())) {
    if (child.exitCode !== null) assert.fail(`${program} ended with ${child.exitCode}\n${faults}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    url,
    lines: () => printed.split('\n').filter((line) => line !== ''),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

const minuteMs = 60_000

/** Sends webhooks that were signed by the official library: good, repeated, forged, changed, stale, and without a signature. */
export async function tryReceiver({ url, lines }: Receiver, secret: string): Promise<void> {
  const event = eventOf('payment.completed')
  const before = lines().length
  assert.equal(await send(url, event, sign(secret, event)), 204, 'a good one is taken')
  assert.equal(await send(url, event, sign(secret, event)), 204, 'the same once more is taken')
  const other = eventOf('payment.completed')
  const stranger = `whsec_${Buffer.from('the secret of another sender').toString('base64')}`
  assert.equal(await send(url, other, sign(stranger, other)), 400, 'one signed with another secret')
  const changed = other.replace('4990', '49900')
  assert.notEqual(changed, other)
  assert.equal(await send(url, changed, sign(secret, other)), 400, 'one whose body was changed')
  for (const minutes of [-6, 6])
    assert.equal(await send(url, other, sign(secret, other, minutes)), 400, `one of ${minutes} minutes`)
  const unsigned = { ...sign(secret, other), 'webhook-signature': 'nonsense' }
  assert.equal(await send(url, other, unsigned), 400, 'one whose signature is none')
  assert.equal(await send(url, other, {}), 400, 'one without headers')
  // The new secret and the old one of a rolled endpoint: one valid signature is enough.
  const signed = sign(secret, other)
  const both = {
    ...signed,
    'webhook-signature': `${sign(stranger, other)['webhook-signature']} ${signed['webhook-signature']}`,
  }
  assert.equal(await send(url, other, both), 204, 'one with two signatures')
  const expected = [event, other].map((each) => {
    const { type, data } = JSON.parse(each) as { type: string; data: { id: string; status: string } }
    return `${type} ${data.id} ${data.status}`
  })
  while (lines().length < before + expected.length) await new Promise((resolve) => setTimeout(resolve, 50))
  assert.deepEqual(lines().slice(before), expected)
}

function eventOf(type: string): string {
  const data = { id: randomUUID(), status: 'PAID', amount: 4990, version: 3 }
  return JSON.stringify({
    id: randomUUID(),
    type,
    timestamp: new Date().toISOString(),
    mode: 'SANDBOX',
    sequence: 1,
    data,
  })
}

function sign(
  secret: string,
  body: string,
  minutes = 0,
): Readonly<Record<string, string>> & { readonly 'webhook-signature': string } {
  const { id } = JSON.parse(body) as { readonly id: string }
  const at = new Date(Date.now() + minutes * minuteMs)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  }
}

async function send(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const answer = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
  await answer.arrayBuffer()
  return answer.status
}
