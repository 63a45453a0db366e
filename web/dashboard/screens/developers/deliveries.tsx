// All deliveries of the merchant's webhooks.
import { useList } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { useFilters } from '../../kit/filters.tsx'
import { Card, Notice } from '../../kit/page.tsx'
import { useWords } from '../../words/reader.ts'
import { webhookWords } from '../../words/webhooks.ts'
import { DeliveryTable } from './delivery-table.tsx'
import { DevelopersFrame } from './frame.tsx'

export function DeliveryList() {
  const words = useWords(webhookWords)
  const [{ eventId }, change] = useFilters()
  const endpoints = useList('listWebhookEndpoints', { query: { limit: 100 } })
  return (
    <DevelopersFrame lead={words.deliveriesLead}>
      {eventId !== undefined && (
        <div className="mb-4">
          <Notice
            tone="calm"
            action={<Button onClick={() => change({ eventId: undefined })}>{words.showAll}</Button>}
          >
            {words.eventFilter}
          </Notice>
        </div>
      )}
      <Card flush>
        <DeliveryTable endpoints={endpoints.rows ?? []} />
      </Card>
    </DevelopersFrame>
  )
}
