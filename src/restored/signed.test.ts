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
import type { Hex } from 'viem'
import { richAccount } from '../../test/anvil.ts'
import { asUser } from '../../test/as-user.ts'
import { cent, newAddress, openCoinWorld, type CoinWorld } from '../../test/laws/coins-world.ts'
import { transferCall } from '../../test/laws/watcher-chain.ts'
import { worldKeys } from '../../test/pix-world.ts'
import { makeSignerHome, type RealSigner, type SignerHome } from '../../test/real-signer.ts'
import { verify } from '#/audit/verify.ts'
import { restoredCommand } from '#/cli/restored.ts'
import { readConfig } from '#/config.ts'
import {
  bytesOf,
  factoryAddress,
  hexOf,
  implementationAddress,
  sandboxTokenAddress,
  type Address,
} from '#/evm/address.ts'
import { nonceReader } from '#/evm/nonces.ts'
import { must } from '#/kernel/check.ts'
import type { ConnectionId, WithdrawalId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { sentKind } from '#/settlement/unrecorded.ts'
import { readJournalCopy, type JournalCopy } from '#/signer/journal-copy.ts'
import { sandboxPolicy } from '#/signer/sandbox-policy.ts'
import { createCryptoPayouts, stopPayout } from '#/treasury/payout.ts'
import { beginRepair } from './begin.ts'
import { compareMoneyOut, type MoneyOutDeps } from './money-out.ts'
import { insertReview, selectRestore } from './queries.ts'
import { revivedSubjects } from './restore.ts'
import { confirm, eachInForce } from './review.ts'

let home: SignerHome
let signer: RealSigner
let coins: CoinWorld
/** A withdrawal that no worker had claimed at the restored moment. */
let accepted: WithdrawalId
/** Another one, which never left. */
let unsent: WithdrawalId
const copies = mkdtempSync(join(tmpdir(), 'vintem-journals-'))
before(async () => {
  home = makeSignerHome((keys) =>
    sandboxPolicy({
      chainId: 31_337n,
      token: sandboxTokenAddress(richAccount),
      factory: factoryAddress(keys.treasury),
      implementation: implementationAddress(keys.treasury),
      keys,
    }),
  )
  signer = await home.start()
  coins = await openCoinWorld(undefined, { hot: { address: home.keys.hot, signer: home.client() } })
})
after(async () => {
  await coins[Symbol.asyncDispose]()
  await signer.kill()
  home[Symbol.dispose]()
  rmSync(copies, { recursive: true, force: true })
})

const person = { by: { actor: { kind: 'OPERATOR', id: 'ana' } as const }, name: 'ana' }

/** Signed by the signer for this reference, under a nonce that the books have not given away. */
async function sign(nonce: bigint, reference: string, to: Address, minor: bigint): Promise<Hex> {
  const { token: target, chainId } = coins.scene.chain
  const data = transferCall(to, minor * cent)
  const fees = { maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n }
  const common = { key: home.keys.hot, chainId, nonce, reference, fees, value: 0n, gas: 100_000n }
  return (await home.client().sign({ ...common, to: target, data })).raw
}

async function mine(raw: Hex): Promise<void> {
  await coins.node.rpc.sendRawTransaction(raw)
  await coins.node.mine(4)
}

function deps(journals?: readonly JournalCopy[]): MoneyOutDeps {
  const { world, scene, wallets } = coins
  const { sql, lane, clock } = world
  const payouts = createCryptoPayouts({
    sql,
    clock,
    chains: () => [{ chain: scene.chain, hot: wallets.hot, own: [wallets.gas] }],
    connections: { find: () => undefined },
  })
  const nodeOf = () => nonceReader(coins.node.rpc)
  return {
    sql,
    rails: new Map(),
    payoutRails: new Map([['CRYPTO', payouts] as const]),
    connections: { find: (id: ConnectionId) => ({ id }) as never },
    log: silentLog,
    record: (item) => lane.submit(sentKind, item),
    ...(journals === undefined ? {} : { signed: { journals, nodeOf } }),
  }
}

const lines = () => join(home.folder, 'journal.jsonl')

/** Compares with the journal as it is now, and shows what matters. */
async function compare(journals: readonly JournalCopy[] = [readJournalCopy(lines())]) {
  const { recorded, sources, signed } = await compareMoneyOut(deps(journals), person)
  const [source] = sources
  return {
    recorded: recorded.map(({ amountMinor }) => amountMinor),
    behind: source?.counts.behind,
    repeated: source?.counts.repeated,
    why: source?.why,
    signed: signed
      .filter(({ books }) => books !== 'KNOWN')
      .map(({ nonce, reference, books, nonceIs, move }) => [
        Number(nonce),
        reference,
        books,
        nonceIs,
        move !== undefined,
      ]),
    known: signed.filter(({ books }) => books === 'KNOWN').length,
    merchants: signed.map(({ merchantId }) => merchantId),
  }
}

const faults = async () => {
  const { sql, auditKey } = coins.world
  const only = ['settlement', 'places of coins', 'money that left unrecorded', 'entries', 'debts']
  const found = await verify(sql, { cell: 'a1', auditKey, only })
  return found.faults.map(({ row, what }) => `${row} ${what}`)
}

/** A private copy of what a reader needs, as it is now. Returns the journal's path. */
function copied(name: string): string {
  const folder = join(copies, name)
  mkdirSync(join(folder, 'keys'), { recursive: true, mode: 0o700 })
  for (const file of ['journal.jsonl', 'journal.mark', 'passphrase', 'keys/journal.json'])
    copyFileSync(join(home.folder, file), join(folder, file))
  return join(folder, 'journal.jsonl')
}

test('the journal names what left, and what may still leave, and nothing is recorded twice', async () => {
  const { world, scene, node } = coins
  const payment = await scene.newPayment(9_000n)
  await coins.pay(payment, 9_000n * cent)
  await coins.rest()
  await coins.withdraw(100n)
  await coins.rest()
  const waiting = await coins.withdraw(80n)
  await coins.work(['payouts'])
  accepted = await coins.withdraw(40n)
  unsent = await coins.withdraw(30n)
  const [queued] = await world.sql<{ reference: string; recipient: Buffer }[]>`
    select reference, recipient from chain_tx where subject = ${waiting}`
  const { reference, recipient } = must(queued, 'it waits for its nonce')
  const early = copied('early')
  await beginRepair(world, { ...person, reason: 'disk lost', eventJump: 1_000n })

  // Nonce 0 is the payout that the books know. The others are of the lost span.
  await mine(await sign(1n, 'payout/lost-a', newAddress(), 700n))
  await coins.work(['watch', 'book'])
  const without = await compareMoneyOut(deps(), person)
  assert.deepEqual(
    without.recorded.map(({ amountMinor }) => amountMinor),
    [700n],
  )
  assert.match(without.sources[0]?.why ?? '', /--journal/)
  // The journal names it, and records nothing again.
  assert.deepEqual(await compare(), {
    recorded: [],
    behind: 0,
    repeated: 1,
    why: undefined,
    signed: [[1, 'payout/lost-a', 'UNKNOWN', 'USED', true]],
    known: 1,
    merchants: [scene.merchantId, undefined],
  })

  // The books have this one in an earlier state, and its twin not at all: the chain alone cannot tell which is which.
  await mine(await sign(2n, reference, hexOf(recipient), 80n))
  await mine(await sign(3n, 'payout/lost-twin', hexOf(recipient), 80n))
  await coins.work(['watch', 'book'])
  assert.deepEqual((await compareMoneyOut(deps(), person)).recorded, [])
  // A journal of before them does not cover what the chain has used, also when a person let the wallet go on behind it.
  const missing = new RegExp(`no journal has nonce 1 of ${home.keys.hot}`)
  assert.match((await compare([readJournalCopy(early)])).why ?? '', missing)
  const { hot } = coins.wallets
  const [kept] = await world.sql<{ next: bigint }[]>`
    select next_nonce as next from hot_wallet where address = ${bytesOf(hot)}`
  await world.sql`update hot_wallet set next_nonce = 4 where address = ${bytesOf(hot)}`
  assert.match((await compare([readJournalCopy(early)])).why ?? '', missing)
  await world.sql`update hot_wallet set next_nonce = ${must(kept, 'it sends').next} where address = ${bytesOf(hot)}`
  const twins = await compare()
  assert.deepEqual([twins.recorded, twins.behind, twins.repeated, twins.why], [[80n], 1, 1, undefined])
  assert.deepEqual(twins.signed.slice(1), [
    [2, reference, 'EARLIER', 'USED', true],
    [3, 'payout/lost-twin', 'UNKNOWN', 'USED', true],
  ])
  assert.equal(twins.merchants[2], scene.merchantId)

  // Signed and not mined: nobody opens before it is decided.
  const raw = await sign(4n, 'payout/lost-late', newAddress(), 50n)
  const open = await compare()
  assert.match(open.why ?? '', /nonces may still be used: 4 of 0x[0-9a-f]{40} \(payout\/lost-late\)/)
  assert.deepEqual(open.signed.at(-1), [4, 'payout/lost-late', 'UNKNOWN', 'OPEN', false])
  await mine(raw)
  assert.match((await compare()).why ?? '', /not read yet.*4 of/)
  await coins.work(['watch'])
  assert.match((await compare()).why ?? '', /1 movements of coins wait to be booked/)
  await coins.work(['book'])
  assert.deepEqual((await compare()).recorded, [50n])
  const last = await compare()
  assert.deepEqual([last.recorded, last.repeated, last.why], [[], 3, undefined])
  assert.deepEqual(await faults(), [])
  const units = await world.sql<{ sum: string }[]>`select sum(amount_minor)::text as sum from unrecorded`
  assert.equal(units[0]?.sum, '830')
  assert.equal(await node.rpc.chainId(), 31_337n)
})

test('two journals of one wallet cover it together; the same one twice changes nothing', async () => {
  const [whole, early] = [readJournalCopy(lines()), readJournalCopy(join(copies, 'early', 'journal.jsonl'))]
  const one = await compare([whole])
  assert.deepEqual(await compare([early, whole]), one)
  assert.deepEqual(await compare([whole, whole]), one)
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
  const args = ['money-out', '--journal', lines(), '--rpc', coins.node.url]
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

/** What the lost span did with a withdrawal of the books: its signature was made and mined. Returns its reference at the signer. */
async function payLost(id: WithdrawalId, nonce: bigint, minor: bigint): Promise<string> {
  const [row] = await coins.world.sql<{ reference: string; to: string }[]>`
    select reference, destination -> 'fields' ->> 'cryptoAddress' as to from withdrawal where id = ${id}`
  const { reference, to } = must(row, 'it was accepted')
  await mine(await sign(nonce, `payout/${reference}`, to.toLowerCase() as Address, minor))
  await coins.work(['watch', 'book'])
  return `payout/${reference}`
}

test('what the books have in an earlier state is not paid again: its wallet follows what was signed', async () => {
  const { world, wallets, node } = coins
  const { sql } = world
  const [row] = await sql<{ id: WithdrawalId }[]>`select id from withdrawal where status = 'PROCESSING'`
  const queued = must(row, 'it waits for its nonce').id
  const reference = await payLost(accepted, 5n, 40n)
  assert.deepEqual((await compare()).signed.at(-1), [5, reference, 'EARLIER', 'USED', true])
  const cancel = async () => {
    for (const id of [queued, accepted]) await coins.cancel(id)
    return [await coins.statusOf(queued), await coins.statusOf(accepted)]
  }
  const cancelUnsent = async () => {
    await coins.cancel(unsent)
    return coins.statusOf(unsent)
  }
  assert.deepEqual([...(await cancel()), await cancelUnsent()], ['PROCESSING', 'PENDING', 'PENDING'])
  // Once it is known what left, the rest can be canceled again.
  const { number } = must(await selectRestore(sql), 'it is being repaired')
  await sql.begin((tx) => insertReview(tx, number, { subject: 'MONEY_OUT', reviewedBy: 'bia', note: null }))
  assert.deepEqual([...(await cancel()), await cancelUnsent()], ['PROCESSING', 'PENDING', 'CANCELED'])
  await sql`delete from money_freeze where kind = 'RESTORE'`
  assert.deepEqual(await cancel(), ['PROCESSING', 'PENDING'])

  const later = await coins.withdraw(60n)
  await coins.rest()
  const ended = await Promise.all(
    [queued, accepted, later].map(async (id) => [await coins.statusOf(id), (await coins.paidOf(id)).paid]),
  )
  assert.deepEqual(ended, [
    // Its twin of the lost span went to the same recipient.
    ['COMPLETED', 160n * cent],
    ['COMPLETED', 40n * cent],
    ['COMPLETED', 60n * cent],
  ])
  const nonces = await sql<{ nonce: bigint; subject: string }[]>`
    select nonce, subject from chain_tx where wallet = ${bytesOf(wallets.hot)} order by nonce`
  assert.deepEqual(
    nonces.slice(1).map(({ nonce, subject }) => [Number(nonce), subject]),
    [
      [2, queued],
      [5, accepted],
      [6, later],
    ],
  )
  const left = await sql<{ nonce: bigint }[]>`select nonce from lost_signature`
  const [hot] = await sql<{ stopped: string | null }[]>`
    select stopped from hot_wallet where address = ${bytesOf(wallets.hot)}`
  assert.deepEqual([left.length, hot?.stopped], [0, null])
  const { behind, repeated, why } = await compare()
  assert.deepEqual([behind, repeated, why], [0, 3, undefined])
  assert.deepEqual(await faults(), [])
  assert.equal(await node.rpc.chainId(), 31_337n)
})

test('what two people decide about gets no nonce, blocks no other payout, and can be stopped', async () => {
  const { world, wallets } = coins
  const { sql, clock } = world
  const decided = await coins.withdraw(20n)
  const reference = await payLost(decided, 7n, 20n)
  // Without the journal nobody knows whose the movement is.
  assert.deepEqual(
    (await compareMoneyOut(deps(), person)).recorded.map(({ amountMinor }) => amountMinor),
    [20n],
  )
  const { signed, recorded } = await compare()
  assert.deepEqual([signed.at(-1), recorded], [[7, reference, 'EARLIER', 'USED', true], []])
  const later = await coins.withdraw(10n)
  for (let pass = 0; pass < 12; pass += 1) {
    await coins.work()
    await coins.node.mine()
  }
  const standing = await sql<{ state: string; nonce: bigint | null }[]>`
    select state, nonce from chain_tx where subject = any (${[decided, later]}::uuid[]) order by id`
  assert.deepEqual(
    standing.map(({ state, nonce }) => [state, nonce]),
    [
      ['QUEUED', null],
      ['FINAL', 8n],
    ],
  )
  await coins.cancel(decided)
  assert.equal(await coins.statusOf(decided), 'PROCESSING', 'its merchant cannot')
  assert.equal(await sql.begin((tx) => stopPayout(tx, decided, clock.now())), true)
  await coins.rest()
  assert.deepEqual(
    [await coins.statusOf(decided), (await coins.paidOf(decided)).paid],
    ['FAILED', 20n * cent],
  )
  assert.deepEqual(await faults(), [])
  const [hot] = await sql<{ stopped: string | null }[]>`
    select stopped from hot_wallet where address = ${bytesOf(wallets.hot)}`
  assert.equal(hot?.stopped, null)
})

test('a node that does not answer leaves the chain as not compared', async () => {
  const { recorded, sources } = await compareMoneyOut(
    {
      ...deps(),
      signed: {
        journals: [readJournalCopy(lines())],
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
  const journal = readJournalCopy(lines())
  const foreign = (more: Partial<JournalCopy['lines'][number]>): JournalCopy => ({
    ...journal,
    lines: journal.lines.map((line) => ({ ...line, ...more })),
  })
  for (const other of [foreign({ chainId: 56n }), foreign({ key: newAddress() })])
    await assert.rejects(compare([other]), /is no wallet of these books: nothing was compared/)
  // A key that was given up before the restored moment is in the journal for ever.
  const [first] = journal.lines
  const old = { ...must(first, 'it signed'), key: newAddress(), at: new Date(0) }
  assert.equal((await compare([{ ...journal, lines: [old, ...journal.lines] }])).why, undefined)

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
