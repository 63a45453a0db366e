// What transfers are compared to: the transaction of pgbench's TPC-B-like script, one commit each, from the same Node and
// driver. Four statements, each sent when the one before it is answered, as programs do.
import { connect } from '#/db/client.ts'
import { beChild, drive } from './process.ts'

export type TpcbOptions = { readonly ownerUrl: string; readonly connections: number }

const branches = 10
const tellers = 10 * branches
const accounts = 100_000

/** Makes the tables: ten branches, so that the row of a branch is no more of a bottleneck than it needs to be. */
export async function makeTpcb(ownerUrl: string): Promise<void> {
  const sql = connect(ownerUrl, { max: 2 })
  await sql.unsafe(`
    create table tpcb_branch (bid integer primary key, balance bigint not null) with (fillfactor = 10);
    create table tpcb_teller (tid integer primary key, bid integer not null, balance bigint not null) with (fillfactor = 10);
    create table tpcb_account (aid integer primary key, bid integer not null, balance bigint not null, filler char(84) not null)
      with (fillfactor = 80);
    create table tpcb_history (tid integer not null, bid integer not null, aid integer not null, delta bigint not null,
      at timestamptz not null, filler char(22));
    insert into tpcb_branch select n, 0 from generate_series(1, ${branches}) n;
    insert into tpcb_teller select n, (n - 1) / 10 + 1, 0 from generate_series(1, ${tellers}) n;
    insert into tpcb_account select n, (n - 1) / ${accounts / branches} + 1, 0, '' from generate_series(1, ${accounts}) n;
    vacuum analyze`.replace('vacuum analyze', 'analyze'))
  await sql.end()
}

if (process.send !== undefined) beChild<TpcbOptions>(async ({ ownerUrl, connections }) => {
  const sql = connect(ownerUrl, { max: connections * 2 })
  const any = (max: number) => 1 + Math.floor(Math.random() * max)

  async function transact(): Promise<void> {
    const [aid, tid, bid] = [any(accounts), any(tellers), any(branches)]
    const delta = any(10_000) - 5_000
    await sql.begin(async (tx) => {
      await tx`update tpcb_account set balance = balance + ${delta} where aid = ${aid}`
      await tx`update tpcb_teller set balance = balance + ${delta} where tid = ${tid}`
      await tx`update tpcb_branch set balance = balance + ${delta} where bid = ${bid}`
      await tx`insert into tpcb_history (tid, bid, aid, delta, at) values (${tid}, ${bid}, ${aid}, ${delta}, now())`
    })
  }

  return { run: (spanMs) => drive(connections, spanMs, transact), close: () => sql.end({ timeout: 5 }) }
})
