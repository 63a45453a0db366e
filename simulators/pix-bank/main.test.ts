import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { ask, connect, freshTxid, terms, type Credentials, type Json } from './harness.ts'

const children: ChildProcess[] = []
const dirs: string[] = []
after(() => {
  for (const child of children) child.kill('SIGKILL')
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true })
})

function freshDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'pix-bank-'))
  dirs.push(dir)
  return dir
}

type Ready = {
  readonly ready: boolean
  readonly apiUrl: string
  readonly controlUrl: string
  readonly seed: number
}
type Program = Ready & {
  readonly child: ChildProcess
  control(method: string, path: string, body?: unknown): Promise<Json>
  kill(signal: NodeJS.Signals): Promise<number | null>
}

async function start(dir: string, ...more: readonly string[]): Promise<Program> {
  const main = join(import.meta.dirname, 'main.ts')
  const places = ['--port', '0', '--control-port', '0', '--data-dir', dir]
  const child = spawn(process.execPath, [main, ...places, '--speed', '50', ...more], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  const line = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`it ended with ${code}`)))
    child.stdout.once('data', (bytes: Buffer) => resolve(bytes.toString()))
  })
  const ready = JSON.parse(line) as Ready
  return {
    ...ready,
    child,
    control: async (method, path, body) => (await ask(`${ready.controlUrl}${path}`, { method, body })).body,
    kill: async (signal) => {
      const gone = once(child, 'exit')
      child.kill(signal)
      const [code] = (await gone) as [number | null]
      return code
    },
  }
}

async function pay(program: Program, body: Json): Promise<string> {
  const paid = await program.control('POST', '/_sim/pay', body)
  return String((paid['pix'] as readonly Json[])[0]?.['endToEndId'])
}

test('what was acknowledged survives kill -9, and what was under way goes on', async () => {
  const dir = freshDir()
  const first = await start(dir, '--seed', '5')
  const shop = (await first.control('POST', '/_sim/applications', {})) as Credentials
  const [paid, open, magic] = [freshTxid(), freshTxid(), freshTxid()]
  let endToEndId: string
  {
    await using client = await connect(first.apiUrl, shop)
    for (const txid of [paid, open]) await client.call('PUT', `/v2/cob/${txid}`, terms(shop))
    endToEndId = await pay(first, { txid: paid })
    await client.call('PUT', `/v2/pix/${endToEndId}/devolucao/r1`, { valor: '1.00' })
    await first.control('POST', '/_sim/webhooks', { lose: true })
    assert.equal((await client.call('PUT', `/v2/cob/${magic}`, terms(shop, '50.01'))).status, 201)
  }
  await first.kill('SIGKILL')
  // As if it had died in the middle of a line.
  appendFileSync(join(dir, 'journal.jsonl'), '[{"type":"charge.created","txid":"to')
  const second = await start(dir)
  assert.equal(second.seed, 5)
  await using client = await connect(second.apiUrl, shop)
  const again = await client.call('GET', `/v2/cob/${paid}`)
  assert.equal(again.body['status'], 'CONCLUIDA')
  assert.equal((await client.call('GET', `/v2/cob/${open}`)).body['status'], 'ATIVA')
  assert.equal((await second.control('GET', '/_sim/webhooks'))['lose'], true)
  // The refund and the magic payment had been put off until later.
  await eventually('the refund ends', async () => {
    const { body } = await client.call('GET', `/v2/pix/${endToEndId}/devolucao/r1`)
    return body['status'] === 'DEVOLVIDO'
  })
  await eventually('the magic payment comes', async () => {
    const { body } = await client.call('GET', `/v2/cob/${magic}`)
    return body['status'] === 'CONCLUIDA'
  })
  // Names go on where they were.
  assert.notEqual((await pay(second, { txid: open })).slice(-11), endToEndId.slice(-11))
  await second.kill('SIGKILL')
  const third = await start(dir)
  const { charges } = (await third.control('GET', '/_sim/charges')) as { readonly charges: readonly Json[] }
  assert.deepEqual(
    charges.map(({ status }) => status),
    ['CONCLUIDA', 'CONCLUIDA', 'CONCLUIDA'],
  )
  assert.equal(await third.kill('SIGTERM'), 0)
})

test('a bank that is killed while it answers has every charge that it answered', async () => {
  const dir = freshDir()
  const first = await start(dir)
  const shop = (await first.control('POST', '/_sim/applications', {})) as Credentials
  const answered: string[] = []
  {
    await using client = await connect(first.apiUrl, shop)
    const putUntilItDies = async () => {
      for (;;) {
        const txid = freshTxid()
        const made = await client.call('PUT', `/v2/cob/${txid}`, terms(shop)).catch(() => undefined)
        if (made === undefined) return
        answered.push(txid)
      }
    }
    const callers = Array.from({ length: 8 }, putUntilItDies)
    await eventually('50 charges are made', () => answered.length >= 50)
    await first.kill('SIGKILL')
    await Promise.all(callers)
  }
  const second = await start(dir)
  await using client = await connect(second.apiUrl, shop)
  for (const txid of answered) assert.equal((await client.call('GET', `/v2/cob/${txid}`)).status, 200)
  await second.kill('SIGTERM')
})

test('the same seed gives the same names, and another one others', async () => {
  const course = async (...seed: readonly string[]) => {
    const program = await start(freshDir(), ...seed)
    const shop = (await program.control('POST', '/_sim/applications', {})) as Credentials
    await using client = await connect(program.apiUrl, shop)
    const names: string[] = []
    for (let n = 0; n < 3; n++) {
      const txid = `seeded${n}`.padEnd(32, '0')
      const { body } = await client.call('PUT', `/v2/cob/${txid}`, terms(shop))
      names.push(String(body['location']), (await pay(program, { txid })).slice(-11))
    }
    await program.kill('SIGTERM')
    return names
  }
  const first = await course('--seed', '7')
  assert.deepEqual(await course('--seed', '7'), first)
  assert.notDeepEqual(await course('--seed', '8'), first)
})

test('it ends when its parent’s pipe closes, and refuses options that mean nothing', async () => {
  const program = await start(freshDir(), '--die-with-parent')
  const gone = once(program.child, 'exit')
  program.child.stdin?.end()
  const [code] = (await gone) as [number]
  assert.equal(code, 0)
  await assert.rejects(start(freshDir(), '--seed', 'x'), /ended with 2/)
})
