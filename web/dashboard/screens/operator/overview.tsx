// What needs an operator now. Each part sends its own request, so a part without an answer does not delay the others.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { WatchedChain } from '../../api/generated.ts'
import type { Attention, Queue } from '../../api/operator-records.ts'
import { useList, useRead } from '../../api/queries.ts'
import { Badge } from '../../kit/badge.tsx'
import { ButtonLink } from '../../kit/button.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Icon, type IconName } from '../../kit/icons.tsx'
import { Card, PageHeader } from '../../kit/page.tsx'
import { Details } from '../../kit/reason.tsx'
import { Time } from '../../kit/time.tsx'
import { operatorChainWords } from '../../words/operator-chains.ts'
import { operatorOverviewWords } from '../../words/operator-overview.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { JobOutcome, JobState } from './job-view.tsx'
import { Line, Part, useMethodName } from './parts.tsx'
import { useQueueName } from './queues.tsx'

const everyMs = 15_000

export function OperatorOverview() {
  const words = useWords(operatorOverviewWords)
  const query = useRead('getAttention', { everyMs: () => everyMs })
  const chains = useRead('listChains', { everyMs: () => everyMs })
  const queues = useRead('listQueues', { everyMs: () => everyMs })
  const troubled = chains.data?.data.filter(({ whatToDo }) => whatToDo !== undefined) ?? []
  const failing = queues.data?.data.filter((queue) => queue.failing > 0) ?? []
  return (
    <>
      <PageHeader title={words.title} />
      <div className="flex flex-col gap-6 phone:gap-4">
        <div>
          <Part query={query}>
            {(attention) => (
              <div className="flex flex-col gap-6 phone:gap-4">
                <Waiting counts={attention.counts} most={attention.countedMax} />
                <Connections attention={attention} />
                {isCalm(attention) && troubled.length === 0 && failing.length === 0 && (
                  <Card>
                    <Empty icon="checkCircle" title={words.nothing}>
                      {words.nothingLead}
                    </Empty>
                  </Card>
                )}
              </div>
            )}
          </Part>
        </div>
        {troubled.length > 0 && <Chains chains={troubled} />}
        {failing.length > 0 && <Queues queues={failing} />}
        <Books />
      </div>
    </>
  )
}

function isCalm({ counts, certificates, failing }: Attention): boolean {
  return Object.values(counts).every((count) => count === 0) && certificates.length + failing.length === 0
}

/** Where each kind is decided. */
const places: readonly (readonly [keyof Attention['counts'], string, IconName])[] = [
  ['approvals', '/operator/suspense', 'check'],
  ['suspense', '/operator/suspense', 'lost'],
  ['typos', '/operator/bank-files', 'reports'],
  ['held', '/operator/bank-files', 'reports'],
  ['foreign', '/operator/bank-files', 'reports'],
  ['paymentFiles', '/operator/payment-files', 'download'],
  ['withdrawals', '/operator/withdrawals', 'withdrawals'],
  ['wallets', '/operator/chains', 'chain'],
  ['parked', '/operator/queues', 'queue'],
]

function Waiting({ counts, most }: { readonly counts: Attention['counts']; readonly most: number }) {
  const words = useWords(operatorOverviewWords)
  const format = useFormat()
  const waiting = places.filter(([name]) => counts[name] > 0)
  if (waiting.length === 0) return null
  return (
    <Card title={words.waits} flush>
      <ul>
        {waiting.map(([name, to, icon]) => (
          <Need
            key={name}
            icon={icon}
            to={to}
            count={`${format.count(counts[name])}${counts[name] >= most ? '+' : ''}`}
          >
            {words.counts[name]}
          </Need>
        ))}
      </ul>
    </Card>
  )
}

