// The SQL of the sums: the balances of accounts beside the sums of records. Each statement reads one instant.
import { type Sql, list } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'

const minId = '00000000-0000-0000-0000-000000000000'

export type HeldSum = {
  readonly merchantId: string
  readonly walletId: string
  /** The balance of the wallet's held account. */
  readonly heldMinor: bigint
  readonly refundsMinor: bigint
  readonly disputesMinor: bigint
  readonly withdrawalsMinor: bigint
}

/** The next page of wallets, by key, each with its held balance and the sums of what it must hold. */
export function selectHeldSums(
  sql: Sql,
  after: HeldSum | undefined,
  limit: number,
): Promise<readonly HeldSum[]> {
  const { merchantId = minId, walletId = minId } = after ?? {}
  return sql<HeldSum[]>`
    with page as (
      select wallet.merchant_id, wallet.id, merchant.mode
        from wallet
        join merchant on merchant.id = wallet.merchant_id
       where (wallet.merchant_id, wallet.id) > (${merchantId}, ${walletId})
       order by wallet.merchant_id, wallet.id
       limit ${limit}
    ), owner as (
      select distinct merchant_id from page
    ), refunds as (
      -- A pending refund is due or waits for a person. There are always few of these.
      select merchant_id, wallet_id, sum(amount_minor)::bigint as minor
        from (select refund.merchant_id, refund.wallet_id, refund.amount_minor
                from owner
                join refund_due as due using (merchant_id)
                join refund on refund.merchant_id = due.merchant_id and refund.id = due.refund_id
               where refund.status = 'PENDING' and not refund.is_held_back and not refund.approval_required
               union all
              select refund.merchant_id, refund.wallet_id, refund.amount_minor
                from owner
                join refund using (merchant_id)
               where refund.approval_required) as open
       group by 1, 2
    ), disputes as (
      select dispute.merchant_id, dispute.wallet_id, sum(dispute.amount_minor)::bigint as minor
        from owner
        join dispute using (merchant_id)
       where dispute.status = 'OPEN' and not dispute.is_taken
       group by 1, 2
    ), withdrawals as (
      select withdrawal.merchant_id, withdrawal.wallet_id,
             sum(withdrawal.amount_minor + withdrawal.fee_minor)::bigint as minor
        from owner
        join withdrawal using (merchant_id)
       where withdrawal.status in ('PENDING', 'PENDING_APPROVAL', 'PROCESSING')
       group by 1, 2
    )
    select page.merchant_id as "merchantId", page.id as "walletId", coalesce(balance.minor, 0) as "heldMinor",
           coalesce(refunds.minor, 0) as "refundsMinor", coalesce(disputes.minor, 0) as "disputesMinor",
           coalesce(withdrawals.minor, 0) as "withdrawalsMinor"
      from page
      left join account on account.mode = page.mode and account.name = 'wallet:' || page.id || ':held'
      left join balance on balance.account_id = account.id
      left join refunds on refunds.merchant_id = page.merchant_id and refunds.wallet_id = page.id
      left join disputes on disputes.merchant_id = page.merchant_id and disputes.wallet_id = page.id
      left join withdrawals on withdrawals.merchant_id = page.merchant_id and withdrawals.wallet_id = page.id
     order by page.merchant_id, page.id`
}

export type SuspenseSum = {
  readonly connection: string
  readonly currency: string
  /** The balance of the account. */
  readonly heldMinor: bigint
  readonly openMinor: bigint
}

/** The next page of connections, by key, each in every currency: its suspense balance, and the undecided sum. */
export function selectSuspenseSums(
  sql: Sql,
  after: SuspenseSum | undefined,
  { currencies, limit }: { readonly currencies: readonly string[]; readonly limit: number },
): Promise<readonly SuspenseSum[]> {
  return sql<SuspenseSum[]>`
    with page as (
      select id, mode from connection where id > ${after?.connection ?? ''} order by id limit ${limit}
    ), undecided as (
      select lying.connection, lying.mode, lying.currency, sum(lying.minor)::bigint as minor
        from (select connection, mode, currency, amount_minor as minor
                from unmatched
               where resolved_at is null and outcome = 'paid'
               union all
              -- Coins that a wallet of our own received without an explanation.
              select connection.id, connection.mode, 'USDT', move.minor
                from coin_move as move
                join connection on connection.method = 'CRYPTO' and connection.settings ->> 'chain' = move.chain
                               and connection.merchant_id is null
               where move.booked_as = 'FOUND'
                 and not exists (select from coin_claim as claim
                                  where claim.move = move.id and claim.confirmed_at is not null)) as lying
       group by 1, 2, 3
    )
    select page.id as connection, each.currency, coalesce(balance.minor, 0) as "heldMinor",
           coalesce(undecided.minor, 0) as "openMinor"
      from page
     cross join unnest(${list(currencies)}::text[]) as each (currency)
      left join account on account.mode = page.mode and account.name = 'suspense:' || page.id || ':' || each.currency
      left join balance on balance.account_id = account.id
      left join undecided
        on undecided.connection = page.id and undecided.mode = page.mode and undecided.currency = each.currency
     order by page.id, each.currency`
}

