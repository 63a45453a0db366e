// The webhooks of a payment, each with what was sent and what was answered.
import { useState } from 'react'
import { isAccepted } from '../../api/delivery.ts'
import type { Step } from '../../api/generated.ts'
import { useMerchant } from '../../api/session.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { Icon } from '../../kit/icons.tsx'
import { DeliveryState } from '../../kit/states.tsx'
import { paymentWords } from '../../words/payments.ts'
import { useWords } from '../../words/reader.ts'
import { DeliveryDetail } from '../developers/delivery-detail.tsx'

type Sent = Step & { readonly delivery: NonNullable<Step['delivery']> }

export function Deliveries({ steps }: { readonly steps: readonly Step[] }) {
  const words = useWords(paymentWords)
  const { may } = useMerchant()
  const [shown, setShown] = useState<Sent>()
  const sent = steps.filter((step): step is Sent => step.delivery !== undefined)
  if (sent.length === 0) return <p className="text-13 text-ink-soft">{words.noDeliveries}</p>
  return (
    <>
      <ul className="-mx-2 flex flex-col">
        {sent.map((step) => (
          <li key={step.delivery.id}>
            <button
              type="button"
              disabled={!may('webhooks:read')}
              onClick={() => setShown(step)}
              className="flex min-h-11 w-full flex-wrap items-center gap-x-3 gap-y-1 rounded-control px-2 py-1.5 text-left text-13 hover:bg-hover"
            >
              <DeliveryState
                status={step.delivery.status}
                hasFailed={step.delivery.attempts > 0 && !isAccepted(step.delivery.responseStatus)}
              />
              <span className="min-w-0 flex-1 basis-40">
                <span className="block truncate font-strong">{step.eventType}</span>
                <span className="block truncate text-ink-soft">{step.delivery.url}</span>
              </span>
              <span className="text-ink-soft">{words.attempts(step.delivery.attempts)}</span>
              <Icon name="right" className="text-ink-soft" />
            </button>
          </li>
        ))}
      </ul>
      <Dialog
        open={shown !== undefined}
        onClose={() => setShown(undefined)}
        place="end"
        title={shown?.eventType ?? ''}
        lead={<span className="break-all">{shown?.delivery.url}</span>}
      >
        {shown !== undefined && <DeliveryDetail id={shown.delivery.id} />}
      </Dialog>
    </>
  )
}
