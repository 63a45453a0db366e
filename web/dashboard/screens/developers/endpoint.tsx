// One webhook endpoint: whether it answers, what it takes, what was sent to it, and what can be done with it.
import { useParam } from '../../api/address.ts'
import type { WebhookEndpoint } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { CopyButton } from '../../kit/copy.tsx'
import { codeOf, Definitions, timeOf } from '../../kit/facts.tsx'
import { Card, Notice } from '../../kit/page.tsx'
import { RecordPage, Stack } from '../../kit/record-page.tsx'
import { Time } from '../../kit/time.tsx'
import { developerWords } from '../../words/developers.ts'
import { useWords } from '../../words/reader.ts'
import { webhookWords } from '../../words/webhooks.ts'
import { DeliveryTable } from './deliveries.tsx'
import { EndpointActions } from './endpoint-actions.tsx'
import { EndpointState } from './endpoints.tsx'
import { useDevelopersPath } from './frame.tsx'

export function EndpointPage() {
  const words = useWords(webhookWords)
  const pathOf = useDevelopersPath()
  const endpointId = useParam('endpointId')
  return (
    <RecordPage
      of={useRead('getWebhookEndpoint', { id: endpointId })}
      kind={words.endpoint}
      back={{ to: pathOf('webhooks'), label: words.title }}
      head={(endpoint) => ({
        name: endpoint.description ?? new URL(endpoint.url).host,
        badges: <EndpointState endpoint={endpoint} />,
        lead: (
          <span className="flex max-w-full items-center gap-1">
            <span className="min-w-0 font-mono break-all">{endpoint.url}</span>
            <CopyButton value={endpoint.url} what={words.url} />
          </span>
        ),
        actions: <EndpointActions endpoint={endpoint} />,
      })}
    >
      {(endpoint) => (
        <Stack>
          <EndpointNotice endpoint={endpoint} />
          <Card>
            <EndpointFacts endpoint={endpoint} />
          </Card>
          <DeliveryTable endpointId={endpoint.id} title={words.deliveries} />
        </Stack>
      )}
    </RecordPage>
  )
}

function EndpointNotice({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const words = useWords(webhookWords)
  const { status, disabledReason, failingSince } = endpoint
  if (status === 'DISABLED')
    return (
      <Notice tone={disabledReason === 'REQUESTED' ? 'calm' : 'bad'}>
        {disabledReason === undefined ? '' : `${words.reasons[disabledReason]} `}
        {words.held}
      </Notice>
    )
  if (failingSince === undefined || status === 'DELETED') return null
  return (
    <Notice tone="bad">
      {words.failingSince} <Time at={failingSince} />. {words.failingLead}
    </Notice>
  )
}

function EndpointFacts({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const words = useWords(webhookWords)
  const common = useWords(developerWords)
  const { eventTypes, createdAt, previousSecretUntil, id } = endpoint
  return (
    <Definitions
      isWide
      items={[
        [
          words.types,
          eventTypes === undefined ? (
            words.typesAll
          ) : (
            <span className="font-mono break-words">{eventTypes.join(', ')}</span>
          ),
        ],
        [words.created, timeOf(createdAt)],
        [words.twoSecrets, timeOf(previousSecretUntil)],
        [common.id, codeOf(id, common.id)],
      ]}
    />
  )
}
