// The script of each case: what is sent, in which order, what must be answered, and what the receiver must have made of it.
import type { PaymentId } from '#/kernel/id.ts'
import type { CaseName } from './case-texts.ts'
import type { Signing } from './signing.ts'
import { dispute, message, payment, refund, type Message, type PaymentStory, type Stage } from './story.ts'

export type Send = {
  readonly what: string
  readonly message: Message
  readonly signing: Signing
  /**
   * - ACCEPTED: a 2xx. DELIVERED: the same, but it is sent again after a refusal, as a webhook is.
   * - REFUSED: a 4xx.
   * - ANYTHING: another case judges the answer.
   */
  readonly wants: 'ACCEPTED' | 'DELIVERED' | 'REFUSED' | 'ANYTHING'
}

/** The receiver's view of a payment, by the names under which `stateUrl` answers it. */
export type StateFields = {
  readonly status?: string
  readonly amountReceived?: number
  readonly amountRefunded?: number
  readonly amountDisputed?: number
  readonly fulfilments?: number
}

export type ExpectedState = {
  readonly what: string
  readonly paymentId: PaymentId
  readonly fields: StateFields
}

export type Script = {
  /** Each step has the deliveries that are sent at the same time. */
  readonly steps: readonly (readonly Send[])[]
  /** Empty: the answers alone decide. */
  readonly states: readonly ExpectedState[]
}

/** The script of a case. */
export function scriptOf(name: CaseName, stage: Stage): Script {
  return scripts[name](stage)
}

const scripts: Readonly<Record<CaseName, (stage: Stage) => Script>> = {
  GOOD_DELIVERY: (stage) => answers([accepted('payment.completed', paid(payment(stage, 'PIX')))]),
  RAW_BODY: (stage) => {
    // As a merchant may write its metadata: every byte of it is echoed.
    const text = `{"price":${stage.random.whole(10, 99)}.50,"weight":1e3,"id":12345678901234567890,"note":"50 €, café / pão"}`
    const story = payment(stage, 'PIX', { metadata: text })
    return answers([accepted('numbers and letters in another notation', paid(story))])
  },
  TWO_SIGNATURES: (stage) =>
    answers([{ ...accepted('an unknown signature, and a valid one', completed(stage)), signing: 'TWO' }]),
  FORGED_DELIVERY: (stage) => {
    const forged: readonly (readonly [Signing, string])[] = [
      ['OTHER_SECRET', 'signed by another secret'],
      ['OTHER_BODY', 'the signature is of another body'],
      ['OTHER_ID', 'the signature is of another webhook-id'],
      ['NO_SIGNATURE', 'without a signature'],
      ['EMPTY_SIGNATURE', 'an empty signature'],
    ]
    return answers(stage.random.shuffle(forged).map(([signing, what]) => refused(stage, what, signing)))
  },
  OLD_DELIVERY: (stage) => {
    const minutes = [stage.random.whole(6, 15), stage.random.whole(60, 600)]
    const old = minutes.map((each) =>
      refused(stage, `signed ${each} minutes ago`, { offSeconds: -60 * each }),
    )
    const ahead = stage.random.whole(6, 30)
    const early = refused(stage, `signed ${ahead} minutes ahead`, { offSeconds: 60 * ahead })
    return answers(stage.random.shuffle([...old, early]))
  },
  REPLAYED_DELIVERY: (stage) => {
    const event = completed(stage)
    return answers([
      accepted('the first time', event),
      { ...accepted('the same request again', event), signing: 'SAME' },
      accepted('a further attempt, signed anew', event),
    ])
  },
  NEW_TYPE: (stage) => {
    const data = { id: stage.rehearsalId, metadata: { rehearsal: stage.rehearsalId }, version: 1 }
    return answers([accepted('a type that does not exist yet', message(stage, 'rehearsal.new_type', data))])
  },
  NEW_FIELD: (stage) => {
    const event = JSON.parse(completed(stage).body.toString('utf8')) as Readonly<Record<string, unknown>>
    const data = { ...(event['data'] as object), newField: { nested: [1, 'two'] }, anotherOne: true }
    const later = message(stage, 'payment.completed', data, { newEnvelopeField: 'x' })
    return answers([accepted('new fields in the event and in data', later)])
  },
  MANY_AT_ONCE: (stage) => ({
    steps: [Array.from({ length: 12 }, (_, nth) => accepted(`${nth + 1} of 12 at once`, completed(stage)))],
    states: [],
  }),
  DUPLICATED_DELIVERY: (stage) => {
    const [first, second] = [payment(stage, 'PIX'), payment(stage, 'CRYPTO')]
    const [one, other] = [paid(first), paid(second)]
    return {
      steps: [
        [delivered('an event', one)],
        [{ ...delivered('the same event again', one), wants: 'ANYTHING' }],
        [
          delivered('another event', other),
          { ...delivered('the same event at the same time', other), wants: 'ANYTHING' },
        ],
      ],
      states: [
        { what: 'sent one after another', paymentId: first.id, fields: { fulfilments: 1 } },
        { what: 'sent at the same time', paymentId: second.id, fields: { fulfilments: 1 } },
      ],
    }
  },
  REORDERED_DELIVERIES: reordered,
  LATE_PAYMENT: latePayment,
  SPLIT_PAYMENT: splitPayment,
  PAID_TWICE: paidTwice,
  REFUND_AND_DISPUTE: refundAndDispute,
}

