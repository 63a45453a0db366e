// `npm run bench`: how fast the hot paths are, from nothing, as ratios measured side by side in one run.
//   --quick          about a minute, for a rough idea
//   --only=a,b       some of: creation, transfers, withdrawals, charges, pix, reads, overview, endpoints, flood
//   --only=issuance  what the issuance log costs the creation of payments, and one call alone
//   --only=rekey     how long changing the master key takes over 20,000 secrets, and what it costs the creation of payments; quick 2,000
//   --only=log       what the request log costs a call, in processor time (on Linux)
//   --only=memory    what each process takes of memory, ready and after 10,000 payments (on Linux); quick 2,000
//   --only=rest      what `npm start` asks of the database and of the processor while nothing happens (on Linux); quick 20 s instead of 60
//   --only=cells     charges with 1, 2 and 4 cells of one PostgreSQL: together a second, and processor time of each (on Linux)
//   --cells='u1 u2'  with it: the cells of a cluster that is there, migrated: the URL of each as the application's role, with its search_path; their books get a merchant
//   --payments=n     of the large merchant of overview; default 5,000,000, quick 500,000
//   --against=commit what an item costs in processor time, now and as of that commit: all but reads, overview, endpoints, flood
import { parseArgs } from 'node:util'
import { measureAgainst } from './against.ts'
import { measureCells } from './cells.ts'
import { measureCharges } from './charges.ts'
import { measureCreation } from './creation.ts'
import { measureEndpoints } from './endpoints.ts'
import { measureFlood, measureLongLife } from './flood.ts'
import { measureIssuance } from './issuance.ts'
import { measureMemory } from './memory.ts'
import { measureOverview } from './overview.ts'
import { measurePix } from './pix.ts'
import { openPlace } from './place.ts'
import { measureRekey } from './rekey.ts'
import { header } from './report.ts'
import { measureRequestLog } from './request-log.ts'
import { measureRest } from './rest.ts'
import type { Pace } from './rounds.ts'
import { measureTransfers } from './transfers.ts'
import { measureWalletReads } from './wallet-reads.ts'
import { measureWithdrawals } from './withdrawals.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    only: { type: 'string' },
    cells: { type: 'string' },
    payments: { type: 'string' },
    against: { type: 'string' },
  },
})
const wanted = new Set(
  (values.only ?? 'creation,transfers,withdrawals,charges,pix,reads,overview,endpoints,flood').split(','),
)
const isQuick = values.quick === true
const pace: Pace = isQuick ? { rounds: 3, spanMs: 1_000 } : { rounds: 7, spanMs: 3_000 }

// An exit by signal would leave the database behind; a handler of our own ends it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

if (values.against !== undefined) {
  console.log(await measureAgainst(values.against, wanted, pace))
  process.exit()
}

if (wanted.delete('memory')) {
  console.log(await measureMemory(isQuick ? 2_000 : 10_000))
  if (wanted.size === 0) process.exit()
}

if (wanted.delete('rest')) {
  console.log(await measureRest(isQuick ? 20 : 60))
  if (wanted.size === 0) process.exit()
}

if (wanted.delete('cells')) {
  const given = values.cells?.split(/\s+/).filter((url) => url !== '')
  console.log(await measureCells(pace, given))
  if (wanted.size === 0) process.exit()
}

await using setup = await openPlace()
const { place, apiKey, ownerUrl } = setup
console.log(`${await header(place.url)}\n`)
if (wanted.has('creation')) console.log(`${await measureCreation(place, apiKey, pace)}\n`)
if (wanted.has('issuance')) console.log(`${await measureIssuance(place, apiKey, pace)}\n`)
if (wanted.has('rekey'))
  console.log(`${await measureRekey(place, apiKey, { pace, secrets: isQuick ? 2_000 : 20_000 })}\n`)
if (wanted.has('transfers')) console.log(`${await measureTransfers(place, ownerUrl, pace)}\n`)
if (wanted.has('withdrawals')) console.log(`${await measureWithdrawals(place, apiKey, pace)}\n`)
if (wanted.has('charges')) console.log(`${await measureCharges(place, pace)}\n`)
if (wanted.has('pix')) console.log(`${await measurePix(place, setup, pace)}\n`)
if (wanted.has('reads')) console.log(`${await measureWalletReads(pace, isQuick ? 500_000 : 5_000_000)}\n`)
if (wanted.has('overview')) {
  const payments = Number(values.payments ?? (isQuick ? 500_000 : 5_000_000))
  console.log(`${await measureOverview(pace, payments)}\n`)
}
if (wanted.has('endpoints')) console.log(`${await measureEndpoints(pace.rounds, isQuick ? 50 : 200)}\n`)
if (wanted.has('flood')) {
  console.log(`${await measureFlood(isQuick ? 1_500 : 5_000)}\n`)
  console.log(`${await measureLongLife(isQuick ? 10_000 : 100_000)}\n`)
}
if (wanted.delete('log')) {
  const logPace = isQuick ? { rounds: 4, spanMs: 1_000 } : { rounds: 8, spanMs: 2_000 }
  console.log(await measureRequestLog(setup, logPace))
  console.log(`medians of ${logPace.rounds} rounds of ${logPace.spanMs / 1_000} s on each server\n`)
}
if (wanted.size > 0)
  console.log(
    `medians of ${pace.rounds} rounds of ${pace.spanMs / 1_000} s; ratios are medians of the ratio within each round`,
  )
