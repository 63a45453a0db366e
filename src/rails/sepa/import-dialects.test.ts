// Banks' files as banks write them: every spelling of a simple type, references in every part, packed, in other encodings, and one bad file
// among good ones.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, suite, test } from 'node:test'
import { silentLog } from '#/kernel/log.ts'
import { compareBalances } from '#/settlement/balances.ts'
import { notificationFile, statementFile, type Transfer } from '../../../test/rails/sepa-files.ts'
import { zipFile } from '../../../test/rails/zip-files.ts'
import { iban, openSepaWorld, type SepaWorld } from '../../../test/sepa-world.ts'
import { importFolder } from './folder.ts'
import { handIn } from './hand-in.ts'
import { inGroups } from './reference.ts'

/** The same file with another text in this place. */
const changed = (bytes: Buffer, from: string | RegExp, to: string) => {
  const text = bytes.toString('utf8')
  assert.notEqual(text.replace(from, to), text, `${String(from)} is in the file`)
  return Buffer.from(text.replace(from, to))
}

suite('files of banks, as banks write them', () => {
  let world: SepaWorld
  let held = 0
  let day = 0
  let refs = 0
  before(async () => {
    world = await openSepaWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const dayOf = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10)
  const transfer = (minor: number, more: Partial<Transfer> = {}): Transfer => ({
    ref: `D${(refs += 1)}`,
    minor,
    day: dayOf(day),
    ...more,
  })
  /** The next day's statement with these transfers. */
  const next = (...transfers: readonly Transfer[]) =>
    statementFile({ iban, id: `S${day}`, opening: held, day: dayOf(day), transfers })
  const isTaken = (...transfers: readonly Transfer[]) => {
    held += transfers.reduce((sum, { minor, isDebit }) => sum + (isDebit ? -minor : minor), 0)
    day += 1
  }
  async function hand(bytes: Buffer, name = 'a.xml') {
    const imported = await handIn(world.deps, { bytes, name, by: 'a test' })
    await world.drain()
    return imported
  }
  async function take(bytes: Buffer, ...transfers: readonly Transfer[]) {
    const imported = await hand(bytes)
    assert.equal(imported.state, 'IMPORTED', JSON.stringify(imported))
    isTaken(...transfers)
    return imported
  }
  async function reasonOf(bytes: Buffer, name = 'a.xml') {
    const imported = await hand(bytes, name)
    assert.equal(imported.state, 'REFUSED', JSON.stringify(imported))
    return imported.reason
  }
  async function open(minor: number) {
    const { payment } = await world.create(minor)
    return { id: payment.id, reference: await world.referenceOf(payment.id) }
  }
  const statusOf = async (id: Parameters<SepaWorld['referenceOf']>[0]) => (await world.pix.payment(id)).status
  const verify = async () => assert.deepEqual((await world.pix.verify()).faults, [])

  test('a reversal is one in both spellings: the merchant does not keep what the bank took back', async () => {
    const { id, reference } = await open(1_000)
    const paid = transfer(1_000, { structured: reference })
    await take(next(paid), paid)
    assert.equal(await statusOf(id), 'PAID')
    const before = (await world.pix.balances()).available
    const back = transfer(1_000, { isDebit: true, structured: reference, isReversal: true })
    await take(changed(next(back), '<RvslInd>true</RvslInd>', '<RvslInd>1</RvslInd>'), back)
    assert.equal((await world.pix.balances()).available, before - 1_000n)
    await verify()
  })

  test('a part of a statement is one in both spellings, and is not taken for the whole', async () => {
    const paging = (last: string, page = '1') =>
      changed(
        next(),
        '<Acct>',
        `<StmtPgntn><PgNb>${page}</PgNb><LastPgInd>${last}</LastPgInd></StmtPgntn><Acct>`,
      )
    for (const bytes of [paging('0'), paging('false'), paging('true', '2')])
      assert.match(await reasonOf(bytes), /one page of several/)
    assert.match(await reasonOf(paging('maybe')), /LastPgInd is maybe, neither true nor false/)
    await take(paging('1', '00001'))
  })

  test('amounts, days and accounts are read in every spelling of the schema', async () => {
    const { id, reference } = await open(4_500)
    const paid = transfer(4_500, { structured: reference, from: 'DE89 3704 0044 0532 0130 00' })
    const spelled = changed(
      changed(next(paid), '>45.00<', '>+045.<'),
      iban,
      'pt50 0002 0123 1234 5678 9015 4',
    )
    await take(
      changed(spelled, `<BookgDt><Dt>${dayOf(day)}</Dt>`, `<BookgDt><Dt>${dayOf(day)}+01:00</Dt>`),
      paid,
    )
    assert.equal(await statusOf(id), 'PAID')
  })

  test('a day that there is not refuses its own file, and no other of the folder', async (t) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'vintem-dialects-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    const { id, reference } = await open(300)
    const paid = transfer(300, { structured: reference })
    const good = next(paid)
    const bad = changed(next(), /<Bal>(.*?)<Dt>\d{4}-\d{2}-\d{2}<\/Dt>/s, '<Bal>$1<Dt>2027-02-30</Dt>')
    // A fault of ours, and a character that the database does not keep.
    const broken = notificationFile({ iban, id: 'N1', transfers: [transfer(1, { text: 'break us' })] })
    const unkept = changed(
      notificationFile({ iban, id: 'N1', transfers: [transfer(1, { text: 'x' })] }),
      '>x<',
      '>\0<',
    )
    await writeFile(path.join(folder, '1.xml'), bad)
    await writeFile(path.join(folder, '2.xml'), unkept)
    await writeFile(path.join(folder, '3.xml'), broken)
    await writeFile(path.join(folder, '4.zip'), zipFile([{ name: 'day.xml', bytes: good }]))
    const keep: typeof world.deps.keep = (tx, method, connection, bodies) => {
      assert.ok(!bodies.some((body) => body.includes('break us')), 'we break')
      return world.deps.keep(tx, method, connection, bodies)
    }
    assert.equal(await importFolder({ ...world.deps, keep, log: silentLog }, folder), 4)
    await world.drain()
    isTaken(paid)
    assert.equal(await statusOf(id), 'PAID')
    assert.deepEqual(await readdir(path.join(folder, 'imported')), ['4.zip'])
    const reason = (name: string) => readFile(path.join(folder, 'refused', `${name}.reason.txt`), 'utf8')
    assert.match(await reason('1.xml'), /has the day 2027-02-30 in Dt, which there is not/)
    assert.match(await reason('2.xml'), /a character that XML forbids/)
    assert.match(await reason('3.xml'), /cannot be imported, by a fault of ours: we break/)
  })

  test('a reference is found in every part in which banks put one', async () => {
    const long = 'PAYMENT OF RENT FOR FOUR FURNISHED ROOMS '.repeat(30)
    const places: readonly ((reference: string) => (bytes: Buffer) => Buffer)[] = [
      // What the entry says, with one detail in it.
      (reference) => (bytes) =>
        changed(bytes, '</NtryDtls>', `</NtryDtls><AddtlNtryInf>SEPA IN ${reference}</AddtlNtryInf>`),
      (reference) => (bytes) =>
        changed(
          bytes,
          '</Refs>',
          `</Refs><RmtInf><Strd><RfrdDocInf><Nb>${reference}</Nb></RfrdDocInf></Strd></RmtInf>`,
        ),
      (reference) => (bytes) =>
        changed(
          bytes,
          '</Refs>',
          `</Refs><RmtInf><Strd><AddtlRmtInf>ref ${reference.slice(0, 9)}</AddtlRmtInf><AddtlRmtInf>${reference.slice(9)}</AddtlRmtInf></Strd></RmtInf>`,
        ),
      (reference) => (bytes) => changed(bytes, '<EndToEndId>', `<InstrId>${reference}</InstrId><EndToEndId>`),
      (reference) => (bytes) =>
        changed(bytes, '</Refs>', `</Refs><RmtInf><Ustrd>${long}${reference}</Ustrd></RmtInf>`),
      (reference) => (bytes) =>
        changed(
          bytes,
          '</NtryDtls>',
          `</NtryDtls><AddtlNtryInf>166?00GUTSCHRIFT?20SVWZ+${inGroups(reference).slice(0, 12)}?21${inGroups(reference).slice(12)}?30BANKDEFF?32ANA</AddtlNtryInf>`,
        ),
    ]
    for (const [at, place] of places.entries()) {
      const { id, reference } = await open(100 + at)
      const paid = transfer(100 + at)
      await take(place(reference)(next(paid)), paid)
      assert.equal(await statusOf(id), 'PAID', `place ${at}`)
    }
    // A typo behind a long text is proposed, as it is in a short one.
    const { reference } = await open(99)
    const typo = transfer(99, { text: long + reference.slice(0, -1) })
    const imported = await take(next(typo), typo)
    assert.equal(imported.state === 'IMPORTED' && imported.proposed, 1)
    await verify()
  })

  test('the text of a collected entry is of all its transfers, and pays none of them', async () => {
    const { id, reference } = await open(40)
    const paid = transfer(70)
    const inner = ['0.40', '0.30'].map(
      (each) => `<TxDtls><AmtDtls><TxAmt><Amt Ccy="EUR">${each}</Amt></TxAmt></AmtDtls></TxDtls>`,
    )
    const bytes = changed(
      next(paid),
      /<NtryDtls>.*<\/NtryDtls>/s,
      `<NtryDtls>${inner.join('')}</NtryDtls><AddtlNtryInf>${reference}</AddtlNtryInf>`,
    )
    await take(bytes, paid)
    assert.equal(await statusOf(id), 'WAITING_PAYMENT')
  })

  test('a statement of ISO-8859-1 or UTF-16 says the same as one of UTF-8, and of any version up to 13', async () => {
    const inLatin = transfer(10, { text: 'Café São João' })
    const text = next(inLatin).toString('utf8').replace('encoding="UTF-8"', 'encoding="ISO-8859-1"')
    await take(Buffer.from(text, 'latin1'), inLatin)
    const inWide = transfer(11, { text: 'Café São João' })
    const wide = next(inWide).toString('utf8').replace('encoding="UTF-8"', 'encoding="UTF-16"')
    await take(Buffer.from(`\uFEFF${wide}`, 'utf16le'), inWide)
    const kept = await world.pix.core.sql<{ wrote: string }[]>`
      select fact ->> 'remittance' as wrote from sepa_entry where reference in (${inLatin.ref}, ${inWide.ref})`
    assert.deepEqual(
      kept.map(({ wrote }) => wrote),
      ['Café São João', 'Café São João'],
    )
    for (const version of ['09', '10', '11', '12', '13']) {
      const newer = transfer(12)
      const bytes = statementFile({
        iban,
        id: `S${day}`,
        opening: held,
        day: dayOf(day),
        version: '08',
        transfers: [newer],
      })
      const imported = await take(changed(bytes, 'camt.053.001.08', `camt.053.001.${version}`), newer)
      assert.equal(imported.state === 'IMPORTED' && imported.message, `camt.053.001.${version}`)
    }
    await verify()
  })

  test('each file of a ZIP is taken by itself: a refused one holds up no other, and those of other accounts are left out', async () => {
    const { id, reference } = await open(555)
    const paid = transfer(555, { structured: reference })
    const good = next(paid)
    const forged = changed(good, '5.55', '6.55')
    const others = statementFile({ iban: 'DE89370400440532013000', id: 'O', opening: 0, transfers: [] })
    const files = [
      { name: '1.xml', bytes: forged },
      { name: '2.xml', bytes: good },
      { name: '3.xml', bytes: others },
    ]
    assert.match(
      await reasonOf(zipFile(files), 'c53.zip'),
      /^1 of 3 files in it were refused, 1 were imported: 1\.xml: .*does not add up/,
    )
    isTaken(paid)
    assert.equal(await statusOf(id), 'PAID')
    const rest = zipFile(files.slice(1))
    assert.deepEqual(await hand(rest), { state: 'KNOWN', message: 'camt.053.001.02' })
    assert.match(await reasonOf(zipFile(files.slice(2))), /that account is not connected/)
    assert.match(await reasonOf(zipFile([])), /a ZIP without a file/)
    const moreOf = transfer(1)
    const whole = await hand(zipFile([{ name: 'x.xml', bytes: next(moreOf) }, ...files.slice(2)]))
    assert.deepEqual(whole.state === 'IMPORTED' && [whole.movements, whole.skipped], [1, 1])
    isTaken(moreOf)
    await verify()
  })

  test('a report of the day shows that money was seen, and settles nothing', async () => {
    const { id, reference } = await open(700)
    const paid = transfer(700, { structured: reference })
    const statement = next(paid)
    const report = Buffer.from(
      statement
        .toString('utf8')
        .replace('camt.053.001.02', 'camt.052.001.08')
        .replaceAll('BkToCstmrStmt', 'BkToCstmrAcctRpt')
        .replaceAll('Stmt>', 'Rpt>')
        .replace('<Sts>BOOK</Sts>', '<Sts><Cd>PDNG</Cd></Sts>'),
    )
    const before = await world.pix.balances()
    assert.deepEqual(await hand(report), {
      state: 'IMPORTED',
      message: 'camt.052.001.08',
      movements: 0,
      paid: 0,
      proposed: 0,
      held: 0,
      foreign: 0,
      skipped: 0,
      seen: 1,
    })
    assert.deepEqual(await world.pix.balances(), before)
    assert.equal(await statusOf(id), 'WAITING_PAYMENT')
    assert.equal((await hand(report)).state, 'KNOWN')
    await take(statement, paid)
    assert.equal(await statusOf(id), 'PAID')
    await verify()
  })

  test('what is no statement is refused by what it is', async () => {
    for (const [bytes, reason] of [
      [Buffer.from('%PDF-1.7'), /a PDF/],
      [Buffer.from('\x1f\x8b\x08', 'latin1'), /packed by gzip/],
      [Buffer.from('{1:F01BANKDEFF}'), /SWIFT text/],
      [Buffer.from(':20:START\r\n:25:123/456\r\n'), /SWIFT text/],
      [Buffer.from('Date;Amount;Text\n1;2;3\n'), /a table/],
      [Buffer.from('<!DOCTYPE html><html>'), /a web page/],
      [Buffer.from('{"a":1}'), /JSON/],
      [changed(next(), 'camt.053.001.02', 'pain.001.001.09'), /pain\.001\.001\.09, a file of payments/],
      [changed(next(), 'camt.053.001.02', 'camt.053.001.01'), /camt\.053\.001\.01, of the first version/],
      [
        changed(next(), 'camt.053.001.02', 'camt.053.001.14'),
        /camt\.053\.001\.14, of a version that is not known/,
      ],
      [Buffer.from('<Invoice/>'), /XML with the root Invoice/],
    ] as const)
      assert.match(await reasonOf(bytes), reason)
  })

  test('an amount above 2^53 − 1 cents is held for a person, and its neighbour is booked', async () => {
    const { id, reference } = await open(800)
    const { id: large, reference: other } = await open(900)
    const paid = transfer(800, { structured: reference })
    const huge = transfer(Number.MAX_SAFE_INTEGER, { structured: other })
    const notified = notificationFile({ iban, id: 'N2', transfers: [paid, huge] })
    // A few cents more than a JSON number holds exactly.
    const bytes = changed(notified, /90071992547409\.9\d/g, '90071992547409.95')
    const before = (await world.pix.balances()).suspense
    assert.equal((await hand(bytes)).state, 'IMPORTED')
    assert.equal(await statusOf(id), 'PAID')
    const { core } = world.pix
    for (let tries = 0; tries < 5; tries++) {
      await core.sql`update inbox set due_at = now() - interval '1 second'`
      await world.drain()
    }
    assert.equal(await statusOf(large), 'WAITING_PAYMENT')
    assert.equal((await world.pix.balances()).suspense, before)
    const parked = await core.sql<{ error: string }[]>`select last_error as error from inbox where parked`
    assert.equal(parked.length, 1)
    assert.match(String(parked[0]?.error), /cannot be booked: its amount is not valid/)
    const rows = await compareBalances(core)
    assert.equal(rows.find(({ connection }) => connection === world.account)?.verdict, 'differs')
  })
})
