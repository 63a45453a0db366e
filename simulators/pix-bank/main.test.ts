import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { startProgram, type Json, type Program } from '../kit/harness.ts'
import { connect, freshTxid, terms, type Credentials } from './harness.ts'

const dirs: string[] = []
after(() => {
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true })
})

function freshDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'pix-bank-'))
  dirs.push(dir)
  return dir
}

const start = (dataDir: string, ...args: readonly string[]) =>
  startProgram('pix-bank', { dataDir, args: ['--speed', '50', ...args] })

async function pay(program: Program, body: Json): Promise<string> {
  const paid = await program.control('POST', '/pay', body)
  return String((paid['pix'] as readonly Json[])[0]?.['endToEndId'])
}

test('what was acknowledged survives kill -9, and what was under way continues', async () => {
  const dir = freshDir()
  const first = await start(dir, '--seed', '5')
  const shop = (await first.control('POST', '/applications', {})) as Credentials
  const [paid, open, magic] = [freshTxid(), freshTxid(), freshTxid()]
  let endToEndId: string
  {
    await using client = await connect(first.apiUrl, shop)
    for (const txid of [paid, open]) await client.call('PUT', `/v2/cob/${txid}`, terms(shop))
    endToEndId = await pay(first, { txid: paid })
    await client.call('PUT', `/v2/pix/${endToEndId}/devolucao/r1`, { valor: '1.00' })
    await first.control('POST', '/webhooks', { lose: true })
    assert.equal((await client.call('PUT', `/v2/cob/${magic}`, terms(shop, '50.01'))).status, 201)
  }
  await first.kill('SIGKILL')
  // A torn last line, as if it had died while writing.
  appendFileSync(join(dir, 'journal.jsonl'), '[{"type":"charge.created","txid":"to')
  const second = await start(dir)
  assert.equal(second.seed, 5)
  await using client = await connect(second.apiUrl, shop)
  const again = await client.call('GET', `/v2/cob/${paid}`)
  assert.equal(again.body['status'], 'CONCLUIDA')
  assert.equal((await client.call('GET', `/v2/cob/${open}`)).body['status'], 'ATIVA')
  assert.equal((await second.control('GET', '/webhooks'))['lose'], true)
  // The refund and the magic payment were tasks for later.
  await eventually('the refund ends', async () => {
    const { body } = await client.call('GET', `/v2/pix/${endToEndId}/devolucao/r1`)
    return body['status'] === 'DEVOLVIDO'
  })
  await eventually('the magic payment comes', async () => {
    const { body } = await client.call('GET', `/v2/cob/${magic}`)
    return body['status'] === 'CONCLUIDA'
  })
  // Names continue where they were.
  assert.notEqual((await pay(second, { txid: open })).slice(-11), endToEndId.slice(-11))
  await second.kill('SIGKILL')
  const third = await start(dir)
  const { charges } = (await third.control('GET', '/charges')) as { readonly charges: readonly Json[] }
  assert.deepEqual(
    charges.map(({ status }) => status),
    ['CONCLUIDA', 'CONCLUIDA', 'CONCLUIDA'],
  )
  assert.equal(await third.kill('SIGTERM'), 0)
})

test('a bank that is killed while it answers has every charge that it answered', async () => {
  const dir = freshDir()
  const first = await start(dir)
  const shop = (await first.control('POST', '/applications', {})) as Credentials
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
    const shop = (await program.control('POST', '/applications', {})) as Credentials
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

test('it ends when its parent’s pipe closes, and refuses invalid options', async () => {
  const program = await start(freshDir())
  assert.equal(await program.leave(), 0)
  await assert.rejects(start(freshDir(), '--seed', 'x'), /ended with 2/)
})
