// After a restore: what a real signer's journal has of payouts that the books lost.
import assert from 'node:assert/strict'
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { restoredCommand } from '#/cli/restored.ts'
import { readConfig } from '#/config.ts'
import { bytesOf, hexOf } from '#/evm/address.ts'
import { must } from '#/kernel/check.ts'
import { silentLog } from '#/kernel/log.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { readJournalCopy, type JournalCopy } from '#/signer/journal-copy.ts'
import { asUser } from '../../test/as-user.ts'
import { newAddress, type CoinWorld } from '../../test/laws/coins-world.ts'
import { openLostSpan, person, type LostSpan } from '../../test/lost-span.ts'
import { worldKeys } from '../../test/world-keys.ts'
import { beginRepair } from './begin.ts'
import { compareMoneyOut } from './money-out.ts'
import { revivedSubjects } from './restore.ts'
import { confirm, eachInForce } from './review.ts'

let span: LostSpan
let coins: CoinWorld
const copies = mkdtempSync(join(tmpdir(), 'vintem-journals-'))
before(async () => {
  span = await openLostSpan()
  coins = span.coins
})
after(async () => {
  await span[Symbol.asyncDispose]()
  rmSync(copies, { recursive: true, force: true })
})

/** A private copy of what a reader needs, as it is now. Returns the journal's path. */
function copied(name: string): string {
  const folder = join(copies, name)
  mkdirSync(join(folder, 'keys'), { recursive: true, mode: 0o700 })
  for (const file of ['journal.jsonl', 'journal.mark', 'passphrase', 'keys/journal.json'])
    copyFileSync(join(span.home.folder, file), join(folder, file))
  return join(folder, 'journal.jsonl')
}

test('the journal names what left, and what may still leave, and nothing is recorded twice', async () => {
  const { world, scene, node } = coins
  const waiting = await coins.withdraw(80n)
  await coins.work(['payouts'])
  const [queued] = await world.sql<{ reference: string; recipient: Buffer }[]>`
    select reference, recipient from chain_tx where subject = ${waiting}`
  const { reference, recipient } = must(queued, 'it waits for its nonce')
  const early = copied('early')
  await beginRepair(world, { ...person, reason: 'disk lost', eventJump: 1_000n })

  // Nonce 0 is the payout that the books know. The others are of the lost span.
  await span.mine(await span.sign(1n, 'payout/lost-a', newAddress(), 700n))
  await coins.work(['watch', 'book'])
  const without = await compareMoneyOut(span.deps(), person)
  assert.deepEqual(
    without.recorded.map(({ amountMinor }) => amountMinor),
    [700n],
  )
  assert.match(without.sources[0]?.why ?? '', /--journal/)
  // The journal names it, and records nothing again.
  assert.deepEqual(await span.compare(), {
    recorded: [],
    behind: 0,
    repeated: 1,
    why: undefined,
    signed: [[1, 'payout/lost-a', 'UNKNOWN', 'USED', true]],
    known: 1,
    merchants: [scene.merchantId, undefined],
  })

  // The books have this one in an earlier state, and its twin not at all: the chain alone cannot tell which is which.
  await span.mine(await span.sign(2n, reference, hexOf(recipient), 80n))
  await span.mine(await span.sign(3n, 'payout/lost-twin', hexOf(recipient), 80n))
  await coins.work(['watch', 'book'])
  assert.deepEqual((await compareMoneyOut(span.deps(), person)).recorded, [])
  // A journal of before them does not cover what the chain has used, also when a person let the wallet go on behind it.
  const missing = new RegExp(`no journal has nonce 1 of ${span.home.keys.hot}`)
  assert.match((await span.compare([readJournalCopy(early)])).why ?? '', missing)
  const { hot } = coins.wallets
  const [kept] = await world.sql<{ next: bigint }[]>`
    select next_nonce as next from hot_wallet where address = ${bytesOf(hot)}`
  await world.sql`update hot_wallet set next_nonce = 4 where address = ${bytesOf(hot)}`
  assert.match((await span.compare([readJournalCopy(early)])).why ?? '', missing)
  await world.sql`update hot_wallet set next_nonce = ${must(kept, 'it sends').next} where address = ${bytesOf(hot)}`
  const twins = await span.compare()
  assert.deepEqual([twins.recorded, twins.behind, twins.repeated, twins.why], [[80n], 1, 1, undefined])
  assert.deepEqual(twins.signed.slice(1), [
    [2, reference, 'EARLIER', 'USED', true],
    [3, 'payout/lost-twin', 'UNKNOWN', 'USED', true],
  ])
  assert.equal(twins.merchants[2], scene.merchantId)

  // Signed and not mined: nobody opens before it is decided.
  const raw = await span.sign(4n, 'payout/lost-late', newAddress(), 50n)
  const open = await span.compare()
  assert.match(open.why ?? '', /nonces may still be used: 4 of 0x[0-9a-f]{40} \(payout\/lost-late\)/)
  assert.deepEqual(open.signed.at(-1), [4, 'payout/lost-late', 'UNKNOWN', 'OPEN', false])
  await span.mine(raw)
  assert.match((await span.compare()).why ?? '', /not read yet.*4 of/)
  await coins.work(['watch'])
  assert.match((await span.compare()).why ?? '', /1 movements of coins wait to be booked/)
  await coins.work(['book'])
  assert.deepEqual((await span.compare()).recorded, [50n])
  const last = await span.compare()
  assert.deepEqual([last.recorded, last.repeated, last.why], [[], 3, undefined])
  assert.deepEqual(await span.faults(), [])
  const units = await world.sql<{ sum: string }[]>`select sum(amount_minor)::text as sum from unrecorded`
  assert.equal(units[0]?.sum, '830')
  assert.equal(await node.rpc.chainId(), 31_337n)
})