function reordered(stage: Stage): Script {
  const [first, second] = [payment(stage, 'CRYPTO'), payment(stage, 'PIX')]
  const waiting = first.event('payment.waiting', {})
  const isPaid = paid(first)
  const whole = paid(second)
  const after = second.event('payment.received_after_close', {
    receivedMinor: 2n * second.minor,
    exceptions: ['DUPLICATE'],
  })
  const setsBack = [
    delivered('payment.completed, version 3', isPaid),
    delivered('payment.waiting, version 2', waiting),
  ]
  const hides = [
    delivered('payment.received_after_close, version 3', after),
    delivered('payment.completed, version 2', whole),
  ]
  return {
    steps: stage.random.shuffle([setsBack, hides]).flatMap(oneByOne),
    states: [
      expected('payment.waiting came last', first, 'PAID', first.minor, 1),
      expected('payment.completed came last', second, 'PAID', 2n * second.minor, 1),
    ],
  }
}

function latePayment(stage: Stage): Script {
  const [whole, part] = [payment(stage, 'PIX'), payment(stage, 'CRYPTO')]
  const steps = [
    delivered('payment.expired', whole.event('payment.expired', { status: 'EXPIRED' })),
    delivered('payment.completed, LATE', paid(whole, { exceptions: ['LATE'] })),
    delivered('payment.expired', part.event('payment.expired', { status: 'EXPIRED' })),
    delivered(
      'payment.received_after_close, a part',
      part.event('payment.received_after_close', {
        receivedMinor: part.minor / 2n,
        exceptions: ['UNDERPAID', 'LATE'],
      }),
    ),
  ]
  return {
    steps: oneByOne(steps),
    states: [
      expected('expired, then paid', whole, 'PAID', whole.minor, 1),
      expected('expired, then paid in part', part, 'EXPIRED', part.minor / 2n, 0),
    ],
  }
}

function splitPayment(stage: Stage): Script {
  const [whole, part] = [payment(stage, 'CRYPTO'), payment(stage, 'CRYPTO')]
  const underpaid = (story: PaymentStory) =>
    story.event('payment.underpaid', { receivedMinor: story.minor / 2n, exceptions: ['UNDERPAID'] })
  const steps = [
    delivered('payment.underpaid, the first half', underpaid(whole)),
    delivered('payment.completed, with the second half', paid(whole, { exceptions: [] })),
    delivered('payment.underpaid, and no more', underpaid(part)),
  ]
  return {
    steps: oneByOne(steps),
    states: [
      expected('paid in two parts', whole, 'PAID', whole.minor, 1),
      expected('paid in part', part, 'WAITING_PAYMENT', part.minor / 2n, 0),
    ],
  }
}

