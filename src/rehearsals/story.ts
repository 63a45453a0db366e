// The payments of a rehearsal, and the events about them. They are made by the functions that make real records, of payments that exist
// nowhere else: nothing of a rehearsal is in the books, nor in the merchant's events.
import { connectable } from '#/coins/networks.ts'
import { baseUnitsPerCent, toTokenUnits } from '#/coins/units.ts'
import { disputeRecord, type Dispute } from '#/disputes/dispute.ts'
import { toChecksum } from '#/kernel/evm-address.ts'
import {
  newId,
  newIdAt,
  type ConnectionId,
  type EventId,
  type MerchantId,
  type WalletId,
} from '#/kernel/id.ts'
import { parseJson, toJson } from '#/kernel/json.ts'
import { addMs, hourMs, minuteMs } from '#/kernel/time.ts'
import { unpaid, type Payment } from '#/payments/payment.ts'
import { paymentEventRecord } from '#/payments/record.ts'
import { buildBrCode } from '#/rails/pix/br-code.ts'
import { refundRecord, type Refund } from '#/refunds/refund.ts'
import type { EventType } from '#/webhooks/event.ts'
import type { RehearsalId } from './rehearsal.ts'

/** What a script needs to make its events. */
export type Stage = {
  readonly merchantId: MerchantId
  readonly rehearsalId: RehearsalId
  readonly random: Random
  readonly now: Date
  /** Where the deliveries are sent; the payments name it as their webhookUrl. */
  readonly url: string
  /** The number of the next event. */
  readonly nextSequence: () => number
}

export type Message = { readonly id: EventId; readonly type: string; readonly body: Buffer }

/** A payment of the story. Each event shows it one version later. */
export type PaymentStory = {
  readonly id: Payment['id']
  readonly minor: bigint
  event(type: EventType, change: Partial<Payment>): Message
}

const connection = 'rehearsal' as ConnectionId

/** A payment of the sandbox. `metadata`: a JSON object as text, whose numbers stay as they are written. */
export function payment(
  stage: Stage,
  method: 'PIX' | 'CRYPTO',
  { metadata }: { readonly metadata?: string } = {},
): PaymentStory {
  const { random, now } = stage
  const currency = method === 'PIX' ? 'BRL' : 'USDT'
  // Even, so that a half is whole; and above the bank's magic amounts.
  const minor = 2n * BigInt(random.whole(3_000, 60_000))
  const createdAt = addMs(now, -minuteMs * random.whole(2, 50))
  const allMetadata = {
    orderId: `R-${random.whole(1_000, 9_999)}`,
    rehearsal: stage.rehearsalId,
    ...(metadata === undefined ? {} : (parseJson(metadata) as Readonly<Record<string, unknown>>)),
  }
  const id = newIdAt<'payment'>(createdAt)
  const fieldsOf = method === 'PIX' ? pixFields(random) : cryptoFields(random, minor, createdAt)
  const walletId: WalletId = newId()
  let current: Payment = {
    ...unpaid,
    merchantId: stage.merchantId,
    id,
    mode: 'SANDBOX',
    request: {
      amount: Number(minor),
      currency,
      paymentMethods: [method],
      metadata: allMetadata,
      webhookUrl: stage.url,
    },
    status: 'WAITING_PAYMENT',
    amountMinor: minor,
    currency,
    methods: [method],
    method,
    version: 1,
    createdAt,
    expiresAt: addMs(createdAt, hourMs),
  }
  return {
    id,
    minor,
    event(type, change) {
      current = { ...current, ...change, version: current.version + 1 }
      const received = current.receivedMinor
      const shown = {
        ...current,
        ...(received === 0n ? {} : { walletId }),
        ...(current.status === 'PAID' ? { paidAt: now } : {}),
      }
      const { completingTx, ...rail } = fieldsOf(received)
      const isComplete = completingTx !== undefined && current.status === 'PAID'
      const record = paymentEventRecord(isComplete ? { ...shown, completingTx } : shown, rail)
      return message(stage, type, record)
    },
  }
}

type RailFields = Readonly<Record<string, unknown>> & { readonly completingTx?: string }

/** What the rail shows when this much has come. */
type FieldsOf = (receivedMinor: bigint) => RailFields

function pixFields(random: Random): FieldsOf {
  const copyPaste = buildBrCode({
    kind: 'DYNAMIC',
    receiver: { name: 'Vintem', city: 'Sao Paulo' },
    url: `pix.example.com/v2/${hex(random, 32)}`,
  })
  const endToEndId = `E99999012${hex(random, 23)}`
  return (received) => ({
    pixCopyPaste: copyPaste,
    ...(received === 0n ? {} : { endToEndIds: [endToEndId] }),
  })
}

