// A bank corrects a statement: two people accept it together with what it takes back.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import { sha256 } from '#/kernel/secret.ts'
import { approveCorrection, requestCorrection } from '#/operator/corrections.ts'
import { recordApproval, requireOthers } from '#/operator/proposals.ts'
import { compareBalances } from '#/settlement/balances.ts'
import { notificationFile, statementFile, type Transfer } from '../../../test/rails/sepa-files.ts'
import { iban, openSepaWorld, type SepaWorld } from '../../../test/sepa-world.ts'
import { decideHeld, listHeld } from './held.ts'

/** One file with the statements of both. */
function joined(first: Buffer, second: Buffer): Buffer {
  const [whole, more] = [first, second].map((each) => each.toString('utf8')) as [string, string]
  const statement = /<Stmt>[^]*<\/Stmt>/.exec(more)?.[0] ?? ''
  return Buffer.from(whole.replace('</BkToCstmrStmt>', `${statement}</BkToCstmrStmt>`))
}

const person = (id: string) => ({ by: { actor: { kind: 'OPERATOR', id } }, name: id }) as const

suite('a statement that the bank corrects', () => {
  let world: SepaWorld
  let held = 0
  let day = 0
  /** What moved on the account and is in no book. */
  let outside = 0n
  before(async () => {
    world = await openSepaWorld()
  })
  after(async () => {
    await using _ = world
    await clean()
  })

  const dayOf = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10)
  const file = (on: number, opening: number, ...transfers: readonly Transfer[]) =>
    statementFile({
      iban,
      id: `S${on}`,
      opening,
      day: dayOf(on),
      transfers: transfers.map((each) => ({ day: dayOf(on), ...each })),
    })
  async function close(...transfers: readonly Transfer[]) {
    const [on, opening] = [day, held]
    const imported = await world.hand(file(on, opening, ...transfers))
    assert.ok(imported.state === 'IMPORTED', JSON.stringify(imported))
    held += transfers.reduce((sum, { minor, isDebit }) => sum + (isDebit ? -minor : minor), 0)
    day += 1
    return (...others: readonly Transfer[]) => file(on, opening, ...others)
  }
  async function clean() {
    assert.deepEqual((await world.pix.verify()).faults, [])
    const rows = await compareBalances(world.pix.core)
    const row = rows.find(({ connection, currency }) => connection === world.account && currency === 'EUR')
    const { verdict, ...sums } = must(row, 'the account is compared')
    if (outside === 0n) assert.equal(verdict, 'agrees')
    else assert.equal(sums.differenceMinor, outside)
  }
  async function refusedAs(bytes: Buffer) {
    const imported = await world.hand(bytes)
    assert.ok(imported.state === 'REFUSED', JSON.stringify(imported))
    return { connection: world.account, sha256: sha256(bytes).toString('hex'), reason: 'the bank wrote so' }
  }
  const request = (order: Awaited<ReturnType<typeof refusedAs>>) =>
    requestCorrection(world.deps, person('ana'), order)
  async function approve(id: Awaited<ReturnType<typeof request>>['id'], who = 'bea') {
    const proposal = await requireOthers(world.pix.core.sql, person(who), id)
    await approveCorrection(world.deps, person(who), proposal, recordApproval(id, person(who)))
    await world.drain()
  }
  const code = (error: unknown) => error instanceof AppError && error.code
  async function open(minor: number) {
    const { payment } = await world.create(minor)
    const structured = await world.referenceOf(payment.id)
    return { structured, status: async () => (await world.pix.payment(payment.id)).status, payment }
  }

  test('what only the first one had is taken back, and what only the correction has is imported, by two people', async () => {
    const [wrong, right] = [await open(500), await open(500)]
    const one = await close(
      { ref: 'C1', minor: 500, structured: wrong.structured },
      { ref: 'C2', minor: 70, text: 'rent' },
      { ref: 'C3', minor: 20, isDebit: true },
    )
    outside -= 20n
    await close({ ref: 'LATER', minor: 5, text: 'of the next day' })
    assert.equal(await wrong.status(), 'PAID')
    const before = await world.pix.balances()
    const bytes = one(
      { ref: 'C1', minor: 500, structured: right.structured },
      { ref: 'C2', minor: 60, text: 'rent' },
      { ref: 'C4', minor: 10, isDebit: true },
    )
    const order = await refusedAs(bytes)
    const proposal = await request(order)
    const { takenBack, added, concerned } = proposal.arguments as Record<string, readonly string[]>
    assert.deepEqual([takenBack?.length, added?.length], [3, 3])
    assert.deepEqual(concerned, [world.pix.merchant.id])
    assert.deepEqual([await right.status(), await world.pix.balances()], ['WAITING_PAYMENT', before])
    await assert.rejects(request(order), (error) => code(error) === 'invalid_state')
    await assert.rejects(approve(proposal.id, 'ana'), (error) => code(error) === 'forbidden')
    await approve(proposal.id)
    outside += 10n
    assert.equal(await right.status(), 'PAID')
    const now = await world.pix.balances()
    assert.equal(now.suspense, before.suspense - 10n)
    assert.equal(now.available, before.available)
    await assert.rejects(approve(proposal.id), (error) => code(error) === 'invalid_state')
    // The correction is known now, and what it replaced is not.
    assert.equal((await world.hand(bytes)).state, 'KNOWN')
    const respelled = await world.hand(
      Buffer.from(bytes.toString('utf8').replace('</Document>', '</Document>\n')),
    )
    assert.equal(respelled.state === 'IMPORTED' && respelled.movements, 0)
    await clean()
    await refusedAs(
      one({ ref: 'C1', minor: 500, structured: wrong.structured }, { ref: 'C9', minor: 50, text: 'rent' }),
    )
  })

  test('of two equal entries one is taken back, and a correction can be corrected', async () => {
    const rent = { ref: 'NONREF', minor: 30, text: 'rent' }
    const suspense = (await world.pix.balances()).suspense
    const one = await close(rent, rent)
    const correction = one(rent, { ...rent, text: 'deposit' })
    await approve((await request(await refusedAs(correction))).id)
    assert.equal((await world.pix.balances()).suspense, suspense + 60n)
    const back = Buffer.from(one(rent, rent).toString('utf8').replace('</Document>', '</Document> '))
    await approve((await request(await refusedAs(back))).id)
    assert.equal((await world.pix.balances()).suspense, suspense + 60n)
    await clean()
  })

  test('one that would do something else than was requested is not carried out, and nothing but a corrected statement is taken', async () => {
    const one = await close({ ref: 'D1', minor: 80, text: 'rent' }, { ref: 'D2', minor: 40, text: 'rent' })
    const first = await request(
      await refusedAs(one({ ref: 'D3', minor: 80 }, { ref: 'D2', minor: 40, text: 'rent' })),
    )
    const second = await request(
      await refusedAs(one({ ref: 'D1', minor: 80, text: 'rent' }, { ref: 'D4', minor: 40 })),
    )
    await approve(first.id)
    const before = await world.pix.balances()
    await assert.rejects(approve(second.id), (error) => code(error) === 'invalid_state')
    assert.deepEqual(await world.pix.balances(), before)
    const unknown = { connection: world.account, sha256: '0'.repeat(64), reason: 'x' }
    await assert.rejects(request(unknown), (error) => code(error) === 'not_found')
    const balances = file(day, held + 1, { ref: 'E1', minor: 1 })
    await assert.rejects(request(await refusedAs(balances)), (error) => code(error) === 'invalid_state')
    await clean()
  })

  /** Accepts a correction, and goes on from the balance that it closes with. */
  async function accept(bytes: Buffer, change: number) {
    await approve((await request(await refusedAs(bytes))).id)
    held += change
  }
  const isRefused = (bytes: Buffer, why: RegExp) =>
    assert.rejects(
      async () => request(await refusedAs(bytes)),
      (error) => code(error) === 'invalid_state' && why.test((error as AppError).message),
    )

  test('with another closing balance it is accepted by two people, and the next statement follows on the corrected one', async () => {
    const [paid, unpaid] = [await open(400), await open(90)]
    const rent = { ref: 'F2', minor: 70, text: 'rent' }
    const one = await close({ ref: 'F1', minor: 400, structured: paid.structured }, rent)
    const before = await world.pix.balances()
    const bytes = one(
      { ref: 'F1', minor: 400, structured: paid.structured },
      { ...rent, minor: 55 },
      { ref: 'F3', minor: 90, structured: unpaid.structured },
    )
    const imported = await world.hand(bytes)
    assert.ok(imported.state === 'REFUSED')
    assert.match(
      imported.reason,
      /other entries: only before: F2 of 0\.70 EUR.*only in this file: F2 of 0\.55 EUR/,
    )
    assert.match(imported.reason, /in this file it closes with [\d.]+ EUR instead of [\d.]+ EUR$/)
    const order = await refusedAs(bytes)
    const proposal = await request(order)
    const { takenBack, added, balances } = proposal.arguments as Record<string, readonly string[]>
    assert.deepEqual([takenBack?.length, added?.length], [1, 2])
    assert.match(balances?.join() ?? '', /^S\d+ closes with [\d.]+ EUR instead of [\d.]+ EUR$/)
    assert.deepEqual([await unpaid.status(), await world.pix.balances()], ['WAITING_PAYMENT', before])
    await assert.rejects(approve(proposal.id, 'ana'), (error) => code(error) === 'forbidden')
    // Until then the account stands where it stood.
    await clean()
    await approve(proposal.id)
    assert.equal(await unpaid.status(), 'PAID')
    assert.equal((await world.pix.balances()).suspense, before.suspense - 15n)
    const stale = await world.hand(file(day, held, { ref: 'F4', minor: 5 }))
    assert.match(stale.state === 'REFUSED' ? stale.reason : '', /opens with/)
    held += 75
    await clean()
    await close({ ref: 'F4', minor: 5, text: 'rent' })
    await clean()
    assert.equal((await world.hand(bytes)).state, 'KNOWN')
    assert.match(JSON.stringify(await world.hand(one(rent))), /other balances|other entries/)
  })

  test('the amount of a payment’s transfer was wrong, and a debit is one more', async () => {
    const payment = await open(500)
    const paid = { ref: 'G1', minor: 500, structured: payment.structured }
    const one = await close(paid)
    assert.equal(await payment.status(), 'PAID')
    await accept(one({ ...paid, minor: 450 }, { ref: 'G2', minor: 30, isDebit: true }), -80)
    outside -= 30n
    await clean()
    // With the bytes of the first file it would be that file.
    await accept(Buffer.concat([one(paid), Buffer.from('\n')]), 80)
    outside += 30n
    await clean()
  })

  test('it is refused when a later statement was imported, also between request and approval, unless one file corrects all of them', async () => {
    const one = await close({ ref: 'H1', minor: 80, text: 'rent' })
    const first = one({ ref: 'H1', minor: 85, text: 'rent' })
    const proposal = await request(await refusedAs(first))
    const [on, opening] = [day, held]
    await close({ ref: 'H2', minor: 10, text: 'rent' })
    const before = await world.pix.balances()
    const why =
      /was imported after it and opens with [\d.]+ EUR: ask the bank for one file with the corrected statements from S\d+ up/
    await assert.rejects(approve(proposal.id), (error) => why.test((error as AppError).message))
    assert.deepEqual(await world.pix.balances(), before)
    await isRefused(one({ ref: 'H1', minor: 86, text: 'rent' }), why)
    await clean()
    // What leaves the closing balance is accepted still.
    await accept(one({ ref: 'H3', minor: 80, text: 'rent' }), 0)
    await clean()
    const both = (minor: number, shift: number) =>
      joined(
        file(on, opening + shift, { ref: 'H2', minor: 10, text: 'rent' }),
        one({ ref: 'H3', minor, text: 'rent' }),
      )
    await isRefused(both(85, 4), /S\d+ opens with [\d.]+ EUR instead of [\d.]+ EUR: a correction/)
    await accept(both(85, 5), 5)
    assert.equal((await world.pix.balances()).suspense, before.suspense + 5n)
    await clean()
    await close({ ref: 'H4', minor: 5, text: 'rent' })
    await clean()
  })

  test('what does not add up, opens with another balance, closes on another day, or began on another day is no correction', async () => {
    const [on, opening] = [day + 1, held]
    const notified = { ref: 'I1', minor: 60, text: 'rent', day: dayOf(on - 1) }
    const one = await close({ ref: 'I2', minor: 40, text: 'rent' })
    const before = await world.pix.balances()
    const wrong = (more: Parameters<typeof statementFile>[0] extends infer All ? Partial<All> : never) =>
      statementFile({ iban, id: `S${on - 1}`, opening, day: dayOf(on - 1), transfers: [notified], ...more })
    const bytes = wrong({ closing: opening + 61 })
    const imported = await world.hand(bytes)
    assert.match(imported.state === 'REFUSED' ? imported.reason : '', /does not add up/)
    const named = { connection: world.account, sha256: sha256(bytes).toString('hex'), reason: 'x' }
    await assert.rejects(request(named), (error) => code(error) === 'not_found')
    await isRefused(wrong({ opening: opening + 1 }), /opens with [\d.]+ EUR instead of/)
    await isRefused(wrong({ day: dayOf(on) }), /closes on [\d-]+, and the one before it on/)
    await isRefused(wrong({ id: 'NEVER' }), /NEVER was not imported before in EUR/)
    assert.deepEqual(await world.pix.balances(), before)
    await clean()
    await accept(one({ ref: 'I2', minor: 41, text: 'rent' }), 1)
    await clean()
  })

  test('a movement of a notification that a correction adds to its statement is not booked again', async () => {
    const of = (minor: number) => ({ ref: 'K1', minor, text: 'rent', day: dayOf(day) })
    const suspense = (await world.pix.balances()).suspense
    await world.hand(notificationFile({ iban, id: 'NK', transfers: [of(50)] }))
    const one = await close(of(51))
    const [waiting] = await listHeld(world.pix.core.sql)
    const { entry, connection } = must(waiting, 'it is held')
    await decideHeld(world.deps, { connection, entry, isSame: false })
    await world.drain()
    assert.equal((await world.pix.balances()).suspense, suspense + 101n)
    await accept(one(of(51), of(50)), 50)
    assert.equal((await world.pix.balances()).suspense, suspense + 101n)
    await clean()
  })
})