function paidTwice(stage: Stage): Script {
  const story = payment(stage, 'PIX')
  const again = { receivedMinor: 2n * story.minor, exceptions: ['DUPLICATE'] } as const
  const steps = [
    delivered('payment.completed', paid(story)),
    delivered('payment.received_after_close, DUPLICATE', story.event('payment.received_after_close', again)),
  ]
  return { steps: oneByOne(steps), states: [expected('paid twice', story, 'PAID', 2n * story.minor, 1)] }
}

/** The events of each record stay in their order; how those of the two records mix follows from the seed. */
function refundAndDispute(stage: Stage): Script {
  const [lost, won] = [payment(stage, 'PIX'), payment(stage, 'PIX')]
  const refunded = won.minor / 2n
  const failure = { code: 'disputed', message: 'The payer has the money already.' }
  const play = (
    story: PaymentStory,
    refundEnds: (of: ReturnType<typeof refund>) => Message,
    disputeEnds: (of: ReturnType<typeof dispute>) => Message,
    amount: bigint,
  ) => {
    const [aRefund, aDispute] = [refund(stage, story, amount), dispute(stage, story, story.minor)]
    const opened = [aRefund('refund.created'), refundEnds(aRefund)]
    const claimed = [aDispute('dispute.opened'), disputeEnds(aDispute)]
    const race = interleaved(stage, opened, claimed).map((each) => delivered(each.type, each))
    return [delivered('payment.completed', paid(story)), ...race]
  }
  const closed = { closedAt: stage.now }
  const steps = [
    ...play(
      lost,
      (end) => end('refund.failed', { status: 'FAILED', failure }),
      (end) => end('dispute.lost', { status: 'LOST', ...closed }),
      lost.minor,
    ),
    ...play(
      won,
      (end) => end('refund.completed', { status: 'COMPLETED', completedAt: stage.now }),
      (end) => end('dispute.won', { status: 'WON', ...closed }),
      refunded,
    ),
  ]
  const view = (amountRefunded: bigint, amountDisputed: bigint) => ({
    status: 'PAID',
    amountRefunded: Number(amountRefunded),
    amountDisputed: Number(amountDisputed),
  })
  return {
    steps: oneByOne(steps),
    states: [
      { what: 'dispute lost, refund failed', paymentId: lost.id, fields: view(0n, lost.minor) },
      { what: 'dispute won, refund completed', paymentId: won.id, fields: view(refunded, 0n) },
    ],
  }
}

function interleaved<Value>(
  { random }: Stage,
  one: readonly Value[],
  other: readonly Value[],
): readonly Value[] {
  const lines = [[...one], [...other]]
  const turns = random.shuffle([...one.map(() => 0), ...other.map(() => 1)])
  return turns.flatMap((turn) => lines[turn]?.splice(0, 1) ?? [])
}

function paid(story: PaymentStory, more: Parameters<PaymentStory['event']>[1] = {}): Message {
  return story.event('payment.completed', { status: 'PAID', receivedMinor: story.minor, ...more })
}

function completed(stage: Stage): Message {
  return paid(payment(stage, stage.random.pick(['PIX', 'CRYPTO'])))
}

function accepted(what: string, event: Message): Send {
  return { what, message: event, signing: 'TRUE', wants: 'ACCEPTED' }
}

function delivered(what: string, event: Message): Send {
  return { what, message: event, signing: 'TRUE', wants: 'DELIVERED' }
}

function refused(stage: Stage, what: string, signing: Signing): Send {
  return { what, message: completed(stage), signing, wants: 'REFUSED' }
}

function answers(sends: readonly Send[]): Script {
  return { steps: oneByOne(sends), states: [] }
}

function oneByOne(sends: readonly Send[]): readonly (readonly Send[])[] {
  return sends.map((each) => [each])
}

function expected(
  what: string,
  { id }: PaymentStory,
  status: string,
  receivedMinor: bigint,
  fulfilments: number,
): ExpectedState {
  return { what, paymentId: id, fields: { status, amountReceived: Number(receivedMinor), fulfilments } }
}
