import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test, type TestContext } from 'node:test'
import { must } from '#/kernel/check.ts'
import { systemClock } from '#/kernel/time.ts'
import { startPixBank, type PixBank } from '../../../test/rails/pix/bank.ts'
import { all, clientOf } from '../../../test/rails/pix/rail.ts'
import { errorOf } from '../../../test/rails/rail.ts'
import { PixError } from './client.ts'
import type { PspProfile } from './profile.ts'

const newTxid = () => randomUUID().replaceAll('-', '')

describe('against the bank of the sandbox', () => {
  let bank: PixBank
  before(async () => {
    bank = await startPixBank()
  })
  after(() => bank[Symbol.asyncDispose]())

  async function shop(t: TestContext, profile: Partial<PspProfile> = {}) {
    const { settings, secrets } = await bank.customer()
    const client = clientOf(t, settings, secrets, { profile })
    const place = (txid: string, amount = 1_000n) =>
      client.putCharge({ txid, amount, expiresInSeconds: 600, pixKey: settings.pixKey })
    return { client, place }
  }

  test('a charge is created, found, paid and found as money', async (t) => {
    const { client, place } = await shop(t)
    const txid = newTxid()
    assert.equal(await client.getCharge(txid), undefined)
    const made = await place(txid, 12_34n)
    assert.deepEqual([made.value.txid, made.value.status, made.value.amount], [txid, 'ATIVA', 12_34n])
    assert.ok(made.raw.toString().includes(txid))
    const endToEndId = await bank.paid(txid)
    const charge = await client.getCharge(txid)
    assert.deepEqual([charge?.value.status, charge?.value.pix[0]?.endToEndId], ['CONCLUIDA', endToEndId])
    const received = await client.getReceived(endToEndId)
    assert.deepEqual([received?.value.amount, received?.value.txid], [12_34n, txid])
    assert.deepEqual(received?.value.sent, JSON.parse(must(received, 'it').raw.toString()))
    assert.equal(await client.getReceived('E'.padEnd(32, '0')), undefined)
  })

  test('in Efí’s form: a token requested in JSON, dates without milliseconds', async (t) => {
    const { settings, secrets } = await bank.customer()
    const client = clientOf(t, { ...settings, profile: 'efi' }, secrets)
    const txid = newTxid()
    await client.putCharge({ txid, amount: 100n, expiresInSeconds: 60, pixKey: settings.pixKey })
    const from = systemClock.now()
    const endToEndId = await bank.paid(txid)
    const [page] = await all(client.listReceived({ from, to: systemClock.now() }))
    assert.equal(page?.pix[0]?.endToEndId, endToEndId)
  })

  test('a payer, a note and an alphanumeric company are accepted', async (t) => {
    const { settings, secrets } = await bank.customer()
    const client = clientOf(t, settings, secrets)
    const payer = { taxId: { kind: 'CNPJ', number: '12ABC34501DE35' }, name: 'Padaria São João' } as const
    const order = {
      txid: newTxid(),
      amount: 500n,
      expiresInSeconds: 60,
      pixKey: settings.pixKey,
      payer,
      note: 'Pão',
    }
    const { raw } = await client.putCharge(order)
    const sent = JSON.parse(raw.toString()) as Record<string, unknown>
    assert.deepEqual(sent['devedor'], { cnpj: payer.taxId.number, nome: payer.name })
    assert.equal(sent['solicitacaoPagador'], 'Pão')
  })

  test('removing a charge returns its previous state', async (t) => {
    const { client, place } = await shop(t)
    const [open, paid] = [newTxid(), newTxid()]
    await place(open)
    await place(paid)
    await bank.pay(paid)
    assert.equal(await client.removeCharge(open), 'removed')
    assert.equal(await client.removeCharge(open), 'gone')
    assert.equal(await client.removeCharge(paid), 'already_paid')
    assert.equal(await client.removeCharge(newTxid()), 'gone')
    const again = await errorOf(place(open))
    assert.deepEqual([again.outcome, again instanceof PixError && again.status], ['refused', 400])
  })

  test('the pages of a span contain every Pix once', async (t) => {
    const { client, place } = await shop(t, { pageSize: 2 })
    const txids = Array.from({ length: 5 }, newTxid)
    const from = systemClock.now()
    const paid: string[] = []
    for (const txid of txids) {
      await place(txid)
      paid.push(await bank.paid(txid))
    }
    const pages = await all(client.listReceived({ from, to: systemClock.now() }))
    assert.deepEqual(
      pages.map(({ length }) => length),
      [2, 2, 1],
    )
    const found = pages.flatMap(({ pix }) => pix.map((each) => each.endToEndId))
    assert.deepEqual(found.toSorted(), paid.toSorted())
    const before = await all(client.listReceived({ from: new Date(0), to: new Date(1_000) }))
    assert.equal(before.flatMap(({ pix }) => pix).length, 0)
  })

  test('money goes back once for each id', async (t) => {
    const { client, place } = await shop(t)
    const txid = newTxid()
    await place(txid)
    const endToEndId = await bank.paid(txid)
    const order = { endToEndId, id: newTxid(), amount: 400n, note: 'Troca' }
    assert.equal(await client.getReturn(endToEndId, order.id), undefined)
    const created = await client.putReturn(order)
    assert.deepEqual([created.value.id, created.value.amount], [order.id, 400n])
    assert.equal((await errorOf(client.putReturn(order))).outcome, 'refused')
    assert.equal(
      (await errorOf(client.putReturn({ ...order, id: newTxid(), amount: 601n }))).outcome,
      'refused',
    )
    const found = await client.getReturn(endToEndId, order.id)
    assert.deepEqual([found?.value.id, found?.value.amount], [order.id, 400n])
  })

  test('a token that the bank ended is replaced without an error', async (t) => {
    const { place } = await shop(t)
    await place(newTxid())
    await bank.control('POST', '/tokens', { revoke: true })
    const txid = newTxid()
    assert.equal((await place(txid)).value.txid, txid)
  })

  for (const [fault, outcome] of [
    [{ action: 'status', status: 503 }, 'unavailable'],
    [{ action: 'status', status: 429 }, 'unavailable'],
    [{ action: 'status', status: 500 }, 'unknown'],
    [{ action: 'status', status: 504 }, 'unknown'],
    [{ action: 'reset' }, 'unknown'],
    [{ action: 'drop_response' }, 'unknown'],
    [{ action: 'truncate' }, 'unknown'],
    [{ action: 'delay', delayMs: 1_000 }, 'unknown'],
  ] as const) {
    test(`${JSON.stringify(fault)} is ${outcome}`, async (t) => {
      const { place } = await shop(t, { timeouts: { connectMs: 2_000, totalMs: 700 } })
      await place(newTxid())
      await bank.control('POST', '/faults', { match: { method: 'PUT', path: '/cob/' }, times: 1, ...fault })
      assert.equal((await errorOf(place(newTxid()))).outcome, outcome)
    })
  }

  test('a bank that is down is unavailable, and works again when it is up', async (t) => {
    const { place } = await shop(t)
    await bank.control('POST', '/down', { down: true })
    assert.equal((await errorOf(place(newTxid()))).outcome, 'unavailable')
    await bank.control('POST', '/down', { down: false })
    await place(newTxid())
  })

  test("another application's certificate with our token is not a refusal of the charge", async (t) => {
    const [ours, other] = [await bank.customer(), await bank.customer()]
    const { certificate, privateKey } = other.secrets
    const client = clientOf(t, ours.settings, { ...ours.secrets, certificate, privateKey })
    const order = { txid: newTxid(), amount: 1n, expiresInSeconds: 60, pixKey: ours.settings.pixKey }
    assert.equal((await errorOf(client.putCharge(order))).outcome, 'unavailable')
  })
})