suite('the first statement, when the bank corrects it', () => {
  test('what was booked before it is not taken back because the correction says that it began earlier', async () => {
    await using world = await openSepaWorld()
    const notified = { ref: 'N1', minor: 1000, text: 'rent', day: '2026-01-01' }
    await world.hand(notificationFile({ iban, id: 'N', transfers: [notified] }))
    const first = (minor: number, openedOn: string) => {
      const transfers = [{ ref: 'S', minor, text: 'rent', day: '2026-01-02' }]
      const bytes = statementFile({ iban, id: 'S1', opening: 1000, day: '2026-01-02', transfers })
      return Buffer.from(
        bytes.toString('utf8').replace('<Dt><Dt>2026-01-02</Dt></Dt>', `<Dt><Dt>${openedOn}</Dt></Dt>`),
      )
    }
    assert.equal((await world.hand(first(5, '2026-01-02'))).state, 'IMPORTED')
    const balances = await world.pix.balances()
    const bytes = first(6, '2026-01-01')
    assert.equal((await world.hand(bytes)).state, 'REFUSED')
    const named = { connection: world.account, sha256: sha256(bytes).toString('hex'), reason: 'x' }
    await assert.rejects(
      requestCorrection(world.deps, person('ana'), named),
      /the balances of S1 change by 0\.01 EUR, but its entries by -9\.99 EUR/,
    )
    assert.deepEqual(await world.pix.balances(), balances)
  })
})
