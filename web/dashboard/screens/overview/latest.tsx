// The newest payments.
import { Link } from '@tanstack/react-router'
import type { Payment } from '../../api/generated.ts'
import { useMerchant } from '../../api/session.ts'
import { Money } from '../../kit/money.tsx'
import { Card } from '../../kit/page.tsx'
import { PaymentState } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { overviewWords } from '../../words/overview.ts'
import { useWords } from '../../words/reader.ts'

export function Latest({ payments }: { readonly payments: readonly Payment[] }) {
  const words = useWords(overviewWords)
  const { id } = useMerchant()
  return (
    <Card
      title={words.latest}
      flush
      action={
        <Link to={`/m/${id}/payments`} className="link inline-flex items-center text-13 phone:min-h-11">
          {words.seeAll}
        </Link>
      }
    >
      <ul>
        {payments.map((payment) => (
          <Row key={payment.id} payment={payment} />
        ))}
      </ul>
    </Card>
  )
}

function Row({ payment }: { readonly payment: Payment }) {
  const { id } = useMerchant()
  const { customerName, customerEmail, description } = payment
  return (
    <li className="border-b border-line last:border-0">
      <Link
        to={`/m/${id}/payments/${payment.id}`}
        className="flex min-h-12 items-center gap-3 px-4 py-2 text-13 -outline-offset-2! hover:bg-hover"
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate">
            {customerName ?? customerEmail ?? description ?? payment.id.slice(-12)}
          </span>
          <Time at={payment.createdAt} inRow className="text-ink-soft" />
        </span>
        <PaymentState payment={payment} />
        <Money
          minor={payment.amount}
          currency={payment.currency}
          className="min-w-24 text-right font-strong max-sm:min-w-0"
        />
      </Link>
    </li>
  )
}
