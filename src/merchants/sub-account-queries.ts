// All SQL of sub-accounts. Every read names the parent, except that of the operator.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueNow } from '#/db/due.ts'
import { lengthened } from '#/db/limits.ts'
import { must } from '#/kernel/check.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { currencies } from '#/kernel/money.ts'
import { statesOfParents } from './account-state.ts'
import {
  type SubAccount,
  type SubAccountDecider,
  type SubAccountState,
  countedMax,
  namedMax,
  type StillOpen,
} from './sub-account.ts'

const columns = (sql: Sql | Tx) => sql`
  sub_account.merchant_id as id, sub_account.parent_id as "parentId", merchant.mode, merchant.name, sub_account.state,
  sub_account.tax_id as "taxId", sub_account.reference, sub_account.suspended_by as "suspendedBy", sub_account.version,
  sub_account.created_at as "createdAt", sub_account.activated_at as "activatedAt"`

export type NewSubAccount = {
  readonly id: MerchantId
  readonly parentId: MerchantId
  readonly taxId: string | null
  readonly reference: string | null
  readonly createdAt: Date
  readonly idempotencyKey: string | null
  readonly fingerprint: Buffer | null
}

export async function insertSubAccount(tx: Tx, account: NewSubAccount): Promise<void> {
  await tx`
    insert into sub_account (merchant_id, parent_id, state, tax_id, reference, created_at, idempotency_key, fingerprint)
    values (${account.id}, ${account.parentId}, 'PENDING', ${account.taxId}, ${account.reference}, ${account.createdAt},
            ${account.idempotencyKey}, ${account.fingerprint})`
}

/** Locks the parent until the transaction ends, so that its sub-accounts are made one after another. */
export async function lockParent(tx: Tx, parentId: MerchantId): Promise<void> {
  await tx`select from merchant where id = ${parentId} for no key update`
}

/** Locks the head of the books until the transaction ends: no batch of the ledger lane moves money in the meantime. */
export async function lockBooks(tx: Tx): Promise<void> {
  await tx`select set_config('lock_timeout', ${`${lengthened(5)}s`}, true)`
  await tx`select 1 from head for update`
}

/** Whether the merchant is a sub-account itself, and how many sub-accounts it has. */
export async function selectFamily(
  sql: Sql | Tx,
  parentId: MerchantId,
): Promise<{ readonly isSubAccount: boolean; readonly count: number }> {
  const [row] = await sql<{ isSubAccount: boolean; count: number }[]>`
    select exists (select from sub_account where merchant_id = ${parentId}) as "isSubAccount",
           (select count(*)::integer from sub_account where parent_id = ${parentId}) as count`
  return must(row, 'a count is one row')
}

/** The sub-account that this key of its parent's made before. */
export async function selectByKey(
  sql: Sql | Tx,
  parentId: MerchantId,
  key: string,
): Promise<(SubAccount & { readonly fingerprint: Buffer }) | undefined> {
  const [row] = await sql<(SubAccount & { readonly fingerprint: Buffer })[]>`
    select ${columns(sql)}, sub_account.fingerprint
      from sub_account
      join merchant on merchant.id = sub_account.merchant_id
     where sub_account.parent_id = ${parentId} and sub_account.idempotency_key = ${key}`
  return row
}

/** Those of these merchants that are sub-accounts of the parent. */
export function selectSubAccounts(
  sql: Sql | Tx,
  parentId: MerchantId,
  ids: readonly MerchantId[],
): Promise<readonly SubAccount[]> {
  return sql<SubAccount[]>`
    select ${columns(sql)}
      from sub_account
      join merchant on merchant.id = sub_account.merchant_id
     where sub_account.parent_id = ${parentId} and sub_account.merchant_id = any (${list(ids)}::uuid[])`
}

/** The sub-account, whoever its parent is: for the operator. */
export async function selectAnySubAccount(sql: Sql | Tx, id: MerchantId): Promise<SubAccount | undefined> {
  const [row] = await sql<SubAccount[]>`
    select ${columns(sql)}
      from sub_account
      join merchant on merchant.id = sub_account.merchant_id
     where sub_account.merchant_id = ${id}`
  return row
}

