// The SQL of what keeps a sub-account open.
import { list, type Tx } from '#/db/client.ts'
import { dueNow } from '#/db/due.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { currencies } from '#/kernel/money.ts'
import { countedMax, namedMax, type StillOpen } from './closing.ts'

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
