import { testDatabase } from './postgres.ts'
import { connect } from '#/db/client.ts'
import { plantMany } from './movements.ts'
import { tallyStep } from '#/wallets/tally.ts'
import { newId } from '#/kernel/id.ts'
import { createLedgerLane } from '#/ledger/post.ts'
import { silentLog } from '#/kernel/log.ts'
import { announce } from '#/webhooks/announce.ts'
import { selectFlowsAt, selectBalancesAt, selectPositions } from '#/wallets/flow-queries.ts'
await using db = await testDatabase()
const lane = await createLedgerLane({ openSql: () => connect(db.appUrl, { max: 1 }), cell: 'a1', auditKey: Buffer.alloc(32), announce, log: silentLog })
await lane.close()
const sql = connect(db.ownerUrl, { max: 1, transactionSeconds: 0 })
await plantMany(sql, { mode: 'SANDBOX', walletId: newId(), currency: 'USDT' }, { count: Number(process.argv[2]), from: new Date(Date.now() - 40 * 864e5), to: new Date() })
while (await tallyStep({ sql }));
await sql`vacuum (analyze) transfer, entry, batch, tally`
const [a] = await sql<{id: bigint}[]>`select id from account where name like 'wallet%'`
const [h] = await sql<{transfer: bigint}[]>`select transfer from head`
const numbers = Array.from({ length: 31 }, (_, i) => (h!.transfer * BigInt(i + 10)) / 41n)
const instants = Array.from({ length: 31 }, (_, i) => new Date(Date.now() - (31-i) * 864e5))
const time = async (n: string, f: () => Promise<unknown>) => { for (let i=0;i<8;i++) await f(); const t: number[] = []; for (let i = 0; i < 20; i++) { const s = performance.now(); await f(); t.push(performance.now() - s) } t.sort((x,y)=>x-y); console.log(n, t[10]!.toFixed(2)) }
const acc = [{ id: a!.id, sum: 'USDT' }]
await time('positions', () => selectPositions(sql, instants))
await time('balances', () => selectBalancesAt(sql, acc, numbers))
await time('flows', () => selectFlowsAt(sql, acc, numbers))
const capture = async (f: (s: typeof sql) => Promise<unknown>) => {
  const spy = new Proxy(sql, { apply: (_t, _s, args: any) => { const [strings, ...vals] = args; let q = 'explain (analyze, buffers) '; strings.forEach((s: string, i: number) => { q += s; if (i < vals.length) q += typeof vals[i] === 'string' ? `'${vals[i]}'` : vals[i] }); console.log(q.length); return sql.unsafe(q).then((r) => { console.log(r.map((x: any) => x['QUERY PLAN']).join('\n')); return [] }) } })
  await f(spy as typeof sql)
}
await capture((s) => selectFlowsAt(s, acc, numbers))
if (process.argv[3]) await capture((s) => selectPositions(s, instants))
await sql.end()
