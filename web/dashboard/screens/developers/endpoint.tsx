// One webhook endpoint: whether it answers, what it takes, what was sent to it, and what can be done with it.
import { useParam } from '../../api/address.ts'
import type { WebhookEndpoint } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { Code, CopyButton } from '../../kit/copy.tsx'
import { LoadingOrFault } from '../../kit/fault.tsx'
import { Card, Definitions, Notice, PageHeader } from '../../kit/page.tsx'
import { NameTitle } from '../../kit/record-head.tsx'
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
  const { data: endpoint, error, refetch } = useRead('getWebhookEndpoint', { id: endpointId })
  const back = { to: pathOf('webhooks'), label: words.title }
  if (endpoint === undefined)
    return (
      <>
        <PageHeader title={words.endpoint} back={back} />
        <LoadingOrFault error={error} onRetry={() => void refetch()} />
      </>
    )
  const name = endpoint.description ?? new URL(endpoint.url).host
  return (
    <>
      <PageHeader
        back={back}
        titleText={name}
        title={
          <NameTitle name={name}>
            <EndpointState endpoint={endpoint} />
          </NameTitle>
        }
        lead={
          <span className="flex max-w-full items-center gap-1">
            <span className="min-w-0 font-mono break-all">{endpoint.url}</span>
            <CopyButton value={endpoint.url} what={words.url} />
          </span>
        }
        actions={<EndpointActions endpoint={endpoint} />}
      />
      <div className="flex flex-col gap-6 phone:gap-4">
        <EndpointNotice endpoint={endpoint} />
        <Card>
          <EndpointFacts endpoint={endpoint} />
        </Card>
        <DeliveryTable endpointId={endpoint.id} title={words.deliveries} />
      </div>
    </>
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
            <span key="types" className="font-mono break-words">
              {eventTypes.join(', ')}
            </span>
          ),
        ],
        [words.created, <Time key="created" at={createdAt} />],
        previousSecretUntil !== undefined && [
          words.twoSecrets,
          <Time key="secrets" at={previousSecretUntil} />,
        ],
        [common.id, <Code key="id" value={id} what={common.id} />],
      ]}
    />
  )
}