/** Those of these merchants that are sub-accounts, whoever their parents are: for the books, which compare the parent. */
export function selectSubAccountsAmong(tx: Tx, ids: readonly MerchantId[]): Promise<readonly SubAccount[]> {
  return tx<SubAccount[]>`
    select ${columns(tx)}
      from sub_account
      join merchant on merchant.id = sub_account.merchant_id
     where sub_account.merchant_id = any (${list(ids)}::uuid[])`
}

/** One page of a parent's sub-accounts, newest first. */
export function listSubAccounts(
  sql: Sql,
  parentId: MerchantId,
  page: { readonly before?: MerchantId; readonly limit: number },
): Promise<readonly SubAccount[]> {
  return sql<SubAccount[]>`
    select ${columns(sql)}
      from sub_account
      join merchant on merchant.id = sub_account.merchant_id
     where sub_account.parent_id = ${parentId}
       ${page.before === undefined ? sql`` : sql`and sub_account.merchant_id < ${page.before}`}
     order by sub_account.merchant_id desc
     limit ${page.limit}`
}

/**
 * The state of the merchant, if it is a sub-account, locked until the transaction ends: what is started in the transaction is there
 * before the state changes, or is refused.
 */
export async function lockState(sql: Sql | Tx, id: MerchantId): Promise<SubAccountState | undefined> {
  const [row] = await sql<{ state: SubAccountState }[]>`
    select state from sub_account where merchant_id = ${id} for key share`
  return row?.state
}

/** The states of those of these merchants that are sub-accounts. */
export function selectStates(
  sql: Sql | Tx,
  ids: readonly MerchantId[],
): Promise<readonly Pick<SubAccount, 'id' | 'state'>[]> {
  return sql<Pick<SubAccount, 'id' | 'state'>[]>`
    select merchant_id as id, state from sub_account where merchant_id = any (${list(ids)}::uuid[])`
}

/** The sub-account, locked until the transaction ends. */
export async function lockSubAccount(tx: Tx, id: MerchantId): Promise<SubAccount | undefined> {
  const [row] = await tx<SubAccount[]>`
    select ${columns(tx)}
      from sub_account
      join merchant on merchant.id = sub_account.merchant_id
     where sub_account.merchant_id = ${id}
       for update of sub_account`
  return row
}

export type SubAccountChange = {
  readonly name: string
  readonly taxId: string | null
  readonly reference: string | null
  readonly state: SubAccountState
  readonly suspendedBy: SubAccountDecider | null
  readonly isActivated: boolean
}

/** Writes a change of a locked sub-account. */
export async function writeSubAccount(tx: Tx, id: MerchantId, change: SubAccountChange): Promise<void> {
  await tx`update merchant set name = ${change.name} where id = ${id} and name <> ${change.name}`
  await tx`
    update sub_account
       set tax_id = ${change.taxId}, reference = ${change.reference}, state = ${change.state},
           suspended_by = ${change.suspendedBy}, version = version + 1,
           activated_at = case when ${change.isActivated} then ${dueNow(tx)} else activated_at end
     where merchant_id = ${id}`
}

/** The parents of those of these merchants that are sub-accounts. */
export function selectParents(
  sql: Sql | Tx,
  ids: readonly MerchantId[],
): Promise<readonly { readonly id: MerchantId; readonly parentId: MerchantId }[]> {
  return sql<{ id: MerchantId; parentId: MerchantId }[]>`
    select merchant_id as id, parent_id as "parentId" from sub_account where merchant_id = any (${list(ids)}::uuid[])`
}

/** The parents of those of these merchants that are closed sub-accounts, and of all sub-accounts among `others`. */
export function selectParentsOf(
  tx: Tx,
  ids: readonly MerchantId[],
  others: readonly MerchantId[],
): Promise<readonly Pick<SubAccount, 'id' | 'parentId' | 'state'>[]> {
  return tx<Pick<SubAccount, 'id' | 'parentId' | 'state'>[]>`
    select merchant_id as id, parent_id as "parentId", state
      from sub_account
     where merchant_id = any (${list(ids)}::uuid[])
       and (state = any (${list(statesOfParents)}::text[]) or merchant_id = any (${list(others)}::uuid[]))`
}

