// The other ways in which a file comes: a signed call, and a folder.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, suite, test } from 'node:test'
import { silentLog } from '#/kernel/log.ts'
import { insertSignals } from '#/settlement/inbox-queries.ts'
import { notificationFile, statementFile } from '../../../test/rails/sepa-files.ts'
import { callbackKey, iban, openSepaWorld, type SepaWorld } from '../../../test/sepa-world.ts'
import { sepaCallbacks } from './callbacks.ts'
import { importFolder } from './folder.ts'

suite('a file that a program hands in', () => {
  let world: SepaWorld
  before(async () => {
    world = await openSepaWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  async function verdictOn(body: Buffer, { key = callbackKey, ageSeconds = 0, signed = body } = {}) {
    const receivedAt = new Date()
    const timestamp = String(Math.floor(receivedAt.getTime() / 1_000) - ageSeconds)
    const signature = createHmac('sha256', key).update(`${timestamp}.`).update(signed).digest('hex')
    const headers = { 'vintem-timestamp': timestamp, 'vintem-signature': signature }
    return sepaCallbacks(world.pix.core.connections).verify({
      connection: world.account,
      headers,
      body,
      receivedAt,
    })
  }

  test('is believed when it is signed, new and a file', async () => {
    const body = notificationFile({ iban, id: 'N0', transfers: [] })
    assert.equal((await verdictOn(body)).ok, true)
    for (const how of [
      { key: 'x'.repeat(40) },
      { ageSeconds: 301 },
      { ageSeconds: -301 },
      { signed: Buffer.from('other') },
    ])
      assert.equal((await verdictOn(body, how)).ok, false, JSON.stringify(how))
    const madeUp = Buffer.from(
      JSON.stringify({ reference: 'R', part: 0, amountMinor: '100', currency: 'EUR' }),
    )
    assert.deepEqual(await verdictOn(madeUp), { ok: false, reason: 'it is neither XML nor a ZIP' })
  })

  test('is imported by a worker, and its money is settled', async () => {
    const { payment } = await world.create(2_300)
    const structured = await world.referenceOf(payment.id)
    const body = notificationFile({ iban, id: 'N1', transfers: [{ ref: 'CALL1', minor: 2_300, structured }] })
    const signal = { method: 'SEPA_TRANSFER' as const, connection: world.account, body }
    await insertSignals(world.pix.core.sql, [signal], world.pix.clock.now())
    await world.drain()
    await world.drain()
    assert.equal((await world.pix.payment(payment.id)).status, 'PAID')
  })

  test('is taken from a folder in the order of names, and filed by what became of it', async (t) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'vintem-statements-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    const { payment } = await world.create(2_400)
    const structured = await world.referenceOf(payment.id)
    const notified = { ref: 'CALL1', minor: 2_300 }
    const one = statementFile({ iban, id: 'S1', opening: 0, transfers: [notified] })
    const two = statementFile({
      iban,
      id: 'S2',
      opening: 2_300,
      transfers: [{ ref: 'F2', minor: 2_400, structured }],
    })
    await writeFile(path.join(folder, '2.xml'), two)
    await writeFile(path.join(folder, '1.xml'), one)
    await writeFile(path.join(folder, '3.xml'), statementFile({ iban, id: 'S3', opening: 1, transfers: [] }))
    await writeFile(path.join(folder, 'readme.txt'), 'not a file of a bank')
    assert.equal(await importFolder({ ...world.deps, log: silentLog }, folder), 3)
    await world.drain()
    assert.equal((await world.pix.payment(payment.id)).status, 'PAID')
    assert.deepEqual((await readdir(path.join(folder, 'imported'))).toSorted(), ['1.xml', '2.xml'])
    assert.deepEqual((await readdir(path.join(folder, 'refused'))).toSorted(), ['3.xml', '3.xml.reason.txt'])
    assert.match(
      await readFile(path.join(folder, 'refused', '3.xml.reason.txt'), 'utf8'),
      /opens with 0\.01 EUR, but S2/,
    )
    assert.equal(await importFolder({ ...world.deps, log: silentLog }, folder), 0)
    // What cannot be read stays, is reported each time, and does not stop what comes after it.
    await mkdir(path.join(folder, '0.xml'))
    await writeFile(
      path.join(folder, '4.xml'),
      statementFile({ iban, id: 'S4', opening: 4_700, transfers: [] }),
    )
    const reported: unknown[] = []
    const log = { ...silentLog, error: (fields: unknown) => reported.push(fields) }
    assert.equal(await importFolder({ ...world.deps, log }, folder), 1)
    assert.deepEqual(reported, [{ file: '0.xml', code: 'EISDIR' }])
    assert.deepEqual((await readdir(path.join(folder, 'imported'))).toSorted(), ['1.xml', '2.xml', '4.xml'])
  })
})
