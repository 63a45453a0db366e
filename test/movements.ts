// Writes movements of the past directly into the books, because the lane writes only at the present time. Each transfer has two
// entries, balances are running sums, and batches are in the order of time. Only the hashes of the chain are made up.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { newId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Currency } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import { provider, walletAvailable, type AccountSpec } from '#/ledger/chart.ts'

export type Movement = {
  readonly at: Date
  readonly walletId: string
  readonly currency: Currency
  /** Signed: the change of the wallet's available balance. */
  readonly minor: bigint
  readonly kind: string
  /** The wallet on the other side. Default: a provider. */
  readonly other?: string
}

const cause = sha256('a made-up cause')

/** Writes these movements, which must be in the order of time and later than every existing batch. */
export async function plantMovements(sql: Sql, mode: Mode, movements: readonly Movement[]): Promise<void> {
  await sql.begin(async (tx) => {
    const head = await lockHead(tx)
    const accounts = new Map<string, { id: bigint; spec: AccountSpec; minor: bigint; entries: bigint }>()
    const standing = (spec: AccountSpec) => {
      const existing = accounts.get(spec.key)
      if (existing !== undefined) return existing
      const opened = { id: head.account + BigInt(accounts.size) + 1n, spec, minor: 0n, entries: 0n }
      accounts.set(spec.key, opened)
      return opened
    }
    const transfers: (readonly [bigint, bigint, string, bigint, bigint, bigint])[] = []
    const entries: (readonly [bigint, bigint, bigint, bigint])[] = []
    const batches = new Map<number, { number: bigint; from: bigint; to: bigint }>()
    for (const { at, walletId, currency, minor, kind, other } of movements) {
      const wallet = walletAvailable(mode, walletId, currency)
      const opposite =
        other === undefined ? provider(mode, 'a1-made-up', currency) : walletAvailable(mode, other, currency)
      const [debit, credit] = minor < 0n ? [wallet, opposite] : [opposite, wallet]
      const amount = minor < 0n ? -minor : minor
      const number = head.transfer + BigInt(transfers.length) + 1n
      const batch = batches.get(at.getTime()) ?? {
        number: head.batch + BigInt(batches.size) + 1n,
        from: number - 1n,
        to: number,
      }
      batches.set(at.getTime(), { ...batch, to: number })
      for (const [account, change] of [
        [standing(debit), debit.side === 'DEBIT' ? amount : -amount],
        [standing(credit), credit.side === 'CREDIT' ? amount : -amount],
      ] as const) {
        account.minor += change
        account.entries += 1n
        entries.push([account.id, number, change, account.minor])
      }
      transfers.push([number, batch.number, kind, standing(debit).id, standing(credit).id, amount])
    }
    const opened = [...accounts.values()]
    await insertAccounts(tx, opened, head.batch + 1n)
    await tx`
      insert into transfer (number, batch, subject, step, kind, debit, credit, minor, cause)
      select number, batch, subject, '1.made-up', kind, debit, credit, minor, ${cause}
        from unnest(${list(transfers.map(([number]) => number))}::bigint[], ${list(transfers.map(([, batch]) => batch))}::bigint[],
                    ${list(transfers.map(() => newId()))}::uuid[], ${list(transfers.map(([, , kind]) => kind))}::text[],
                    ${list(transfers.map((each) => each[3]))}::bigint[], ${list(transfers.map((each) => each[4]))}::bigint[],
                    ${list(transfers.map((each) => each[5]))}::bigint[])
             as new (number, batch, subject, kind, debit, credit, minor)`
    await tx`
      insert into entry (account_id, transfer, minor, balance)
      select * from unnest(${list(entries.map(([account]) => account))}::bigint[], ${list(entries.map((each) => each[1]))}::bigint[],
                           ${list(entries.map((each) => each[2]))}::bigint[], ${list(entries.map((each) => each[3]))}::bigint[])`
    const rows = [...batches].map(([at, batch]) => ({ at: new Date(at), ...batch }))
    await tx`
      insert into batch (number, id, transfer_from, transfer_to, account_from, account_to, events, at, prev, hash)
      select number, gen_random_uuid(), first, last, ${head.account}::bigint, ${head.account + BigInt(opened.length)}::bigint,
             0, at, ''::bytea, ''::bytea
        from unnest(${list(rows.map(({ number }) => number))}::bigint[], ${list(rows.map(({ from }) => from))}::bigint[],
                    ${list(rows.map(({ to }) => to))}::bigint[], ${list(rows.map(({ at }) => at))}::timestamptz[])
             as new (number, first, last, at)`
    await tx`
      update head set batch = ${head.batch + BigInt(rows.length)}, transfer = ${head.transfer + BigInt(transfers.length)},
                      account = ${head.account + BigInt(opened.length)}, hash = ${cause}`
  })
}

