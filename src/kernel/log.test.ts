import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

/** The lines that a program with this log writes on standard error. */
function linesOf(program: string): readonly string[] {
  const from = JSON.stringify(join(import.meta.dirname, 'log.ts'))
  const source = `import { createLog } from ${from}; const log = createLog('info', { role: 'api', cell: 'a1' }); ${program}`
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' })
  return stderr.trim().split('\n')
}

test('every line names role, cell, host and process, and the request in which it was written', () => {
  const context = JSON.stringify(join(import.meta.dirname, 'context.ts'))
  const [inside, outside] = linesOf(`
    const { inContext } = await import(${context})
    await inContext({ requestId: 'r-1' }, async () => { await null; log.warn('inside') })
    log.warn('outside')
  `).map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
  for (const line of [inside, outside]) {
    assert.partialDeepStrictEqual(line, { role: 'api', cell: 'a1', host: hostname() })
    assert.equal(typeof line?.['pid'], 'number')
  }
  assert.deepEqual([inside?.['requestId'], outside?.['requestId']], ['r-1', undefined])
})

/** One of each kind. The CPF and the IBAN have valid check digits; the IBAN is the example of its registry. */
const kinds = {
  key: `vtm_live_a1${'A'.repeat(36)}`,
  providerKey: `sk_live_${'b'.repeat(24)}`,
  webhookSecret: `whsec_${'C'.repeat(40)}`,
  bearer: `Bearer ${'d'.repeat(30)}`,
  page: `https://pay.example.com/c/a1${'E'.repeat(32)}`,
  query: 'https://shop.example.com/hook?secret=hush-hush',
  database: 'postgres://vintem:hush-hush@db.example.com/vintem',
  email: 'maria.souza@example.com.br',
  cpf: '529.982.247-25',
  bareCpf: '52998224725',
  iban: 'PT50000201231234567890154',
  card: '4242 4242 4242 4242',
}

/** What of each may stand nowhere. */
const traces =
  /vtm_live_a1A|b{10}|C{10}|d{10}|E{10}|hush-hush|maria|529\.?982|000201231234|4242 4242|Conceição/i

test('no kind of secret or personal data is written, in whatever field, message or error it comes', () => {
  const lines = linesOf(`
    const kinds = ${JSON.stringify(kinds)}
    for (const value of Object.values(kinds)) {
      log.warn({ why: value, deep: { list: ['before ' + value + ' after'] } }, 'it is ' + value)
      log.error({ err: new Error('for ' + value), error: 'for ' + value }, 'failed')
    }
    for (const name of ['body', 'headers', 'payer', 'customerName', 'customerAddress', 'taxId', 'destination', 'metadata'])
      log.warn({ [name]: 'Conceição', request: { [name]: { given: 'Conceição' } } }, name)
    const row = Object.assign(new Error('violates a check'), {
      detail: 'Failing row contains (Conceição, …)', where: 'Conceição', parameters: ['Conceição'], query: 'Conceição', code: '23514' })
    log.error({ err: row }, 'a row')
    log.error({ error: 'invalid input syntax for type uuid: "Conceição"' }, 'a value')
  `)
  assert.equal(lines.length, 2 * Object.keys(kinds).length + 10)
  for (const line of lines) {
    assert.doesNotMatch(line, traces)
    JSON.parse(line)
  }
  assert.ok(
    lines.some((line) => line.includes('"code":"23514"')),
    'what helps is still there',
  )
})

test('what is not private stays: ids, hashes, times, amounts and versions', () => {
  const said =
    'batch 12345678901 of 40128888-8888-4881-8242-424242424242 at 2026-11-24T20:00:00.000Z, @vintem 1.2.3'
  const hash = '0x52908400098527886e0f7030069857d2e4169ee7'
  const [line] = linesOf(`log.warn({ hash: '${hash}' }, '${said}')`)
  assert.partialDeepStrictEqual(JSON.parse(line ?? ''), { msg: said, hash })
})

test('texts that look like card numbers are masked in every line, and each line is still JSON', () => {
  const lines = linesOf(`
    log.warn({ key: '4242424242424242', n: 4242424242424242, list: ['a\\n5555 5555 5555 4444'] }, 'order 378282246310005')
    log.error({ err: new Error('Key (…)=(4242424242424242) already exists') }, 'it broke')
    log.info({ id: '40128888-8888-4881-8242-424242424242', at: 1794556800000, n: 12 }, 'nothing here')
  `)
  const parsed = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
  assert.deepEqual(
    [parsed[0]?.['key'], parsed[0]?.['n'], parsed[0]?.['list'], parsed[0]?.['msg']],
    ['************4242', '************4242', ['a\n**** **** **** 4444'], 'order ***********0005'],
  )
  assert.ok(!/\d{5}/.test(JSON.stringify(parsed[1]?.['err']).replaceAll(/file:[^ ]*/g, '')))
  assert.deepEqual(
    [parsed[2]?.['id'], parsed[2]?.['at'], parsed[2]?.['n']],
    ['40128888-8888-4881-8242-424242424242', 1_794_556_800_000, 12],
  )
})
