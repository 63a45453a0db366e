// Why a payment that no key made before was not made: its merchant, or its sub-account, starts none now.
import type { Sql } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { mayStart } from '#/merchants/account-state.ts'
import { notInState } from '#/merchants/refuse-start.ts'
import { selectStates } from '#/merchants/sub-account-queries.ts'

/** The refusals of these merchants' payments: 409 by the state of a sub-account, else 403. */
export async function whyNotMade(
  sql: Sql,
  merchantIds: readonly MerchantId[],
): Promise<ReadonlyMap<MerchantId, AppError>> {
  const found = merchantIds.length === 0 ? [] : await selectStates(sql, [...new Set(merchantIds)])
  const states = new Map(found.map(({ id, state }) => [id, state]))
  return new Map(
    merchantIds.map((id) => {
      const state = states.get(id)
      return [id, mayStart(state, 'payment') ? merchantSuspended() : notInState(state)]
    }),
  )
}

function merchantSuspended(): AppError {
  return new AppError('merchant_suspended', 'The operator accepts no new payments of this merchant now.')
}
