// One delivery: its state, what was sent, and what was answered at each attempt.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useIdempotencyKeys } from '../../api/act.ts'
import { call } from '../../api/call.ts'
import { hasFailed, isAccepted } from '../../api/delivery.ts'
import type { Delivery, DeliveryAttempt } from '../../api/generated.ts'
import { useRead, useWatch } from '../../api/queries.ts'
import { useMerchant, useParam } from '../../api/session.ts'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { CopyButton, CodeBlock, readable } from '../../kit/copy.tsx'
import { Definitions, timeOf } from '../../kit/facts.tsx'
import { Fault, useFaultText } from '../../kit/fault.tsx'
import { Icon } from '../../kit/icons.tsx'
import { LoadingLine } from '../../kit/loading.tsx'
import { Card } from '../../kit/page.tsx'
import { Details } from '../../kit/reason.tsx'
import { RecordPage } from '../../kit/record-page.tsx'
import { DeliveryState } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toast.tsx'
import { paymentWords } from '../../words/payments.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { webhookWords } from '../../words/webhooks.ts'
import { useDevelopersPath } from './frame.tsx'

export function DeliveryDetail({ id }: { readonly id: string }) {
  const words = useWords(paymentWords)
  const { may } = useMerchant()
  const { data: delivery, error, refetch } = useRead('getDelivery', { id })
  const { data: event } = useRead('getEvent', {
    id: delivery?.eventId ?? '',
    enabled: delivery !== undefined,
  })
  useWatch(delivery?.status === 'PENDING', () => void refetch())
  if (delivery === undefined)
    return error === null ? <LoadingLine isOn /> : <Fault error={error} onRetry={() => void refetch()} />
  // Also a delivery that waits for its next attempt: a server that works again need not wait for that.
  const canResend = may('webhooks:write') && delivery.status !== 'CANCELED'
  return (
    <>
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-3">
        <DeliveryState status={delivery.status} hasFailed={hasFailed(delivery)} />
        {canResend && <Resend delivery={delivery} />}
      </div>
      {delivery.nextAttemptAt !== undefined && (
        <Definitions items={[[words.nextAttempt, timeOf(delivery.nextAttemptAt)]]} />
      )}
      <Tabs
        label={words.deliveries}
        tabs={[
          {
            value: 'answer',
            label: words.answer,
            count: delivery.attempts.length,
            content: (
              <ol className="flex flex-col gap-4">
                {delivery.attempts.map((attempt) => (
                  <Attempt key={attempt.at} attempt={attempt} />
                ))}
              </ol>
            ),
          },
          {
            value: 'request',
            label: words.request,
            content:
              event === undefined ? (
                <LoadingLine isOn />
              ) : (
                <div className="flex flex-col gap-4">
                  <CodeBlock label={words.headers} code={headersOf(delivery)} />
                  <p className="text-13 text-ink-soft">{words.headersNote}</p>
                  <CodeBlock label={words.event} code={JSON.stringify(event, null, 2)} />
                </div>
              ),
          },
        ]}
      />
    </>
  )
}

/** The headers of the last attempt, as it was sent. Its signature is not kept: each attempt is signed anew. */
function headersOf({ eventId, attempts }: Delivery): string {
  const last = attempts.at(-1)
  return [
    'content-type: application/json',
    'user-agent: Vintem-Webhooks/1',
    `webhook-id: ${eventId}`,
    ...(last === undefined ? [] : [`webhook-timestamp: ${Math.floor(Date.parse(last.at) / 1_000)}`]),
    'webhook-signature: v1,…',
  ].join('\n')
}

function Resend({ delivery }: { readonly delivery: Delivery }) {
  const words = useWords(paymentWords)
  const textOf = useFaultText()
  const { id: merchantId } = useMerchant()
  const client = useQueryClient()
  const { keyOf, renew } = useIdempotencyKeys()
  const [isBusy, setBusy] = useState(false)
  const resend = async () => {
    setBusy(true)
    try {
      const key = keyOf({ resend: delivery.id })
      await call('resendDelivery', { merchant: merchantId, id: delivery.id }, { key })
      renew()
      toast(words.resent)
      void client.invalidateQueries({ queryKey: ['m', merchantId] })
    } catch (error) {
      toast(textOf(error), { isBad: true })
    }
    setBusy(false)
  }
  return (
    <Button icon="send" busy={isBusy} onClick={() => void resend()}>
      {words.resend}
    </Button>
  )
}

function Attempt({ attempt }: { readonly attempt: DeliveryAttempt }) {
  const words = useWords(paymentWords)
  const format = useFormat()
  const status = attempt.responseStatus
  const isGood = isAccepted(status)
  return (
    <li className="flex flex-col gap-2 text-13">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <span className={`flex items-center gap-1.5 font-strong ${isGood ? 'text-good' : 'text-bad'}`}>
          <Icon name={isGood ? 'checkCircle' : 'cross'} />
          {status === undefined ? words.noAnswer : `HTTP ${status}`}
        </span>
        <span className="figures text-ink-soft">
          {format.span(attempt.durationMs)} · <Time at={attempt.at} />
        </span>
      </div>
      <Details>{attempt.error}</Details>
      {attempt.responseBody !== undefined && attempt.responseBody !== '' ? (
        <CodeBlock label={words.answer} code={readable(attempt.responseBody)} />
      ) : (
        status !== undefined && <p className="text-ink-soft">{words.noBody}</p>
      )}
    </li>
  )
}

// One delivery: the event that was sent, to where, and each attempt.

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
      back={{ to: pathOf('webhooks/deliveries'), label: words.deliveries }}
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
