// The tables of pgbench, and how large they are.
import { connect } from '#/db/client.ts'

export type TpcbOptions = { readonly ownerUrl: string; readonly connections: number }

/** Ten branches, so that the row of a branch is no more of a bottleneck than it has to be. */
export const branches = 10
export const tellers = 100
export const accounts = 100_000

export async function makeTpcb(ownerUrl: string): Promise<void> {
  const sql = connect(ownerUrl, { max: 2 })
  await sql.unsafe(`
    create table tpcb_branch (bid integer primary key, balance bigint not null, filler char(88) not null)
      with (fillfactor = 10);
    create table tpcb_teller (tid integer primary key, bid integer not null, balance bigint not null, filler char(84) not null)
      with (fillfactor = 10);
    create table tpcb_account (aid integer primary key, bid integer not null, balance bigint not null, filler char(84) not null)
      with (fillfactor = 80);
    create table tpcb_history (tid integer not null, bid integer not null, aid integer not null, delta bigint not null,
      at timestamptz not null, filler char(22));
    insert into tpcb_branch select n, 0, '' from generate_series(1, ${branches}) n;
    insert into tpcb_teller select n, (n - 1) * ${branches} / ${tellers} + 1, 0, '' from generate_series(1, ${tellers}) n;
    insert into tpcb_account select n, (n - 1) * ${branches} / ${accounts} + 1, 0, '' from generate_series(1, ${accounts}) n;
    analyze tpcb_branch, tpcb_teller, tpcb_account`)
  await sql.end()
}
