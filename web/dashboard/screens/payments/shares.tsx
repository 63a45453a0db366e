// The split of a payment: what each sub-account got, paid of our fee, and gave back.
import { Link } from '@tanstack/react-router'
import type { PaymentShare } from '../../api/generated.ts'
import { useMerchant } from '../../api/session.ts'
import { Money } from '../../kit/money.tsx'
import { Card } from '../../kit/page.tsx'
import { useReader, useWords } from '../../words/reader.ts'
import { shareWords } from '../../words/shares.ts'

export function PaymentShares({ shares }: { readonly shares: readonly PaymentShare[] }) {
  const words = useWords(shareWords)
  if (shares.length === 0) return null
  return (
    <Card title={words.shares} flush>
      <ul>
        {shares.map((share) => (
          <ShareLine key={share.id} share={share} />
        ))}
      </ul>
    </Card>
  )
}

function ShareLine({ share }: { readonly share: PaymentShare }) {
  const words = useWords(shareWords)
  const { locale } = useReader()
  const { id, may } = useMerchant()
  const { subAccountId, label, percent, currency } = share
  // An id is shown where there is no label: the payment does not know the sub-account's name.
  const name = label ?? `…${subAccountId.slice(-8)}`
  const decimal = locale === 'en' ? '.' : ','
  const terms = percent === undefined ? words.fixed : words.shareOf(percent.replace('.', decimal))
  const extras = [
    [words.fee, share.fee],
    [words.waits, share.amountPending],
    [words.returned, share.amountReturned],
    [words.covered, share.amountCovered],
  ] as const
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 text-13 last:border-0">
      <span className="min-w-0 flex-1 basis-40 break-words">
        {may('subaccounts:read') ? (
          <Link to={`/m/${id}/sub-accounts/${subAccountId}`} className="font-strong underline">
            {name}
          </Link>
        ) : (
          <span className="font-strong">{name}</span>
        )}
        <span className="text-ink-soft"> · {terms}</span>
      </span>
      {extras.map(
        ([what, minor]) =>
          BigInt(minor) > 0n && (
            <span key={what} className="text-ink-soft">
              {what}: <Money minor={minor} currency={currency} />
            </span>
          ),
      )}
      <Money minor={share.amountCredited} currency={currency} className="font-strong" />
    </li>
  )
}
