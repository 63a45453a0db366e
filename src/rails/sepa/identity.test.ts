// Who a movement is, from outside: banks that write placeholders, and counters that restart every day. Nobody's money is passed over,
// nothing is credited twice, and what is not certain waits for a person.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { compareBalances } from '#/settlement/balances.ts'
import { notificationFile, statementFile, type Transfer } from '../../../test/rails/sepa-files.ts'
import { iban, openSepaWorld, type SepaWorld } from '../../../test/sepa-world.ts'
import { parseCamt } from './camt.ts'
import { decideHeld, listHeld } from './held.ts'
import { entryName } from './ids.ts'

suite('who a movement is', () => {
  let world: SepaWorld
  let held = 0
  let day = 0
  let files = 0
  before(async () => {
    world = await openSepaWorld()
  })
  after(async () => {
    await using _ = world
    assert.deepEqual((await world.pix.verify()).faults, [])
  })

  const dayOf = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10)
  const dated = (transfers: readonly Transfer[]) => transfers.map((each) => ({ day: dayOf(day), ...each }))
  const notified = (...transfers: readonly Transfer[]) =>
    notificationFile({ iban, id: `N${(files += 1)}`, transfers: dated(transfers) })
  const stated = (...transfers: readonly Transfer[]) =>
    statementFile({ iban, id: `S${day}`, opening: held, day: dayOf(day), transfers: dated(transfers) })
  /** The day's statement; the next day begins. */
  async function close(...transfers: readonly Transfer[]) {
    const imported = await hand(stated(...transfers))
    held += transfers.reduce((sum, { minor, isDebit }) => sum + (isDebit ? -minor : minor), 0)
    day += 1
    return imported
  }
  async function hand(bytes: Buffer) {
    const imported = await world.hand(bytes)
    assert.ok(imported.state === 'IMPORTED', JSON.stringify(imported))
    return imported
  }
  const refused = async (bytes: Buffer) => {
    const imported = await world.hand(bytes)
    assert.ok(imported.state === 'REFUSED', JSON.stringify(imported))
    return imported.reason
  }
  async function open(minor: number) {
    const { payment } = await world.create(minor)
    const structured = await world.referenceOf(payment.id)
    return { id: payment.id, structured, status: async () => (await world.pix.payment(payment.id)).status }
  }
  /** What the bank kept for itself. */
  let fees = 0n
  const agrees = async () => {
    const row = (await compareBalances(world.pix.core)).find(
      ({ connection, currency }) => connection === world.account && currency === 'EUR',
    )
    const { verdict, ...sums } = must(row, 'the account is compared')
    if (fees === 0n) assert.equal(verdict, 'agrees')
    else assert.equal(sums.differenceMinor, -fees)
  }
  const waiting = async (of: number) => {
    const rows = await listHeld(world.pix.core.sql)
    assert.equal(rows.length, of, JSON.stringify(rows.map(({ entry }) => entry)))
    return rows
  }

  for (const ref of ['NONREF', 'NOTPROVIDED', 'NOREF', '', '0000000'])
    test(`a bank that writes “${ref}” for every entry: each payer is paid, in notifications and in statements`, async () => {
      const [a, b, c] = [await open(1_000), await open(1_000), await open(2_000)]
      const [first, second, third] = [
        { ref, minor: 1_000, structured: a.structured, name: 'Ana' },
        { ref, minor: 1_000, structured: b.structured, name: 'Rui' },
        { ref, minor: 2_000, structured: c.structured, name: 'Eva' },
      ]
      await hand(notified(first))
      assert.deepEqual((await hand(notified(second))).movements, 1)
      await hand(notified(first, second))
      assert.deepEqual([await a.status(), await b.status()], ['PAID', 'PAID'])
      assert.deepEqual((await close(first, second, third)).movements, 1)
      assert.equal(await c.status(), 'PAID')
      // The same words on the next day are another transfer.
      const before = await world.pix.payment(a.id)
      assert.equal((await close(first)).movements, 1)
      assert.equal((await world.pix.payment(a.id)).receivedMinor, before.receivedMinor + 1_000n)
      await waiting(0)
      await agrees()
    })

  test('two transfers that are equal in all of it are two where the statement has two', async () => {
    const rent = { ref: 'NONREF', minor: 70, text: 'rent' }
    const before = (await world.pix.balances()).suspense
    await hand(notified(rent))
    await close(rent, rent)
    assert.equal((await world.pix.balances()).suspense, before + 140n)
    const again = await hand(notified({ ...rent, day: dayOf(day - 1) }, { ...rent, day: dayOf(day - 1) }))
    assert.equal(again.movements, 0)
    await agrees()
  })

  test('a counter that restarts every day names another movement on another day', async () => {
    const [a, b] = [await open(310), await open(320)]
    await close({ ref: '1', minor: 310, structured: a.structured })
    await close({ ref: '1', minor: 320, structured: b.structured })
    assert.deepEqual([await a.status(), await b.status()], ['PAID', 'PAID'])
    await waiting(0)
    await agrees()
  })

  test('the same content under the same name on another day waits for a person, who says that it is another', async () => {
    const payment = await open(410)
    const transfer = { ref: '2', minor: 410, structured: payment.structured }
    await close(transfer)
    const imported = await close(transfer)
    assert.deepEqual([imported.movements, imported.paid, imported.held], [1, 0, 1])
    assert.equal((await world.pix.payment(payment.id)).receivedMinor, 410n)
    await agrees()
    const [one] = await waiting(1)
    const { connection, entry, like } = must(one, 'it waits')
    assert.equal(like?.entry, '2')
    assert.equal((await decideHeld(world.deps, { connection, entry, isSame: true })).kind, 'not_same')
    assert.equal((await decideHeld(world.deps, { connection, entry, isSame: false })).kind, 'decided')
    assert.equal((await decideHeld(world.deps, { connection, entry, isSame: false })).kind, 'not_found')
    await world.drain()
    assert.equal((await world.pix.payment(payment.id)).receivedMinor, 820n)
    await agrees()
  })

  test('what was notified for one day and stated for the next is the same, when a person says so', async () => {
    const payment = await open(450)
    const transfer = { ref: 'NIGHT', minor: 450, structured: payment.structured }
    await hand(notified(transfer))
    day += 1
    const next = { ...transfer, day: dayOf(day) }
    assert.equal((await close(next)).held, 1)
    const [one] = await waiting(1)
    const { connection, entry } = must(one, 'it waits')
    await agrees()
    assert.equal((await decideHeld(world.deps, { connection, entry, isSame: true })).kind, 'decided')
    await world.drain()
    assert.equal((await world.pix.payment(payment.id)).receivedMinor, 450n)
    await agrees()
    await close({ ref: 'LATER', minor: 1 })
    await agrees()
  })

  for (const [name, change] of [
    ['another amount', { minor: 520 }],
    ['another payer', { name: 'Rui' }],
    ['another account', { from: 'FR1420041010050500013M02606' }],
    ['another text', { text: 'invoice 8' }],
    ['another EndToEndId', { endToEndId: 'E-2' }],
    ['another UETR', { uetr: '8a562c67-ca16-48ba-b074-65581be6f002' }],
  ] as const)
    test(`a known name of the same day with ${name} is held, in a notification and in a statement`, async () => {
      const ref = `K${day}`
      const first: Transfer = {
        ref,
        minor: 510,
        text: 'invoice 7',
        name: 'Ana',
        endToEndId: 'E-1',
        from: 'DE89370400440532013000',
        uetr: '8a562c67-ca16-48ba-b074-65581be6f001',
      }
      const second = { ...first, ...change }
      const before = (await world.pix.balances()).suspense
      await hand(notified(first))
      assert.equal((await hand(notified(second))).held, 1)
      assert.equal((await world.pix.balances()).suspense, before + 510n)
      assert.equal((await close(first, second)).movements, 0)
      const [one] = await waiting(1)
      await agrees()
      await decideHeld(world.deps, { ...must(one, 'it waits'), isSame: false })
      await world.drain()
      assert.equal((await world.pix.balances()).suspense, before + 510n + BigInt(second.minor))
      await waiting(0)
      await agrees()
      // In one statement alone.
      const twice = { ...first, ref: `L${day}` }
      assert.equal((await close(twice, { ...twice, ...change })).held, 1)
      const [other] = await waiting(1)
      await decideHeld(world.deps, { ...must(other, 'it waits'), isSame: false })
      await world.drain()
      await agrees()
    })

  test('the bank’s own names decide in their order: of the transfer, of the entry, its own sort, TxId, UETR', async () => {
    const [one, other] = ['8a562c67-ca16-48ba-b074-65581be6f003', '8a562c67-ca16-48ba-b074-65581be6f004']
    const base = { minor: 33, text: 'rent' }
    const before = (await world.pix.balances()).suspense
    await hand(notified({ ...base, ref: 'SUM', detail: 'D1' }, { ...base, ref: 'SUM', detail: 'D2' }))
    await hand(notified({ ...base, ref: 'NONREF', own: 'P1' }, { ...base, ref: 'NONREF', own: 'P2' }))
    await hand(notified({ ...base, ref: '', txId: 'T1' }, { ...base, ref: '', txId: 'T2' }))
    await hand(notified({ ...base, ref: '', uetr: one }, { ...base, ref: '', uetr: other }))
    await waiting(0)
    assert.equal((await world.pix.balances()).suspense, before + 8n * 33n)
    const all: Transfer[] = [
      ...[{ detail: 'D1' }, { detail: 'D2' }].map((each) => ({ ...base, ref: 'SUM', ...each })),
      ...[{ own: 'P1' }, { own: 'P2' }].map((each) => ({ ...base, ref: 'NONREF', ...each })),
      ...[{ txId: 'T1' }, { txId: 'T2' }, { uetr: one }, { uetr: other }].map((each) => ({
        ...base,
        ref: '',
        ...each,
      })),
    ]
    assert.equal((await close(...all)).movements, 0)
    await agrees()
  })

  test('a collected entry less a fee pays each payer; one that contradicts itself is held, and goes to suspense by a person', async () => {
    const detailsOf = (first: string, second: string) =>
      [
        ['100.00', 'CRDT', first],
        ['45.00', 'CRDT', second],
        ['5.00', 'DBIT', 'fee'],
      ]
        .map(
          ([amount, side, text]) =>
            `<TxDtls><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`,
        )
        .join('')
    const [a, b, c, d] = [await open(10_000), await open(4_500), await open(10_000), await open(4_500)]
    const details = detailsOf(a.structured, b.structured)
    await close({ ref: 'SUM-A', minor: 14_000, details })
    fees += 500n
    assert.deepEqual([await a.status(), await b.status()], ['PAID', 'PAID'])
    const before = (await world.pix.balances()).suspense
    const wrong = detailsOf(c.structured, d.structured)
    assert.equal((await close({ ref: 'SUM-B', minor: 15_000, details: wrong })).held, 1)
    assert.deepEqual([await c.status(), await d.status()], ['WAITING_PAYMENT', 'WAITING_PAYMENT'])
    const [one] = await waiting(1)
    const { connection, entry, wrote, like } = must(one, 'it waits')
    // The person sees whose money it is about.
    assert.ok(wrote.includes(c.structured) && wrote.includes(d.structured) && like === undefined)
    assert.equal((await decideHeld(world.deps, { connection, entry, isSame: true })).kind, 'not_same')
    assert.equal((await decideHeld(world.deps, { connection, entry, isSame: false })).kind, 'decided')
    await world.drain()
    assert.equal((await world.pix.balances()).suspense, before + 15_000n)
  })

  test('X1-USD in euro and X1 in dollars are two entries', async () => {
    const dollars = (bytes: Buffer) => Buffer.from(bytes.toString('utf8').replaceAll('EUR', 'USD'))
    const before = (await world.pix.balances()).suspense
    await hand(notified({ ref: 'X1-USD', minor: 61, text: 'rent' }))
    const imported = await hand(dollars(notified({ ref: 'X1', minor: 62, text: 'rent' })))
    assert.equal(imported.movements, 1)
    assert.equal((await world.pix.balances()).suspense, before + 61n + 62n)
    const rows = await world.pix.core.sql<{ reference: string }[]>`
      select reference from sepa_entry where amount_minor in (61, 62) order by reference`
    assert.equal(new Set(rows.map(({ reference }) => reference)).size, 2)
    await close({ ref: 'X1-USD', minor: 61, text: 'rent' })
    await agrees()
  })

  test('names of two currencies are never one, and the number of an entry within its statement is no name', () => {
    assert.notEqual(entryName('X1-USD', 'EUR'), entryName('X1', 'USD'))
    const bytes = notified({ ref: 'Q1', minor: 5, text: 'rent' })
    const numbered = bytes.toString('utf8').replace('<AcctSvcrRef>Q1</AcctSvcrRef>', '<NtryRef>1</NtryRef>')
    assert.ok(numbered.includes('NtryRef'))
    assert.deepEqual(parseCamt(Buffer.from(numbered)).reports[0]?.movements[0]?.ids, {})
  })

  test('francs without a name of the bank’s are each kept', async () => {
    const francs = (bytes: Buffer) => Buffer.from(bytes.toString('utf8').replaceAll('EUR', 'CHF'))
    const transfers = [
      { ref: 'NONREF', minor: 80, text: 'one' },
      { ref: 'NONREF', minor: 80, text: 'two' },
      { ref: '1', minor: 90, text: 'one' },
    ]
    assert.equal((await hand(francs(notified(...transfers)))).foreign, 3)
    assert.equal((await hand(francs(notified(...transfers)))).foreign, 0)
    day += 1
    assert.equal((await hand(francs(notified(...transfers)))).foreign, 3)
  })

  test('an edited statement of the same name and balances is refused, and shown beside the one that was imported', async () => {
    const payment = await open(520)
    const before = await world.pix.balances()
    const opening = held
    const on = day
    await close({ ref: 'GOOD1', minor: 40, text: 'rent' }, { ref: 'GOOD2', minor: 10, isDebit: true })
    fees += 10n
    const edited = statementFile({
      iban,
      id: `S${on}`,
      opening,
      day: dayOf(on),
      transfers: [
        { ref: 'BAD1', minor: 520, structured: payment.structured, day: dayOf(on) },
        { ref: 'BAD2', minor: 490, isDebit: true, day: dayOf(on) },
      ],
    })
    const reason = await refused(edited)
    assert.match(reason, new RegExp(`the statement S${on} was imported before with other entries`))
    assert.match(reason, /only before: GOOD1 of 0\.40 EUR on [\d-]+, GOOD2 of -0\.10 EUR/)
    assert.match(reason, /only in this file: BAD1 of 5\.20 EUR on [\d-]+, BAD2 of -4\.90 EUR/)
    assert.equal(await payment.status(), 'WAITING_PAYMENT')
    assert.equal((await world.pix.balances()).suspense, before.suspense + 40n)
    // One entry less or more, which balances by another's amount, is no better.
    const same = [
      { ref: 'GOOD1', minor: 40, text: 'rent', day: dayOf(on) },
      { ref: 'GOOD2', minor: 10, isDebit: true, day: dayOf(on) },
    ]
    const whole = { iban, id: `S${on}`, opening, day: dayOf(on) }
    const nothing = { ref: 'X', minor: 5, day: dayOf(on) }
    const more = [...same, nothing, { ...nothing, ref: 'Y', isDebit: true }]
    assert.match(
      await refused(statementFile({ ...whole, transfers: more })),
      /only before: none; only in this file: X/,
    )
    const fewer = [{ ...nothing, ref: 'Z', minor: 30 }]
    assert.match(
      await refused(statementFile({ ...whole, transfers: fewer })),
      /only before: GOOD1 .* only in this file: Z/,
    )
    const other = await hand(statementFile({ ...whole, version: '08', transfers: same }))
    assert.equal(other.movements, 0)
    await agrees()
  })
})

