// The fees that the operator keeps of a merchant's payments and withdrawals.
import { payoutTypes } from '#/contract/withdrawals.ts'
import type { Sql, Tx } from '#/db/client.ts'
import { given } from '#/kernel/given.ts'
import type { FeeRule } from '#/merchants/fee.ts'
import { selectFeeRules, writeFeeRule } from '#/merchants/queries.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { methods } from '#/rails/methods.ts'
import { feeMethodOf } from '#/withdrawals/accept.ts'
import type { Operator } from './deps.ts'

/** What a fee rule can apply to: payments of a method, and withdrawals of a type. */
export const feeMethods: readonly string[] = [...methods, ...payoutTypes.map(feeMethodOf)]

/** Sets a rule for what is created from now on. `beside`: written in the same transaction. */
export async function setFee(
  sql: Sql,
  { by }: Operator,
  rule: FeeRule,
  reason?: string,
  beside?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { merchantId, method, currency } = rule
  await sql.begin(async (tx) => {
    await beside?.(tx)
    const rules = await selectFeeRules(tx, [merchantId])
    const before = rules.find((each) => each.method === method && each.currency === currency)
    await writeFeeRule(tx, rule)
    await writeAudit(tx, [
      {
        ...by,
        action: 'fee.set',
        subject: `fee:${merchantId}/${method}/${currency}`,
        merchantId,
        ...(before === undefined ? {} : { before: auditedFee(before) }),
        after: auditedFee(rule),
        ...given({ reason }),
      },
    ])
  })
}

function auditedFee({ fixedMinor, ratePpm }: FeeRule) {
  return { fixedMinor: Number(fixedMinor), ratePpm: Number(ratePpm) }
}
