import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { readConfig } from '#/config.ts'
import { payerPlaces } from '#/erasure/places.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { openPayerWorld, payerTaxId, type FullPayment, type PayerWorld } from '../../test/payer-world.ts'
import { payerCommand } from './payer.ts'

let world: PayerWorld
let payment: FullPayment
const mark = '50505051'
before(async () => {
  world = await openPayerWorld()
  payment = await world.fullPayment(mark, await world.dashboard.base.openTenant())
})
after(() => world[Symbol.asyncDispose]())

/** Runs the command as from a shell. */
async function run(args: readonly string[], isOwner = true) {
  const printed = { out: '', err: '' }
  const stdout = { isTTY: false, write: (text: string) => (printed.out += text) }
  const stderr = { write: (text: string) => (printed.err += text) }
  const { appUrl } = world.dashboard.base
  const owner = new URL(appUrl)
  owner.username = 'vintem_owner'
  const config = () =>
    readConfig({
      DATABASE_URL: appUrl,
      ...(isOwner && { DATABASE_OWNER_URL: owner.href }),
      VINTEM_CELL: 'a1',
      VINTEM_SANDBOX: 'off',
    })
  const deps = { config, open: () => Promise.reject(new Error('the command opens its own database')) }
  const code = await payerCommand(args, createTerminal({ stdout, stderr }, { LANG: 'C' }), deps)
  return { code, ...printed }
}

const erased = async () => (await world.owner`select 1 from erasure`).length

test('misused: exit code 2, one line, and nothing is erased', async () => {
  const { id } = payment.tenant
  for (const args of [
    ['erase', id],
    ['erase', id, '--tax-id', payerTaxId, '--email', 'a@b.example'],
    ['erase', 'x', '--tax-id', payerTaxId],
    ['erase', id, '--payment', 'x'],
    ['erase', id, '--payment', id],
    ['erase', id, '--tax-id', payerTaxId, '--confirm'],
  ]) {
    const { code, err } = await run(args)
    assert.equal(code, 2, args.join(' '))
    assert.match(err, /^x [^\n]+\n$/)
  }
  const { code, err } = await run(['erase', id, '--tax-id', payerTaxId], false)
  assert.equal(code, 1)
  assert.match(err, /DATABASE_OWNER_URL/)
  assert.equal(await erased(), 0)
})

test('without --confirm it shows what it would erase, by what the payer is known by, and erases nothing', async () => {
  const { id } = payment.tenant
  for (const by of [
    ['--tax-id', '529.982.247-25'],
    ['--email', `ZELIA.${mark}@pagadora.example`],
    ['--payment', payment.id],
  ]) {
    const { code, out } = await run(['erase', id, ...by])
    assert.equal(code, 0)
    assert.match(out, new RegExp(`${payment.id} .*PAID .*12\\.34 USDT .*\\d+ bodies of events`))
    assert.match(out, /Nothing was erased\./)
    assert.ok(!out.includes(mark))
  }
  const nobody = await run(['erase', id, '--email', 'nobody@pagadora.example'])
  assert.deepEqual([nobody.code, nobody.out], [0, 'There is no such payment: nothing to erase.\n'])
  assert.equal(await erased(), 0)
})

test('with --confirm it erases, leaves what is open with exit code 1, and a second time erases nothing more', async () => {
  const { tenant } = payment
  const open = await world.dashboard.payment(tenant)
  const args = [
    'erase',
    tenant.id,
    '--payment',
    `${payment.id}, ${open}`,
    '--confirm',
    '--reason',
    'request 17',
  ]
  const first = await run(args)
  assert.equal(first.code, 1)
  assert.match(first.out, new RegExp(`\\+ ${payment.id} {2}\\d+ bodies of events, \\d+ reports of providers`))
  assert.match(
    first.out,
    new RegExp(`x ${open} {2}left: it is PENDING|x ${open} {2}left: it is WAITING_PAYMENT`),
  )
  assert.match(first.err, /1 payment was left as it is\. Run it again when they have ended\./)
  const steps = await erased()
  assert.ok(steps > 0)
  const second = await run([...args.slice(0, 3), payment.id, ...args.slice(4), '--json'])
  assert.equal(second.code, 0)
  const { payments } = JSON.parse(second.out) as {
    payments: { kind: string; counts: Record<string, number> }[]
  }
  assert.deepEqual(
    payments.map(({ kind, counts }) => [kind, ...Object.values(counts)]),
    [['erased', 0, 0, 0, 0, 0]],
  )
  assert.equal(await erased(), steps)
})

test('the page about personal data lists every column, with what happens to it', async () => {
  const page = readFileSync(new URL('../../docs/personal-data.md', import.meta.url), 'utf8')
  const listed = [...page.matchAll(/^\| `([a-z_]+\.[a-z_]+)` \| ([A-Z]+) \| (.+) \|$/gm)].map(
    ([, column, fate, why]) => ({ column, fate, why }),
  )
  assert.deepEqual(listed, payerPlaces)
  const { out } = await run(['places', '--json'])
  assert.deepEqual(JSON.parse(out), payerPlaces)
  const columns = await world.owner<{ name: string }[]>`
    select table_name || '.' || column_name as name from information_schema.columns where table_schema = current_schema()`
  const known = new Set(columns.map(({ name }) => name))
  assert.deepEqual(
    payerPlaces.filter(({ column }) => !known.has(column)),
    [],
  )
})
