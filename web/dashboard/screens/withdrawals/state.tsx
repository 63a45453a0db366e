// The states of withdrawals, batches and schedules as badges, and their destinations as text.
import type { PayoutSchedule, Withdrawal, WithdrawalBatch } from '../../api/generated.ts'
import type { Destination } from '../../api/withdrawals.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { Code } from '../../kit/copy.tsx'
import type { IconName } from '../../kit/icons.tsx'
import { payoutWords } from '../../words/payouts.ts'
import { useWords } from '../../words/reader.ts'
import { withdrawalWords } from '../../words/withdrawals.ts'

const badges: Readonly<Record<Withdrawal['status'], readonly [Tone, IconName]>> = {
  PENDING: ['wait', 'clock'],
  PENDING_APPROVAL: ['accent', 'user'],
  PROCESSING: ['wait', 'send'],
  COMPLETED: ['good', 'checkCircle'],
  FAILED: ['bad', 'cross'],
  CANCELED: ['calm', 'dash'],
}

export function WithdrawalState({
  withdrawal,
}: {
  readonly withdrawal: Pick<Withdrawal, 'status' | 'amountReturned'>
}) {
  const words = useWords(withdrawalWords)
  const { status, amountReturned } = withdrawal
  if (status === 'COMPLETED' && amountReturned !== undefined)
    return (
      <Badge tone="bad" icon="refunds">
        {words.returnedState}
      </Badge>
    )
  const [tone, icon] = badges[status]
  return (
    <Badge tone={tone} icon={icon}>
      {words.status[status]}
    </Badge>
  )
}

export function BatchState({ status }: { readonly status: WithdrawalBatch['status'] }) {
  const words = useWords(payoutWords)
  const tone = ({ PENDING_APPROVAL: 'accent', IN_PROGRESS: 'wait', ENDED: 'calm' } as const)[status]
  return (
    <Badge tone={tone} icon={({ accent: 'user', wait: 'clock', calm: 'check' } as const)[tone]}>
      {words.batchStatus[status]}
    </Badge>
  )
}

export function ScheduleState({ status }: { readonly status: PayoutSchedule['status'] }) {
  const words = useWords(payoutWords)
  const tone = ({ ACTIVE: 'good', PAUSED: 'wait', ENDED: 'calm' } as const)[status]
  return <Badge tone={tone}>{words.scheduleStatus[status]}</Badge>
}

/** Where the money goes, as it was sent. */
export function destinationText({ pixKey, cryptoAddress, iban }: Destination): string {
  return pixKey ?? cryptoAddress ?? iban ?? ''
}

/** The destination with its copy button. Before it the type of a Pix key, or the holder of an account. */
export function DestinationOf({ of }: { readonly of: Destination }) {
  const words = useWords(withdrawalWords)
  const name =
    of.beneficiary ?? (of.pixKeyType === undefined ? words.types[of.type] : words.keyTypes[of.pixKeyType])
  return (
    <span className="inline-flex max-w-full flex-wrap items-center justify-end gap-x-1.5">
      <span className="text-ink-soft">{name}</span>
      <Code value={destinationText(of)} what={words.destination} keep={of.type === 'CRYPTO' ? 8 : 20} />
    </span>
  )
}
