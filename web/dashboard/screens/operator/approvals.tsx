// What one person of the operator has requested and another one decides.
import { Link } from '@tanstack/react-router'
import type { Proposal } from '../../api/generated.ts'
import { useMayOperate } from '../../api/session.ts'
import { Code } from '../../kit/copy.tsx'
import { Money } from '../../kit/money.tsx'
import { isNothing, RecordList, useRecords } from '../../kit/record-list.tsx'
import { Time } from '../../kit/time.tsx'
import { operatorSuspenseWords } from '../../words/operator-suspense.ts'
import { operatorWords } from '../../words/operator.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { OperatorButton } from './action-dialog.tsx'
import { Line } from './parts.tsx'

/** Nothing, while nothing waits. */
export function Approvals() {
  const words = useWords(operatorSuspenseWords)
  const records = useRecords('listApprovals')
  if (isNothing(records)) return null
  return (
    <RecordList
      records={records}
      words={{ title: words.approvals, none: '' }}
      title={words.approvals}
      line={(each) => <ProposalLine proposal={each} />}
    />
  )
}

function ProposalLine({ proposal }: { readonly proposal: Proposal }) {
  const words = useWords(operatorSuspenseWords)
  const may = useMayOperate()
  return (
    <Line>
      <span className="min-w-0 flex-1 basis-60">
        <Request proposal={proposal} />
        <span className="block break-words">{proposal.reason}</span>
        <span className="text-ink-soft">
          {proposal.isOwn ? words.own : words.asks(proposal.by.name)} · <Time at={proposal.createdAt} />
        </span>
      </span>
      {may('approve') && (
        <>
          <OperatorButton
            title={words.refuseTitle}
            act={proposal.isOwn ? words.takeBack : words.refuse}
            isDanger
            reason="needed"
            call="refuseProposal"
            id={proposal.id}
            done={words.refused}
          />
          {!proposal.isOwn && (
            <OperatorButton
              variant="primary"
              title={words.approveTitle}
              lead={words.approveLead(proposal.reason)}
              act={words.approve}
              reason="none"
              call="approveProposal"
              id={proposal.id}
              done={words.approved}
            >
              <Request proposal={proposal} />
            </OperatorButton>
          )}
        </>
      )}
    </Line>
  )
}

/** What is to be done, in words. */
function Request({ proposal: { kind, subject, money, ...proposal } }: { readonly proposal: Proposal }) {
  const words = useWords(operatorSuspenseWords)
  const shared = useWords(operatorWords)
  const [merchantId, end, proof] = ['merchantId', 'end', 'proof'].map((name) => {
    const value = proposal.arguments[name]
    return typeof value === 'string' ? value : undefined
  })
  const what: Readonly<Record<string, string>> = words.requested
  const ends: Readonly<Record<string, string>> = words.ends
  return (
    <span className="block">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {money !== undefined && (
          <Money minor={money.amount} currency={money.currency} className="text-15 font-strong" />
        )}
        <span className="font-strong">
          {(end === undefined ? undefined : ends[end]) ?? what[kind] ?? kind}
        </span>
        {merchantId !== undefined && (
          <Link
            to={`/operator/merchants/${merchantId}`}
            className="link inline-flex items-center phone:min-h-11"
          >
            {shared.merchant}
          </Link>
        )}
        <Code
          value={money?.providerRef ?? subject.replace(/^\w+:/, '')}
          what={money === undefined ? shared.id : words.reference}
        />
      </span>
      {proof !== undefined && <span className="block break-words text-ink-soft">{proof}</span>}
      {kind === 'statement.correct' && <Corrects given={proposal.arguments} />}
    </span>
  )
}

/** At most this many entries of a kind are shown: the bank's file has all of them. */
const shownMax = 20

/** What a corrected statement takes back and adds, and how its balances change. */
function Corrects({ given }: { readonly given: Proposal['arguments'] }) {
  const words = useWords(operatorSuspenseWords)
  const format = useFormat()
  const lists = (['takenBack', 'added', 'balances'] as const).map((name) => {
    const texts = given[name]
    const all = Array.isArray(texts) ? texts.filter((each) => typeof each === 'string') : []
    return { name, some: all.slice(0, shownMax), more: all.length - shownMax }
  })
  return lists
    .filter(({ some }) => some.length > 0)
    .map(({ name, some, more }) => (
      <span key={name} className="block break-words">
        <span className="text-ink-soft">{words.corrects[name]}: </span>
        {some.join('; ')}
        {more > 0 && ` ${words.andMore(format.count(more))}`}
      </span>
    ))
}
