// Refunds of SEPA_TRANSFER: a bank transfer cannot be reversed, so the money goes out like a payout, in a file of payments, to the account
// that it came from or to one that the merchant names.
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { hexOfUuid, type ConnectionId } from '#/kernel/id.ts'
import type { Clock } from '#/kernel/time.ts'
import type { ConnectionBook } from '#/rails/connection.ts'
import { hasLetters } from '#/rails/kit/latin.ts'
import type { Destination, PayoutOrder } from '#/rails/payout-rail.ts'
import type { Refunder, RefundDestination, RefundOrder, RefundTarget } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import type { PayoutRow } from './payout-queries.ts'
import { destinationOf, queueOnce, refusalOf } from './payout.ts'
import { entryOfRef } from './receipts.ts'
import {
  selectRefundPayout,
  selectSenders,
  selectStillPaying,
  type NamedEntry,
  type RefundPayout,
  type Sender,
} from './refund-queries.ts'
import { normalIban } from './settings.ts'

export type SepaRefundOptions = {
  readonly connections: ConnectionBook
  readonly clock: Clock
  readonly sql: () => Sql
}

/** Creates refunds that are paid from the account that received the money. */
export function createSepaRefunder({ connections, clock, sql }: SepaRefundOptions): Refunder {
  return {
    paysOutBy: 'SEPA',
    async sendersOf(tx, pieces) {
      const senders = await selectSenders(tx, pieces.map(entryNamed))
      return new Map(senders.flatMap((each) => senderOf(each)))
    },
    async mayStillPay(tx, refunds) {
      return new Set(await selectStillPaying(tx, refunds))
    },
    destination: (target) => whereTo(connections, target),
    async send(order) {
      const row = await queueOnce(sql(), clock, payoutOf(order), 'REFUND')
      return endOf({ ...order, attemptId: order.attempt.id, ...order.attempt, ...row, id: order.id })
    },
  }
}

/** The movement that a piece's name stands for. */
function entryNamed({ connection, paidRef }: NamedPiece): NamedEntry {
  return { connection, ...entryOfRef(paidRef), paidRef }
}

type NamedPiece = { readonly connection: ConnectionId; readonly paidRef: string }

/** An account outside SEPA cannot be paid to. The name is cut to what a file carries; one without letters is none. */
function senderOf({ paidRef, iban, name }: Sender): readonly (readonly [string, Destination])[] {
  const normal = normalIban(iban ?? '')
  if (normal === undefined) return []
  const beneficiary = (name ?? '').trim().slice(0, nameMax).trim()
  const named = hasLetters(beneficiary, nameMax) ? { beneficiary } : {}
  return [[paidRef, { text: normal, fields: { iban: normal, ...named } }]]
}

const nameMax = 70

/** The sender’s account, unless the merchant names another one. */
function whereTo(connections: ConnectionBook, target: RefundTarget): RefundDestination {
  const { connection, sender } = target
  if (connections.find(connection) === undefined) {
    const detail = 'The account that received the money is not connected any more.'
    return { ok: false, code: 'method_not_available', detail }
  }
  const iban = target.iban ?? sender?.text
  if (iban === undefined)
    return missing('/iban', 'The bank did not say which account the money came from: iban is required.')
  const isSenders = normalIban(iban) === sender?.text
  const beneficiary = target.beneficiary ?? (isSenders ? sender?.fields['beneficiary'] : undefined)
  if (beneficiary === undefined)
    return missing('/beneficiary', 'beneficiary is required: the name of the holder of the account.')
  const found = destinationOf(iban, beneficiary)
  return 'code' in found ? found : { ok: true, fields: found.fields }
}

function missing(pointer: string, detail: string): RefundDestination {
  return { ok: false, code: 'invalid_request', detail, pointer }
}

/** The id of the refund is its name in the file, so there is one payout of it for ever. */
function payoutOf(order: RefundOrder): PayoutOrder {
  const { id, attempt, connection, amount, destination, reason, mayLeave } = order
  return {
    id,
    merchantId: attempt.merchantId,
    reference: hexOfUuid(id),
    connection,
    amount,
    destination: must(destination, 'a refund by bank transfer names an account'),
    ...given({ description: reason, mayLeave }),
  }
}

type Ending = Pick<RefundPayout, 'id' | 'merchantId' | 'paymentId' | 'attemptId' | 'connection'> &
  Pick<PayoutRow, 'reference' | 'minor' | 'state' | 'reason' | 'changedAt'>

/**
 * Returns how the payout ended, for the worker that checks it. That the money came back is not returned here: a worker's report of
 * a failure counts only while the refund is PENDING.
 */
function endOf(payout: Ending): readonly Receipt[] {
  if (payout.state === 'DONE') return [receiptOf(payout, 'DONE')]
  return payout.state === 'REFUSED' ? [receiptOf(payout, 'REFUSED')] : []
}

/**
 * Returns the receipts of a refund after a movement on the account. Money that came back must have left before, so a refund that is
 * still PENDING gets the receipt of its end first, whichever movement is read first. Otherwise the books would take the money again
 * when the other movement is read.
 */
export async function readRefund(sql: Sql, reference: string): Promise<readonly Receipt[]> {
  const payout = await selectRefundPayout(sql, reference)
  if (payout?.state !== 'DONE') return []
  if (payout.returnedMinor === 0n) return [receiptOf(payout, 'DONE')]
  const departed = payout.status === 'PENDING' ? [receiptOf(payout, 'DONE')] : []
  return [...departed, receiptOf(payout, 'RETURNED')]
}

function receiptOf(payout: Ending, state: 'DONE' | 'REFUSED' | 'RETURNED'): Receipt {
  const { id, merchantId, paymentId, attemptId, connection, reference, minor, reason, changedAt } = payout
  const failures = {
    REFUSED: refusalOf(payout),
    RETURNED: { code: 'returned_by_bank', message: 'The bank of the recipient sent the money back.' },
  }
  const evidence = {
    reference,
    amountMinor: String(minor),
    told: state,
    ...(state === 'REFUSED' ? { reason } : {}),
  }
  return {
    method: 'SEPA_TRANSFER',
    attempt: { id: attemptId, merchantId, paymentId },
    connection,
    // Two failures are possible: a transfer that was reported as refused may have left after all, and then come back.
    providerRef: state === 'RETURNED' ? `${reference}/returned` : reference,
    outcome: state === 'DONE' ? 'refunded' : 'refund_failed',
    occurrence: 1,
    refund: id,
    amount: { minor, currency: 'EUR' },
    happenedAt: changedAt,
    evidence: Buffer.from(JSON.stringify(evidence)),
    ...(state === 'DONE' ? {} : { failure: failures[state] }),
  }
}