function cryptoFields(random: Random, minor: bigint, at: Date): FieldsOf {
  const address = `0x${hex(random, 40)}`
  const txHashes = [`0x${hex(random, 64)}`, `0x${hex(random, 64)}`]
  const units = (of: bigint) => (of * baseUnitsPerCent).toString()
  const bsc = connectable('BSC')
  const [token] = bsc.tokens
  return (received) => {
    const isWhole = received === minor
    const amounts = received === 0n ? [] : isWhole ? [minor / 2n, minor - minor / 2n] : [received]
    return {
      cryptoAddress: address,
      cryptoAmount: units(minor),
      cryptoNetwork: bsc.name,
      cryptoCurrency: token.symbol,
      cryptoAmountToken: toTokenUnits(token, minor * baseUnitsPerCent).raw.toString(),
      cryptoDecimals: token.decimals,
      cryptoContract: toChecksum(token.address),
      cryptoChainId: Number(bsc.chainId),
      depositCount: amounts.length,
      deposits: amounts.map((each, nth) => ({
        txHash: txHashes[nth],
        amount: units(each),
        confirmations: 12,
        final: true,
        at: addMs(at, minuteMs * nth).toISOString(),
      })),
      ...(isWhole ? { completingTx: txHashes[1] ?? '' } : {}),
    }
  }
}

function hex(random: Random, digits: number): string {
  return Array.from({ length: digits }, () => random.whole(0, 15).toString(16)).join('')
}

/** A refund of this amount, as its events show it one after another. */
export function refund(stage: Stage, of: PaymentStory, amountMinor: bigint) {
  let current: Refund = {
    merchantId: stage.merchantId,
    id: newId<'refund'>(),
    mode: 'SANDBOX',
    paymentId: of.id,
    attemptId: newId(),
    method: 'PIX',
    connection,
    paidRef: '',
    walletId: newId(),
    amountMinor,
    isHeldBack: false,
    unreleasedMinor: 0n,
    currency: 'BRL',
    status: 'PENDING',
    reason: 'One item was not there',
    metadata: { rehearsal: stage.rehearsalId },
    approvalRequired: false,
    version: 0,
    createdAt: stage.now,
  }
  return (type: EventType, change: Partial<Refund> = {}): Message => {
    current = { ...current, ...change, version: current.version + 1 }
    return message(stage, type, refundRecord(current))
  }
}

/** A dispute over this amount, as its events show it one after another. */
export function dispute(stage: Stage, of: PaymentStory, amountMinor: bigint) {
  let current: Dispute = {
    merchantId: stage.merchantId,
    id: newId<'dispute'>(),
    mode: 'SANDBOX',
    paymentId: of.id,
    connection,
    providerRef: '',
    paidRef: '',
    walletId: newId(),
    kind: 'MED',
    status: 'OPEN',
    isTaken: false,
    round: 1,
    amountMinor,
    feeMinor: 0n,
    currency: 'BRL',
    reason: 'The payer’s bank reports fraud.',
    version: 0,
    createdAt: stage.now,
  }
  return (type: EventType, change: Partial<Dispute> = {}): Message => {
    current = { ...current, ...change, version: current.version + 1 }
    return message(stage, type, disputeRecord(current))
  }
}

/** An event with these fields, as the bytes that are sent. `more`: further fields of the event. */
export function message(
  stage: Stage,
  type: string,
  data: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {},
): Message {
  const id: EventId = newId()
  const frame = { id, type, timestamp: stage.now.toISOString(), mode: 'SANDBOX' }
  return {
    id,
    type,
    body: Buffer.from(toJson({ ...frame, sequence: stage.nextSequence(), ...more, data })),
  }
}

// Numbers that follow from a seed alone: the same seed makes the same script.

type Random = {
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number
  pick<Value>(values: readonly [Value, ...Value[]]): Value
  shuffle<Value>(values: readonly Value[]): readonly Value[]
}

/** `name` makes each case independent of the others: alone it is played as in the whole script. */
export function createRandom(seed: number, name: string): Random {
  let state = hashOf(`${seed}/${name}`)
  /** Mulberry32: 32 bits of state are plenty for a script. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    whole,
    pick: ([first, ...others]) => others[whole(0, others.length) - 1] ?? first,
    shuffle(values) {
      const shuffled = [...values]
      for (let last = shuffled.length - 1; last > 0; last -= 1) {
        const other = whole(0, last)
        shuffled.push(...shuffled.splice(other, 1))
      }
      return shuffled
    },
  }
}

/** FNV-1a of 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}
