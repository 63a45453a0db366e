// What a bank's files do to payments and books: exact, spaced, mistyped, twice, contradicting, and notified before stated.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { compareBalances } from '#/settlement/balances.ts'
import {
  notificationFile,
  statementFile,
  type Statement,
  type Transfer,
} from '../../../test/rails/sepa-files.ts'
import { iban, openSepaWorld, type SepaWorld } from '../../../test/sepa-world.ts'
import { decide, listProposals } from './propose.ts'
import { inGroups } from './reference.ts'

suite('files of a bank', () => {
  let world: SepaWorld
  /** What the account holds, as the bank would say. */
  let held = 0
  let day = 0
  let refs = 0
  before(async () => {
    world = await openSepaWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const dayOf = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10)
  const transfer = (minor: number, more: Partial<Transfer> = {}): Transfer => ({
    ref: `REF${(refs += 1)}`,
    minor,
    day: dayOf(day),
    ...more,
  })
  /** The next day's statement with these transfers. */
  const next = (transfers: readonly Transfer[], more: Partial<Statement> = {}) =>
    statementFile({ iban, id: `S${day}`, opening: held, day: dayOf(day), transfers, ...more })
  const isTaken = (transfers: readonly Transfer[]) => {
    held += transfers.reduce((sum, { minor, isDebit }) => sum + (isDebit ? -minor : minor), 0)
    day += 1
  }
  async function take(transfers: readonly Transfer[], more: Partial<Statement> = {}) {
    const imported = await world.hand(next(transfers, more))
    assert.equal(imported.state, 'IMPORTED', JSON.stringify(imported))
    isTaken(transfers)
    return imported
  }
  async function open(minor: number) {
    const { payment } = await world.create(minor)
    return { id: payment.id, reference: await world.referenceOf(payment.id) }
  }
  const reasonOf = async (bytes: Buffer) => {
    const imported = await world.hand(bytes)
    assert.equal(imported.state, 'REFUSED')
    return imported.reason
  }
  const comparison = async () => {
    const rows = await compareBalances(world.pix.core)
    return must(
      rows.find(({ connection }) => connection === world.account),
      'the account is compared',
    ).verdict
  }

  test('a reference is found structured, in free text, spaced, in small letters, in both versions', async () => {
    const [a, b, c] = [await open(1_000), await open(2_000), await open(3_000)]
    const [d, e] = [await open(4_000), await open(5_000)]
    const paid = [
      transfer(1_000, { structured: a.reference }),
      transfer(2_000, { structured: inGroups(b.reference) }),
      transfer(3_000, { text: `order 7 ${inGroups(c.reference).toLowerCase()} obrigado` }),
    ]
    assert.deepEqual(await take(paid), {
      state: 'IMPORTED',
      message: 'camt.053.001.02',
      movements: 3,
      paid: 3,
      proposed: 0,
      held: 0,
      foreign: 0,
      skipped: 0,
    })
    await take([transfer(4_000, { structured: d.reference }), transfer(5_000, { endToEndId: e.reference })], {
      version: '08',
    })
    for (const { id } of [a, b, c, d, e]) assert.equal((await world.pix.payment(id)).status, 'PAID')
    assert.equal(await comparison(), 'agrees')
  })

  test('the same file twice changes nothing, and the same statement in other bytes neither', async () => {
    const { id, reference } = await open(700)
    const transfers = [transfer(700, { structured: reference })]
    const bytes = next(transfers)
    await take(transfers)
    assert.deepEqual(await world.hand(bytes), { state: 'KNOWN', message: 'camt.053.001.02' })
    const again = await world.hand(Buffer.concat([bytes, Buffer.from('\n')]))
    assert.deepEqual(again.state === 'IMPORTED' && [again.movements, again.paid], [0, 0])
    assert.equal((await world.pix.payment(id)).receivedMinor, 700n)
    assert.equal(await comparison(), 'agrees')
  })

  test('a file that contradicts is refused whole, with the reason, and can come again', async () => {
    const { id, reference } = await open(800)
    const transfers = [transfer(800, { structured: reference })]
    const gap = next(transfers, { opening: held + 5 })
    assert.match(await reasonOf(gap), /opens with .* but S\d+ before it closed with/)
    assert.match(await reasonOf(next(transfers, { closing: held + 9_999 })), /does not add up/)
    assert.match(
      await reasonOf(next(transfers, { id: `S${day - 1}` })),
      /was imported before, with other balances/,
    )
    assert.match(await reasonOf(next(transfers, { iban: 'DE89370400440532013000' })), /is not connected/)
    assert.equal((await world.pix.payment(id)).receivedMinor, 0n)
    // The statement that was missing comes, and then the refused one follows.
    await take([transfer(5)])
    assert.equal((await world.hand(gap)).state, 'REFUSED')
    await take(transfers)
    assert.equal((await world.pix.payment(id)).status, 'PAID')
  })

  test('a notification is booked at once, and held against the statement of its day', async () => {
    const { id, reference } = await open(900)
    const transfers = [transfer(900, { structured: reference })]
    const notified = notificationFile({ iban, id: 'N1', transfers })
    assert.equal((await world.hand(notified)).state, 'IMPORTED')
    assert.equal((await world.pix.payment(id)).status, 'PAID')
    assert.equal(await comparison(), 'agrees')
    assert.match(
      await reasonOf(next([transfer(1)])),
      /lacks the entry REF\d+ of .*, which a notification reported/,
    )
    await take([...transfers, transfer(50)])
    assert.equal((await world.pix.payment(id)).receivedMinor, 900n)
    const late = notificationFile({ iban, id: 'N2', transfers: [transfer(60, { day: dayOf(day - 1) })] })
    assert.match(await reasonOf(late), /is not in S\d+, which closed on/)
    assert.equal(await comparison(), 'agrees')
  })

  test('a typo is proposed to a person and booked only when it is accepted, once', async () => {
    const [first, second] = [await open(1_100), await open(1_200)]
    const swapped = first.reference.replace(/(.)(.)(..)$/, '$2$1$3')
    const typo = swapped === first.reference ? first.reference.slice(0, -1) : swapped
    const wrong = second.reference.slice(0, -1)
    const before = await world.pix.balances()
    const imported = await take([transfer(1_100, { structured: typo }), transfer(1_200, { text: wrong })])
    assert.equal(imported.state === 'IMPORTED' && imported.proposed, 2)
    assert.deepEqual(await world.pix.balances(), before)
    assert.equal(await comparison(), 'agrees')
    assert.equal((await world.pix.payment(first.id)).status, 'WAITING_PAYMENT')
    const proposals = await listProposals(world.pix.core.sql)
    assert.deepEqual(
      proposals.map(({ paymentId, near, payer }) => [paymentId, near, payer]),
      [
        [first.id, first.reference, 'Ana & Rui'],
        [second.id, second.reference, 'Ana & Rui'],
      ],
    )
    const [accepted, refused] = proposals
    await decide(world.deps, { ...must(accepted, 'one'), isPayments: true })
    await decide(world.deps, { ...must(refused, 'another'), isPayments: false })
    assert.equal(await decide(world.deps, { ...must(accepted, 'one'), isPayments: false }), undefined)
    await world.drain()
    assert.equal((await world.pix.payment(first.id)).status, 'PAID')
    assert.equal((await world.pix.payment(second.id)).status, 'WAITING_PAYMENT')
    assert.equal((await world.pix.balances()).suspense - before.suspense, 1_200n)
    assert.equal(await comparison(), 'agrees')
  })

  test('two references in one transfer, and none, wait in suspense; the books verify', async () => {
    const [a, b] = [await open(10), await open(20)]
    const before = (await world.pix.balances()).suspense
    await take([transfer(30, { text: `${a.reference} ${b.reference}` }), transfer(40, { text: 'rent' })])
    assert.equal((await world.pix.balances()).suspense - before, 70n)
    assert.equal(await comparison(), 'agrees')
    assert.deepEqual((await world.pix.verify()).faults, [])
  })
})
