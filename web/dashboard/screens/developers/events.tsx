// All events of the merchant, newest first.
import { Link } from '@tanstack/react-router'
import { hasFailed } from '../../api/delivery.ts'
import { eventTypes, type Event } from '../../api/generated.ts'
import { useNews } from '../../api/marks.ts'
import { useRead, useWatch } from '../../api/queries.ts'
import { useMerchant, useParam } from '../../api/session.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { CopyButton, CodeBlock } from '../../kit/copy.tsx'
import { choice, spanFilters } from '../../kit/filters.tsx'
import { Icon } from '../../kit/icons.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { RecordPage } from '../../kit/record-page.tsx'
import { DeliveryState } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { useScreens } from '../../shell/screen-tables.ts'
import { developerWords } from '../../words/developers.ts'
import { frameWords } from '../../words/frame.ts'
import { useWords } from '../../words/reader.ts'
import { webhookWords } from '../../words/webhooks.ts'
import { DevelopersFrame, useDevelopersPath } from './frame.tsx'

export function EventList() {
  const words = useWords(developerWords)
  const { nav } = useWords(frameWords)
  const pathOf = useDevelopersPath()
  const { id } = useMerchant()
  const records = useRecords('searchEvents', {
    filters: [choice('type', words.type, eventTypes), ...spanFilters(words)],
    find: (text) => (isId(text) ? { subject: text } : undefined),
    area: 'events',
  })
  return (
    <DevelopersFrame lead={words.eventsLead}>
      <RecordList
        records={records}
        words={{
          ...words,
          title: words.pages.events,
          none: words.eventsNone,
          noneLead: words.eventsNoneLead,
          search: words.eventsSearch,
        }}
        icon="developers"
        columns={[
          { header: words.type, text: 'type', phone: 'title', className: 'font-strong sm:max-w-none' },
          {
            header: words.record,
            grow: true,
            from: 'sm',
            phone: 'none',
            className: 'font-mono text-ink-soft',
            cell: (event) => recordOf(event) ?? event.id,
          },
          { header: words.sequence, count: 'sequence', from: 'md', phone: 'note' },
          { header: words.at, time: 'timestamp' },
        ]}
        href={(event) => pathOf(`events/${event.id}`)}
        news={useNews('events', records.retry)}
        first={<ButtonLink to={`/m/${id}/payments`}>{nav.payments}</ButtonLink>}
      />
    </DevelopersFrame>
  )
}

/** What the event is about: the record's id, where its `data` has one. */
export function recordOf({ data }: Pick<Event, 'data'>): string | undefined {
  return typeof data['id'] === 'string' ? data['id'] : undefined
}

export function isId(text: string): boolean {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text)
}

// One event: its JSON, the record that it is about, and where it was sent.

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
            to={pathOf(`webhooks/deliveries/${delivery.id}`)}
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
