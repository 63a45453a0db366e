// An amount of money: tabular figures, a real minus sign, never broken over lines.
import { useFormat } from '../words/reader.ts'
import type { Minor } from './format.ts'

/** `signed`: with a plus where money came in. In tables the column aligns it to the right. */
export function Money({
  minor,
  currency,
  signed = false,
  className = '',
}: {
  readonly minor: Minor
  readonly currency: string
  readonly signed?: boolean
  readonly className?: string
}) {
  const format = useFormat()
  const plus = signed && BigInt(minor) > 0n ? '+' : ''
  return (
    <span className={`figures whitespace-nowrap ${className}`} translate="no">
      {`${plus}${format.money(minor, currency)}`}
    </span>
  )
}
