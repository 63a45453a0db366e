import type { WebhookEndpoint } from '../../api/generated.ts'
import { Badge } from '../../kit/badge.tsx'
import { useWords } from '../../words/reader.ts'
import { webhookWords } from '../../words/webhooks.ts'

/** Whether an endpoint takes events, and whether it answers. */
export function EndpointState({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const words = useWords(webhookWords)
  const { status, failingSince, disabledReason } = endpoint
  if (status === 'ENABLED' && failingSince !== undefined) return <Badge tone="bad">{words.failing}</Badge>
  const isBad = status === 'DISABLED' && disabledReason !== undefined && disabledReason !== 'REQUESTED'
  return <Badge tone={status === 'ENABLED' ? 'good' : isBad ? 'bad' : 'calm'}>{words.statuses[status]}</Badge>
}