type Head = { readonly batch: bigint; readonly transfer: bigint; readonly account: bigint }

async function lockHead(tx: Tx): Promise<Head> {
  const [head] = await tx<Head[]>`select batch, transfer, account from head for update`
  return must(head, 'a lane was opened here')
}

async function insertAccounts(
  tx: Tx,
  opened: readonly { id: bigint; spec: AccountSpec; minor: bigint; entries: bigint }[],
  batch: bigint,
): Promise<void> {
  await tx`
    insert into account (id, mode, name, currency, side, batch)
    select *, ${batch}::bigint
      from unnest(${list(opened.map(({ id }) => id))}::bigint[], ${list(opened.map(({ spec }) => spec.mode))}::text[],
                  ${list(opened.map(({ spec }) => spec.name))}::text[], ${list(opened.map(({ spec }) => spec.currency))}::text[],
                  ${list(opened.map(({ spec }) => spec.side))}::text[])`
  await tx`
    insert into balance (account_id, minor, entries, floored)
    select * from unnest(${list(opened.map(({ id }) => id))}::bigint[], ${list(opened.map(({ minor }) => minor))}::bigint[],
                         ${list(opened.map(({ entries }) => entries))}::bigint[],
                         ${list(opened.map(({ spec }) => spec.floored))}::boolean[])`
}

/**
 * Writes many movements of one wallet in one statement, spread evenly over a span: payments of 1, 2, 3 … 100 minor units in turn, and a
 * fee of 1 after every tenth payment.
 */
export async function plantMany(
  sql: Sql,
  wallet: { readonly mode: Mode; readonly walletId: string; readonly currency: Currency },
  { count, from, to }: { readonly count: number; readonly from: Date; readonly to: Date },
): Promise<void> {
  const { mode, walletId, currency } = wallet
  const available = walletAvailable(mode, walletId, currency)
  const bank = provider(mode, 'a1-made-up', currency)
  await sql.begin(async (tx) => {
    const head = await lockHead(tx)
    const [availableId, bankId] = [head.account + 1n, head.account + 2n]
    await insertAccounts(
      tx,
      [
        { id: availableId, spec: available, minor: 0n, entries: 0n },
        { id: bankId, spec: bank, minor: 0n, entries: 0n },
      ],
      head.batch + 1n,
    )
    const perBatch = 100
    await tx`
      insert into transfer (number, batch, subject, step, kind, debit, credit, minor, cause)
      select ${head.transfer}::bigint + nth, ${head.batch}::bigint + 1 + (nth - 1) / ${perBatch}::bigint, gen_random_uuid(),
             '1.made-up', case when nth % 11 = 0 then 'FEE' else 'PAYMENT' end,
             case when nth % 11 = 0 then ${availableId}::bigint else ${bankId}::bigint end,
             case when nth % 11 = 0 then ${bankId}::bigint else ${availableId}::bigint end,
             case when nth % 11 = 0 then 1 else nth % 100 + 1 end, ${cause}
        from generate_series(1, ${count}::bigint) as nth`
    await tx`
      insert into entry (account_id, transfer, minor, balance)
      select account, number, change, sum(change) over (partition by account order by number)
        from (
          select ${availableId}::bigint as account, number, case when credit = ${availableId} then minor else -minor end as change
            from transfer where number > ${head.transfer}
          union all
          select ${bankId}::bigint, number, case when debit = ${bankId} then minor else -minor end
            from transfer where number > ${head.transfer}
        ) as moved
       order by number, account`
    await tx`
      update balance
         set minor = last.balance, entries = ${count}::bigint
        from (select distinct on (account_id) account_id, balance from entry
               where account_id in (${availableId}, ${bankId}) order by account_id, transfer desc) as last
       where balance.account_id = last.account_id`
    const batches = BigInt(Math.ceil(count / perBatch))
    const spanMs = to.getTime() - from.getTime()
    await tx`
      insert into batch (number, id, transfer_from, transfer_to, account_from, account_to, events, at, prev, hash)
      select ${head.batch}::bigint + nth, gen_random_uuid(), ${head.transfer}::bigint + (nth - 1) * ${perBatch}::bigint,
             ${head.transfer}::bigint + least(nth * ${perBatch}::bigint, ${count}::bigint), ${head.account}::bigint,
             ${head.account + 2n}::bigint, 0,
             ${from}::timestamptz + interval '1 millisecond' * floor(${spanMs}::float8 * (nth - 1) / ${batches}::bigint),
             ''::bytea, ''::bytea
        from generate_series(1, ${batches}::bigint) as nth`
    await tx`
      update head set batch = ${head.batch + batches}, transfer = ${head.transfer + BigInt(count)},
                      account = ${head.account + 2n}, hash = ${cause}`
  })
}
