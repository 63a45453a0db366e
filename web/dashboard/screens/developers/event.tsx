// One event: its JSON, the record that it is about, and where it was sent.
import { Link } from '@tanstack/react-router'
import { useParam } from '../../api/address.ts'
import { hasFailed } from '../../api/delivery.ts'
import type { Event } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { useWatch } from '../../api/watch.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { CodeBlock } from '../../kit/code.tsx'
import { CopyButton } from '../../kit/copy.tsx'
import { Icon } from '../../kit/icons.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { RecordPage } from '../../kit/record-page.tsx'
import { DeliveryState } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { useScreens } from '../../shell/screen-tables.ts'
import { developerWords } from '../../words/developers.ts'
import { useWords } from '../../words/reader.ts'
import { webhookWords } from '../../words/webhooks.ts'
import { recordOf } from './events.tsx'
import { useDevelopersPath } from './frame.tsx'

export function EventPage() {
  const words = useWords(developerWords)
  const pathOf = useDevelopersPath()
  const id = useParam('eventId')
  return (
    <RecordPage
      of={useRead('getEvent', { id })}
      kind={words.event}
      back={{ to: pathOf('events'), label: words.pages.events }}
      head={(event) => ({
        name: event.type,
        lead: (
          <span className="flex max-w-full flex-wrap items-center gap-x-3">
            <span className="flex min-w-0 items-center gap-1">
              <span className="min-w-0 truncate font-mono">{event.id}</span>
              <CopyButton value={event.id} what={words.eventId} />
            </span>
            <Time at={event.timestamp} />
          </span>
        ),
        actions: <OpenRecord event={event} />,
      })}
    >
      {(event) => (
        <div className="grid grid-cols-1 items-start gap-6 md:grid-cols-[minmax(0,1fr)_360px] phone:gap-4">
          <CodeBlock label="JSON" code={JSON.stringify(event, null, 2)} />
          <EventDeliveries eventId={event.id} />
        </div>
      )}
    </RecordPage>
  )
}

/** Records that have a screen of their own. */
function OpenRecord({ event }: { readonly event: Event }) {
  const words = useWords(developerWords)
  const { id: merchantId, may } = useMerchant()
  const kind = `${event.type.split('.')[0]}s`
  const record = recordOf(event)
  const screen = useScreens().find(({ path }) => new RegExp(String.raw`^${kind}/\$[a-zA-Z]+$`).test(path))
  if (screen === undefined || record === undefined || (screen.needs !== undefined && !may(screen.needs)))
    return null
  return (
    <ButtonLink to={`/m/${merchantId}/${kind}/${record}`} icon="eye">
      {words.openRecord}
    </ButtonLink>
  )
}

function EventDeliveries({ eventId }: { readonly eventId: string }) {
  const words = useWords(developerWords)
  const webhooks = useWords(webhookWords)
  const pathOf = useDevelopersPath()
  const records = useRecords('listDeliveries', { id: eventId, area: 'deliveries' })
  useWatch(records.rows?.some(({ status }) => status === 'PENDING') === true, records.retry)
  return (
    <RecordList
      records={records}
      words={{ title: words.eventDeliveries, none: words.eventNotSent }}
      title={words.eventDeliveries}
      line={(delivery) => (
        <li className="border-b border-line last:border-0">
          <Link
            to={pathOf(`deliveries/${delivery.id}`)}
            className="flex min-h-12 items-center gap-3 px-4 py-2 text-13 -outline-offset-2! hover:bg-hover"
          >
            <span className="flex min-w-0 flex-1 flex-col items-start gap-1">
              <span className="max-w-full truncate">{delivery.url}</span>
              <span className="flex items-center gap-2 text-ink-soft">
                <DeliveryState status={delivery.status} hasFailed={hasFailed(delivery)} />
                {webhooks.attemptsCount(delivery.attempts.length)}
              </span>
            </span>
            <Icon name="right" className="text-ink-soft" />
          </Link>
        </li>
      )}
    />
  )
}