test('two journals of one wallet cover it together; the same one twice changes nothing', async () => {
  const [whole, early] = [
    readJournalCopy(span.journal),
    readJournalCopy(join(copies, 'early', 'journal.jsonl')),
  ]
  const one = await span.compare([whole])
  assert.deepEqual(await span.compare([early, whole]), one)
  assert.deepEqual(await span.compare([whole, whole]), one)
})

test('the command reads journal, books and node, and shows what they say', async () => {
  const printed = { out: '', err: '' }
  const terminal = createTerminal(
    {
      stdout: { write: (text) => (printed.out += text) },
      stderr: { write: (text) => (printed.err += text) },
    },
    { LANG: 'C' },
  )
  const env = {
    ...worldKeys,
    VINTEM_AUDIT_KEY: coins.world.auditKey.toString('hex'),
    DATABASE_URL: coins.world.appUrl,
    VINTEM_DATA_DIR: copies,
    VINTEM_LOG_LEVEL: 'silent',
    VINTEM_SANDBOX: 'off',
  }
  for (const subject of revivedSubjects) {
    const reviewedCount = await eachInForce(coins.world.sql, subject)
    await confirm(coins.world.sql, person, { subject, note: 'the log', reviewedCount, without: [] })
  }
  const opening = { config: () => readConfig(env), open: () => assert.fail('no office is needed') }
  const args = ['money-out', '--journal', span.journal, '--rpc', coins.node.url]
  const code = await asUser('bia', () => restoredCommand(args, terminal, opening, silentLog))
  assert.equal(code, 0, printed.err)
  assert.match(printed.out, /journal\.jsonl: 5 signed\n/)
  assert.match(printed.out, /Signed since, 1 known to the books as they are/)
  for (const row of [
    /1 +0x[0-9a-f]{40} +payout\/lost-a +not there +mined +0x[0-9a-f]{40} +7 +- +0x[0-9a-f]{64}:\d+/,
    /2 +0x[0-9a-f]{40} +payout\/\S+ +earlier state +mined +0x[0-9a-f]{40} +0\.8 +[0-9a-f-]{36} /,
  ])
    assert.match(printed.out, row)
})

test('a node that does not answer leaves the chain as not compared', async () => {
  const { recorded, sources } = await compareMoneyOut(
    {
      ...span.deps(),
      signed: {
        journals: [readJournalCopy(span.journal)],
        nodeOf: () => ({
          used: () => Promise.reject(new Error('no answer')),
          sentBy: () => Promise.resolve(undefined),
        }),
      },
    },
    person,
  )
  assert.deepEqual(recorded, [])
  assert.match(sources[0]?.why ?? '', /its journal was not compared: no answer/)
})

test('a journal that is not ours, or not as it was written, is refused', async () => {
  const journal = readJournalCopy(span.journal)
  const foreign = (more: Partial<JournalCopy['lines'][number]>): JournalCopy => ({
    ...journal,
    lines: journal.lines.map((line) => ({ ...line, ...more })),
  })
  for (const other of [foreign({ chainId: 56n }), foreign({ key: newAddress() })])
    await assert.rejects(span.compare([other]), /is no wallet of these books: nothing was compared/)
  // A key that was given up before the restored moment is in the journal for ever.
  const [first] = journal.lines
  const old = { ...must(first, 'it signed'), key: newAddress(), at: new Date(0) }
  assert.equal((await span.compare([{ ...journal, lines: [old, ...journal.lines] }])).why, undefined)

  const cut = copied('cut')
  appendFileSync(cut, '["0123')
  const read = readJournalCopy(cut)
  assert.deepEqual([read.cut, read.lines.length], [6, journal.lines.length])
  const text = readFileSync(cut, 'utf8')
  writeFileSync(cut, text.replace('payout/lost-a', 'payout/lost-b'))
  assert.throws(() => readJournalCopy(cut), /is not as it was written/)
  writeFileSync(cut, text.split('\n').slice(0, -2).join('\n') + '\n')
  assert.throws(() => readJournalCopy(cut), /lacks/)
  rmSync(join(copies, 'cut', 'keys', 'journal.json'))
  assert.throws(() => readJournalCopy(cut), /journal\.json is missing/)
})