/** All fields but the merchant are null for one that never owed anything. */
export type DebtSum = {
  readonly merchantId: string
  /** Of a debt to the operator, or of a sub-account to its parent. */
  readonly name: string | null
  /** The balance of the account. */
  readonly minor: bigint | null
  readonly owedMinor: bigint | null
  readonly repaidMinor: bigint | null
  /** The available sum of the merchant's wallets in the currency. */
  readonly freeMinor: bigint | null
}

/** The next page of merchants, by key, with their debts in each of the currencies. */
export function selectDebtSums(
  sql: Sql,
  after: DebtSum | undefined,
  { currencies, limit }: { readonly currencies: readonly string[]; readonly limit: number },
): Promise<readonly DebtSum[]> {
  return sql<DebtSum[]>`
    with page as (
      select id, mode from merchant where id > ${after?.merchantId ?? minId} order by id limit ${limit}
    )
    select page.id as "merchantId", debt.name, debt.minor, debt.owed as "owedMinor", debt.repaid as "repaidMinor",
           debt.free as "freeMinor"
      from page
      left join lateral (
        select account.name, balance.minor,
               (select coalesce(sum(transfer.minor) filter (where transfer.kind in ('OWED', 'SHARE_COVERED')), 0)::bigint
                  from entry join transfer on transfer.number = entry.transfer
                 where entry.account_id = account.id and transfer.debit = account.id) as owed,
               (select coalesce(sum(transfer.minor)
                                filter (where transfer.kind like '%REPAID' or transfer.kind = 'SHARE_COVERED'), 0)::bigint
                  from entry join transfer on transfer.number = entry.transfer
                 where entry.account_id = account.id and transfer.credit = account.id) as repaid,
               (select coalesce(sum(available.minor), 0)::bigint
                  from wallet
                  join account as own on own.mode = page.mode and own.name = 'wallet:' || wallet.id || ':available'
                  join balance as available on available.account_id = own.id
                 where wallet.merchant_id = page.id and wallet.currency = each.currency) as free
          from unnest(${list(currencies)}::text[]) as each (currency)
         cross join unnest(array['receivable:', 'owes:']) as debts (prefix)
          join account on account.mode = page.mode and account.name = debts.prefix || page.id || ':' || each.currency
          join balance on balance.account_id = account.id
      ) as debt on true
     order by page.id, debt.name`
}

export type SubAccountRow = {
  readonly merchantId: MerchantId
  /** Of a closed one the sum of what is available in its wallets, whatever their currencies; else null. */
  readonly freeMinor: bigint | null
}

/** The next page of sub-accounts, by key: also the others, because a page of closed ones alone could read all of them. */
export function selectSubAccounts(
  sql: Sql,
  after: SubAccountRow | undefined,
  limit: number,
): Promise<readonly SubAccountRow[]> {
  return sql<SubAccountRow[]>`
    select each.merchant_id as "merchantId",
           case when each.state = 'CLOSED' then
             (select coalesce(sum(balance.minor), 0)::bigint
                from wallet
                join account on account.mode = each.mode and account.name = 'wallet:' || wallet.id || ':available'
                join balance on balance.account_id = account.id
               where wallet.merchant_id = each.merchant_id)
           end as "freeMinor"
      from (select sub_account.merchant_id, sub_account.state, merchant.mode
              from sub_account
              join merchant on merchant.id = sub_account.merchant_id
             where sub_account.merchant_id > ${after?.merchantId ?? '00000000-0000-0000-0000-000000000000'}
             order by sub_account.merchant_id
             limit ${limit}) as each
     order by each.merchant_id`
}