suite('an installation whose movements an earlier program stored', () => {
  let world: SepaWorld
  before(async () => {
    world = await openSepaWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const day = '2026-01-01'
  /** What that program stored: a name, and no identifiers. */
  async function asStoredBefore() {
    await world.pix.core.sql`
      update sepa_entry
         set fact = (fact::jsonb - 'ids')::json,
             names = array(select name from unnest(names) as each (name)
                            where name in (fact ->> 'endToEndId', fact ->> 'quoted') or name like 'TX%')`
  }
  const hand = async (bytes: Buffer) => {
    const imported = await world.hand(bytes)
    assert.ok(imported.state === 'IMPORTED', JSON.stringify(imported))
    return imported
  }

  test('takes a file that overlaps, and credits nothing twice, in euro and in dollars', async () => {
    const { payment } = await world.create(700)
    const transfers = [
      { ref: 'A', minor: 700, structured: await world.referenceOf(payment.id), day, endToEndId: 'E-1' },
      { ref: 'B', minor: 50, text: 'rent', day, txId: 'TX1', name: 'Rui' },
      { ref: 'C', minor: 3, isDebit: true, day },
    ]
    const statement = { iban, id: 'S1', opening: 0, day, transfers }
    const dollars = (bytes: Buffer) => Buffer.from(bytes.toString('utf8').replaceAll('EUR', 'USD'))
    await hand(statementFile(statement))
    await hand(dollars(statementFile({ ...statement, transfers: transfers.slice(1, 2) })))
    await asStoredBefore()
    const before = await world.pix.balances()
    for (const bytes of [
      statementFile({ ...statement, version: '08' }),
      notificationFile({ iban, id: 'N1', transfers }),
      notificationFile({ iban, id: 'N2', transfers: [...transfers].reverse().slice(0, 2) }),
      dollars(statementFile({ ...statement, version: '08', transfers: transfers.slice(1, 2) })),
    ])
      assert.deepEqual([(await hand(bytes)).movements, (await world.hand(bytes)).state], [0, 'KNOWN'])
    assert.deepEqual(await world.pix.balances(), before)
    assert.deepEqual((await world.pix.verify()).faults, [])
    // And what it had passed over comes with the next statement.
    const next = { ...statement, id: 'S2', opening: 747, day: '2026-01-02' }
    const again = await hand(
      statementFile({ ...next, transfers: [{ ref: 'A', minor: 20, text: 'rent', day: '2026-01-02' }] }),
    )
    assert.equal(again.movements, 1)
    assert.equal((await world.pix.balances()).suspense, before.suspense + 20n)
    assert.deepEqual((await world.pix.verify()).faults, [])
  })

  test('knows an entry that was stored under a placeholder by what it says', async () => {
    const { sql } = world.pix.core
    const first = { ref: 'NONREF', minor: 81, text: 'rent', day: '2026-01-03', name: 'Ana' }
    await hand(notificationFile({ iban, id: 'N3', transfers: [first] }))
    await asStoredBefore()
    await sql`update sepa_entry set reference = 'NONREF' where amount_minor = 81`
    const before = (await world.pix.balances()).suspense
    const second = { ...first, name: 'Rui' }
    const imported = await hand(notificationFile({ iban, id: 'N4', transfers: [first, second] }))
    assert.equal(imported.movements, 1)
    assert.equal((await world.pix.balances()).suspense, before + 81n)
  })
})