/** Those of these merchants that are sub-accounts: their states, and whether they owe their parent. */
export function selectAccountsOut(
  sql: Sql | Tx,
  merchantIds: readonly MerchantId[],
): Promise<readonly (Pick<SubAccount, 'id' | 'state'> & { readonly isIndebted: boolean })[]> {
  return sql<(Pick<SubAccount, 'id' | 'state'> & { isIndebted: boolean })[]>`
    select sub_account.merchant_id as id, sub_account.state,
           exists (select from unnest(array['BRL', 'EUR', 'USD', 'USDT']) as each (unit)
                     join account on account.mode = merchant.mode
                                 and account.name = 'owes:' || sub_account.merchant_id || ':' || each.unit
                     join balance on balance.account_id = account.id
                    where balance.minor > 0) as "isIndebted"
      from sub_account
      join merchant on merchant.id = sub_account.merchant_id
     where sub_account.merchant_id = any (${list(merchantIds)}::uuid[])`
}

// The SQL of what keeps a sub-account open.

/** All that is still open of the sub-account. Under the lock of the books' head, so that no balance moves and no decision is taken. */
export function selectStillOpen(tx: Tx, id: MerchantId): Promise<readonly StillOpen[]> {
  // Named, because the lists of refunds and disputes begin with the currency.
  const units = list(Object.keys(currencies))
  return tx<StillOpen[]>`
    select what, count(*)::integer as count, (array_agg(each.id order by each.id))[1:${namedMax}::integer] as ids
      from ((select 'payment' as what, payment.id::text as id from payment
              where merchant_id = ${id} and status in ('PENDING', 'WAITING_PAYMENT', 'APPROVED') limit ${countedMax})
            union all
            (select 'payment_link', link.id::text from payment_link as link
              where merchant_id = ${id} and archived_at is null and (expires_at is null or expires_at > ${dueNow(tx)})
              limit ${countedMax})
            union all
            (select 'withdrawal', withdrawal.id::text from withdrawal
              where merchant_id = ${id} and status in ('PENDING', 'PENDING_APPROVAL', 'PROCESSING') limit ${countedMax})
            union all
            (select 'refund', refund.id::text from refund
              where merchant_id = ${id} and currency = any (${units}::text[]) and status = 'PENDING' limit ${countedMax})
            union all
            (select 'dispute', dispute.id::text from dispute
              where merchant_id = ${id} and currency = any (${units}::text[]) and status = 'OPEN' limit ${countedMax})
            union all
            (select 'payout_schedule', schedule.id::text from payout_schedule as schedule
              where merchant_id = ${id} and status <> 'ENDED' limit ${countedMax})
            union all
            (select 'transfer_grant', given.id::text from transfer_grant as given
              where merchant_id = ${id} and revoked_at is null and (max_minor is null or taken_minor < max_minor)
                and (expires_at is null or expires_at > ${dueNow(tx)})
              limit ${countedMax})
            union all
            (select distinct 'balance', wallet.id::text
               from wallet
               join merchant on merchant.id = wallet.merchant_id
              cross join unnest(array['available', 'pending', 'held']) as part (name)
               join account on account.mode = merchant.mode and account.name = 'wallet:' || wallet.id || ':' || part.name
               join balance on balance.account_id = account.id
              where wallet.merchant_id = ${id} and balance.minor <> 0)
            union all
            (select distinct 'debt', each.unit
               from merchant
              cross join unnest(array['receivable:', 'owes:', 'owed:']) as debt (prefix)
              cross join unnest(${units}::text[]) as each (unit)
               join account on account.mode = merchant.mode and account.name = debt.prefix || merchant.id || ':' || each.unit
               join balance on balance.account_id = account.id
              where merchant.id = ${id} and balance.minor <> 0)
            union all
            (select 'parent_wallet', needed.currency
               from sub_account
              cross join lateral (
                select currency from wallet where wallet.merchant_id = ${id}
                 union
                -- A payment in USD by other methods than coins brings USD.
                select 'USD' where exists (select from payment
                                          where merchant_id = ${id} and currency = 'USD' and methods <> array['CRYPTO'])) as needed
              where sub_account.merchant_id = ${id}
                and not exists (select from wallet as parents
                                 where parents.merchant_id = sub_account.parent_id and parents.currency = needed.currency
                                   and parents.is_default))) as each
     group by what
     order by what`
}
