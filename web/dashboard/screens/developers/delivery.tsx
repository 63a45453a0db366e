// One delivery: the event that was sent, to where, and each attempt.
import { useParam } from '../../api/address.ts'
import { useRead } from '../../api/queries.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy.tsx'
import { Card } from '../../kit/page.tsx'
import { RecordPage } from '../../kit/record-page.tsx'
import { useWords } from '../../words/reader.ts'
import { webhookWords } from '../../words/webhooks.ts'
import { DeliveryDetail } from './delivery-detail.tsx'
import { useDevelopersPath } from './frame.tsx'

export function DeliveryPage() {
  const words = useWords(webhookWords)
  const pathOf = useDevelopersPath()
  const id = useParam('deliveryId')
  const read = useRead('getDelivery', { id })
  const eventId = read.data?.eventId ?? ''
  const { data: event } = useRead('getEvent', { id: eventId, enabled: eventId !== '' })
  return (
    <RecordPage
      of={read}
      kind={words.delivery}
      back={{ to: pathOf('deliveries'), label: words.deliveries }}
      head={(delivery) => ({
        name: event?.type ?? words.delivery,
        lead: (
          <span className="flex max-w-full items-center gap-1">
            <span className="min-w-0 font-mono break-all">{delivery.url}</span>
            <CopyButton value={delivery.id} what={words.deliveryId} />
          </span>
        ),
        actions: (
          <>
            {delivery.endpointId !== undefined && (
              <ButtonLink to={pathOf(`webhooks/${delivery.endpointId}`)} icon="settings">
                {words.endpoint}
              </ButtonLink>
            )}
            <ButtonLink to={pathOf(`events/${eventId}`)} icon="eye">
              {words.eventOf}
            </ButtonLink>
          </>
        ),
      })}
    >
      {(delivery) => (
        <Card>
          <div className="flex flex-col gap-4">
            <DeliveryDetail id={delivery.id} />
          </div>
        </Card>
      )}
    </RecordPage>
  )
}