/** One line: what needs attention, how many there are, and the link to them. */
function Need({
  icon,
  to,
  count,
  children,
}: {
  readonly icon: IconName
  readonly to: string
  readonly count?: string
  readonly children: ReactNode
}) {
  const words = useWords(operatorOverviewWords)
  return (
    <Line>
      <Icon name={icon} className="text-ink-soft" />
      <span className="min-w-0 flex-1 basis-48 break-words">{children}</span>
      {count !== undefined && <span className="figures text-15 font-strong">{count}</span>}
      <Link to={to} className="link inline-flex items-center phone:min-h-11">
        {words.open}
        <span className="aside">: {children}</span>
      </Link>
    </Line>
  )
}

function Connections({ attention }: { readonly attention: Attention }) {
  const words = useWords(operatorOverviewWords)
  const nameOf = useMethodName()
  const format = useFormat()
  const { certificates, failing, isWhole } = attention
  if (certificates.length + failing.length === 0 && isWhole) return null
  return (
    <Card title={words.connections} flush>
      <ul>
        {certificates.map(({ connection, method, provider, merchantName, endsAt }) => {
          const isOver = Date.parse(endsAt) < Date.now()
          return (
            <Need key={connection} icon="key" to={`/operator/connections/${connection}`}>
              <Badge tone={isOver ? 'bad' : 'wait'} icon="alert">
                {isOver ? words.ended(format.short(endsAt)) : words.ends(format.short(endsAt))}
              </Badge>{' '}
              {[nameOf(method), provider, merchantName].filter(Boolean).join(' · ')}
            </Need>
          )
        })}
        {failing.map(({ connection, lastBadAt, lastError }) => (
          <Need key={`failing ${connection}`} icon="link" to={`/operator/connections/${connection}`}>
            <Badge tone="bad" icon="alert">
              {words.failing}
            </Badge>{' '}
            <span className="font-mono">{connection}</span>{' '}
            {lastBadAt !== undefined && <Time at={lastBadAt} className="text-ink-soft" />}
            <Details>{lastError}</Details>
          </Need>
        ))}
      </ul>
      {!isWhole && <p className="px-4 py-3 text-13 text-ink-soft">{words.notAll}</p>}
    </Card>
  )
}

function Chains({ chains }: { readonly chains: readonly WatchedChain[] }) {
  const words = useWords(operatorOverviewWords)
  const { advice } = useWords(operatorChainWords)
  return (
    <Card title={words.chains} flush>
      <ul>
        {chains.map(({ key, whatToDo }) => (
          <Need key={key} icon="chain" to="/operator/chains">
            <span className="font-strong">{key}</span>: {whatToDo !== undefined && advice[whatToDo]}
          </Need>
        ))}
      </ul>
    </Card>
  )
}

function Queues({ queues }: { readonly queues: readonly Queue[] }) {
  const words = useWords(operatorOverviewWords)
  const nameOf = useQueueName()
  const format = useFormat()
  return (
    <Card title={words.queues} flush>
      <ul>
        {queues.map(({ name, failing }) => (
          <Need
            key={name}
            icon="queue"
            to={`/operator/queues/${name}`}
            count={words.failures(format.count(failing))}
          >
            {nameOf(name)}
          </Need>
        ))}
      </ul>
    </Card>
  )
}

/** What the last verification said. */
function Books() {
  const words = useWords(operatorOverviewWords)
  const list = useList('listJobs', { query: { kind: 'verify', limit: 1 } })
  const [last] = list.rows ?? []
  if (list.rows === undefined) return null
  return (
    <Card
      title={words.books}
      action={
        <ButtonLink to="/operator/jobs" icon="play">
          {words.verify}
        </ButtonLink>
      }
    >
      {last === undefined ? (
        <p className="text-13 text-ink-soft">{words.neverVerified}</p>
      ) : (
        <div className="flex flex-col gap-3">
          <p className="flex flex-wrap items-center gap-3 text-13 text-ink-soft">
            {words.verified} <Time at={last.createdAt} /> <JobState job={last} />
            <Link to={`/operator/jobs/${last.id}`} className="link inline-flex items-center phone:min-h-11">
              {words.open}
            </Link>
          </p>
          <JobOutcome job={last} isShort />
        </div>
      )}
    </Card>
  )
}
