// Sub-accounts that close, in the laws of shares: when they may, and what becomes of their shares.
import assert from 'node:assert/strict'
import { must } from '#/kernel/check.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { changeSubAccount } from '#/merchants/sub-accounts.ts'
import type { Payment } from '#/payments/payment.ts'
import { selectSplits } from '#/payments/split-queries.ts'
import type { Line } from './line.ts'
import { by } from './split-world.ts'

/**
 * Tries to close a sub-account: it closes exactly if it has no money and no debt in any account, and no grant is in force. Returns whether it
 * is closed.
 */
export async function closeIfEmpty({ sql }: Line, id: MerchantId): Promise<boolean> {
  const [row] = await sql<{ held: boolean }[]>`
    select exists (select from account
                     join balance on account_id = account.id
                    where minor <> 0
                      and (name like '%' || ${id}::text || '%'
                           or exists (select from wallet
                                       where merchant_id = ${id} and name like 'wallet:' || wallet.id || ':%')))
           or exists (select from transfer_grant
                       where merchant_id = ${id} and revoked_at is null and (max_minor is null or taken_minor < max_minor)
                         and (expires_at is null or expires_at > clock_timestamp())) as held`
  const closing = changeSubAccount(sql, { id }, { state: 'CLOSED' }, by)
  if (row?.held !== true) await closing
  else await assert.rejects(closing, { code: 'invalid_state' })
  return row?.held !== true
}

/**
 * The share of a sub-account that is closed is the same function, and what came after it closed the platform has kept. Returns the
 * payments without these.
 */
export async function withoutClosed<Each extends { readonly payment: Payment }>(
  line: Line,
  payments: readonly Each[],
): Promise<Each[]> {
  const others: Each[] = []
  for (const each of payments) {
    const { merchantId, id: paymentId, request } = each.payment
    const [split] = await selectSplits(line.sql, [{ merchantId, paymentId }])
    const { shares, duplicateMinor, waitingMinor } = must(split, 'it is split')
    if (!shares.some(({ isClosed }) => isClosed)) {
      others.push(each)
      continue
    }
    const { receivedMinor, refundedMinor, disputedMinor } = await line.payment(paymentId)
    const left = Number(receivedMinor - refundedMinor - disputedMinor)
    const base = Math.max(
      Math.min(request.amount, left - Number(duplicateMinor), left - Number(waitingMinor)),
      0,
    )
    for (const [index, { bookedMinor, keptMinor, isClosed }] of shares.entries()) {
      const { percent, amount } = must(request.splits?.[index], 'it was requested')
      const exact =
        percent === undefined ? ((amount ?? 0) * base) / request.amount : (base * Number(percent)) / 100
      // As in the law: below a ten-thousandth of a cent a float is not exact.
      assert.equal(bookedMinor + keptMinor, BigInt(Math.floor(exact + 1e-4)))
      assert.ok(keptMinor === 0n || isClosed)
    }
  }
  return others
}
