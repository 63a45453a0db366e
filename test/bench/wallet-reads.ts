// A merchant's reads of wallets, with a short history and with a long history, each on a PostgreSQL of its own. A read whose cost does not
// depend on the history is equally fast on both.
import { connect, type Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { createLog } from '#/kernel/log.ts'
import { addMs, hourMs, systemClock } from '#/kernel/time.ts'
import { createLedgerLane } from '#/ledger/post.ts'
import { consolidatedBalance } from '#/wallets/balance.ts'
import { selectWallets } from '#/wallets/queries.ts'
import { balanceHistory, summary } from '#/wallets/reports.ts'
import { statementPage } from '#/wallets/statement.ts'
import { tallyStep } from '#/wallets/tally.ts'
import { announce } from '#/webhooks/announce.ts'
import { plantMany } from '../movements.ts'
import { cell, openPlace, type BenchSetup } from './place.ts'
import { drive } from './process.ts'
import { table } from './report.ts'
import { takeTurns, type Contender, type Pace } from './rounds.ts'

const mode = 'SANDBOX'
/** The history reaches further back than any report here. */
const historyMs = 40 * 24 * hourMs

type Owner = { readonly id: BenchSetup['place']['merchantId']; readonly mode: typeof mode }
type Read = (sql: Sql, owner: Owner) => Promise<unknown>

const reads: Readonly<Record<string, Read>> = {
  balance: consolidatedBalance,
  'balance, 15 days ago': (sql, owner) =>
    consolidatedBalance(sql, owner, addMs(systemClock.now(), -15 * 24 * hourMs)),
  'a page of the statement, 50 rows': (sql, owner) => statementPage(sql, owner, { limit: 50 }),
  'summary, 30 days': (sql, owner) => summary(sql, owner, {}),
  'balance history, 30 days': (sql, owner) =>
    balanceHistory(sql, owner, { interval: 'DAY', zone: 'America/Sao_Paulo' }),
}

/** `entries`: of the long history, in all. Time of a read there at most 1.5 times that of the short one. */
export async function measureWalletReads(pace: Pace, entries: number): Promise<string> {
  const short = 10_000
  await using small = await openPlace()
  await using large = await openPlace()
  await plant(small, short)
  await plant(large, entries)
  const [sqlOfSmall, sqlOfLarge] = [small, large].map(({ place }) => connect(place.url, { max: 2 }))
  const of = await takeTurns(
    Object.entries(reads).flatMap(([name, read]) => [
      contender(`${name}, short`, must(sqlOfSmall, 'a client'), small, read),
      contender(`${name}, long`, must(sqlOfLarge, 'a client'), large, read),
    ]),
    // A single read is so short that many short rounds are more exact than a few long ones.
    { rounds: pace.rounds * 3, spanMs: pace.spanMs / 6 },
  )
  await Promise.all([sqlOfSmall?.end(), sqlOfLarge?.end()])
  const counted = (count: number) => count.toLocaleString('en-US')
  return table(
    `Reads of wallets, ${counted(short)} and ${counted(entries)} entries`,
    Object.keys(reads).flatMap((name) => [
      { what: `${name}: short history`, samples: of(`${name}, short`) },
      {
        what: `**${name}: long history**`,
        samples: of(`${name}, long`),
        aims: [
          {
            than: 'of the short one',
            samples: of(`${name}, short`),
            atLeast: 1 / 1.5,
            as: 'percent' as const,
          },
        ],
      },
    ]),
  )
}

function contender(name: string, sql: Sql, { place }: BenchSetup, read: Read): Contender {
  const owner: Owner = { id: place.merchantId, mode }
  return {
    name,
    run: (spanMs) => drive(1, spanMs, () => read(sql, owner)),
    close: async () => {},
  }
}

/** Writes this number of entries, half of them the wallet's, and the marks that a worker would have made. */
async function plant({ place, ownerUrl }: BenchSetup, entries: number): Promise<void> {
  const lane = await createLedgerLane({
    openSql: () => connect(place.url, { max: 1 }),
    cell,
    auditKey: Buffer.from(place.auditKey),
    announce,
    log: createLog('warn', { role: 'bench', cell: 'a1' }),
  })
  await lane.close()
  const sql = connect(ownerUrl, { max: 2, transactionSeconds: 0 })
  const [wallet] = await selectWallets(sql, place.merchantId, { currency: 'USDT' })
  const to = systemClock.now()
  await plantMany(
    sql,
    { mode, walletId: must(wallet, 'a merchant has a wallet').id, currency: 'USDT' },
    { count: entries / 2, from: addMs(to, -historyMs), to },
  )
  while (await tallyStep({ sql }));
  await sql`vacuum (analyze) transfer, entry, batch, tally`
  await sql.end()
}
