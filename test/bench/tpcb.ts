// The reference for transfers: the transaction of pgbench's TPC-B-like script, one commit each, from the same Node and driver. Each
// statement is sent when the statement before it is answered, as programs do.
import { randomInt } from 'node:crypto'
import { connect } from '#/db/client.ts'
import { beChild, drive } from './process.ts'
import { accounts, branches, tellers, type TpcbOptions } from './tpcb-tables.ts'

beChild(async ({ ownerUrl, connections }: TpcbOptions) => {
  // Half of a client's connections are for transactions.
  const sql = connect(ownerUrl, { max: 2 * connections })

  async function transact(): Promise<void> {
    const [aid, tid, bid, delta] = [any(accounts), any(tellers), any(branches), any(10_000) - 5_000]
    await sql.begin(async (tx) => {
      await tx`update tpcb_account set balance = balance + ${delta} where aid = ${aid}`
      await tx`update tpcb_teller set balance = balance + ${delta} where tid = ${tid}`
      await tx`update tpcb_branch set balance = balance + ${delta} where bid = ${bid}`
      await tx`insert into tpcb_history (tid, bid, aid, delta, at) values (${tid}, ${bid}, ${aid}, ${delta}, now())`
    })
  }

  return { run: (spanMs) => drive(connections, spanMs, transact), close: () => sql.end({ timeout: 5 }) }
})

function any(max: number): number {
  return 1 + randomInt(max)
}
