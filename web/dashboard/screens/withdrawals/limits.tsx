// The operator's limits for withdrawals: what they are, and whether an amount is over one.
import type { WithdrawalLimit } from '../../api/generated.ts'
import type { Minor } from '../../kit/format.ts'
import { Money } from '../../kit/money.tsx'
import { Definitions } from '../../kit/page.tsx'
import { useWords } from '../../words/reader.ts'
import { withdrawalWords } from '../../words/withdrawals.ts'

/** `minor`: the most that is allowed, of one withdrawal or of what is left of the day. */
export type OverLimit = { readonly isDay: boolean; readonly minor: bigint }

/** What the operator allows, and how much of it is left today. */
export function Limits({ limit, currency }: { readonly limit: WithdrawalLimit; readonly currency: string }) {
  const words = useWords(withdrawalWords)
  const { each, day, approvalAbove, listedOnly } = limit
  const money = (value: Minor) => <Money minor={value} currency={currency} />
  return (
    <section aria-label={words.limitTitle}>
      <h3 className="text-13 font-strong">{words.limitTitle}</h3>
      <Definitions
        items={[
          each !== undefined && [words.limitEach, money(each)],
          day !== undefined && [words.limitDay, money(day)],
          day !== undefined && [words.limitLeft, money(leftOf(limit) ?? 0n)],
          approvalAbove !== undefined && [
            words.limitApproval,
            BigInt(approvalAbove) === 0n ? words.limitAlways : money(approvalAbove),
          ],
        ]}
      />
      {listedOnly && <p className="text-13 text-ink-soft">{words.limitListed}</p>}
    </section>
  )
}

function leftOf({ day, spentToday }: WithdrawalLimit): bigint | undefined {
  if (day === undefined) return undefined
  const left = BigInt(day) - BigInt(spentToday)
  return left > 0n ? left : 0n
}

/** The limit that an amount is over, and how much would be allowed; undefined when it is within all. */
export function overOf(limit: WithdrawalLimit, minor: bigint): OverLimit | undefined {
  if (limit.each !== undefined && minor > BigInt(limit.each))
    return { isDay: false, minor: BigInt(limit.each) }
  const left = leftOf(limit)
  return left !== undefined && minor > left ? { isDay: true, minor: left } : undefined
}
