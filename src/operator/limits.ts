// The operator's limits for a merchant's withdrawals, and the destinations to which they may go.
import type { Sql, Tx } from '#/db/client.ts'
import { readAddress, readRecipient, toChecksum } from '#/evm/address.ts'
import { AppError } from '#/kernel/error.ts'
import type { KnownAddresses } from '#/kernel/evm-address.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { noLimit, payoutCurrencies, type Approvals, type Limit } from '#/money-out/limits.ts'
import { loadOwnDestinations } from '#/money-out/own-destinations.ts'
import {
  deleteDestination,
  hastenHeldBack,
  insertDestination,
  selectLimits,
  writeLimit,
} from '#/money-out/queries.ts'
import { writeAudit } from '#/people/audit-log.ts'
import type { PayoutType } from '#/rails/payout-rail.ts'
import { parsePixKey, type PixKeyType } from '#/rails/pix/pix-key.ts'
import { normalIban } from '#/rails/sepa/settings.ts'
import type { Operator } from './deps.ts'

export { knownAddresses } from '#/treasury/compare.ts'

/** `approvalAboveMinor`: null is the choice that one person pays out. */
export type LimitChange = Pick<Limit, 'merchantId' | 'type'> & Partial<Omit<Limit, 'currency' | 'onePerson'>>

/** Sets the limits that are given; the others stay. What they held back is tried again. `beside`: written in the same transaction. */
export async function changeLimit(
  sql: Sql,
  { by }: Operator,
  change: LimitChange,
  reason?: string,
  beside?: (tx: Tx) => Promise<void>,
): Promise<void> {
  await sql.begin(async (tx) => {
    await beside?.(tx)
    await changeLimitIn(tx, { by }, change, reason)
  })
  await hastenHeldBack(sql, change.merchantId)
}

/** The same in a transaction of the caller's. */
async function changeLimitIn(
  tx: Tx,
  { by }: Pick<Operator, 'by'>,
  change: LimitChange,
  reason?: string,
): Promise<void> {
  const { merchantId, type, approvalAboveMinor } = change
  const currency = payoutCurrencies[type]
  const limits = await selectLimits(tx, [merchantId])
  const before = limits.find((each) => each.type === type && each.currency === currency)
  const onePerson = approvalAboveMinor === undefined ? undefined : approvalAboveMinor === null
  const after = { ...(before ?? noLimit), ...change, currency, ...given({ onePerson }) }
  await writeLimit(tx, after)
  await writeAudit(tx, [
    {
      ...by,
      action: 'withdrawal.limit',
      subject: `limit:${merchantId}/${type}/${currency}`,
      merchantId,
      ...(before === undefined ? {} : { before: auditedLimit(before) }),
      after: auditedLimit(after),
      ...given({ reason }),
    },
  ])
}

function auditedLimit({ eachMinor, dayMinor, approvalAboveMinor, onePerson = false, listedOnly }: Limit) {
  const text = (minor: bigint | null) => minor?.toString() ?? null
  const [each, day, approvalAbove] = [text(eachMinor), text(dayMinor), text(approvalAboveMinor)]
  return { each, day, approvalAbove, onePerson, listedOnly }
}

/** Records who pays out of a new merchant, in the transaction that makes it. Types that are not named keep the suggestion, unchosen. */
export async function chooseApprovals(
  tx: Tx,
  operator: Pick<Operator, 'by'>,
  merchantId: MerchantId,
  approvals: Approvals,
): Promise<void> {
  for (const { type, approvalAboveMinor } of approvals)
    await changeLimitIn(tx, operator, { merchantId, type, approvalAboveMinor })
}

/** What is wrong with a destination: `which` of the two values, and a sentence without its subject. */
export type DestinationFault = { readonly ok: false; readonly message: string }

/**
 * In its normal form, in which the list stores destinations. `keyType`: for PIX. `known`: what our chains know, where a destination is
 * added; one that is removed may be any.
 */
export function readDestination(
  type: PayoutType,
  text: string,
  keyType: PixKeyType | undefined,
  known?: KnownAddresses,
): { readonly ok: true; readonly destination: string } | DestinationFault {
  if (type === 'CRYPTO') {
    const reading = known === undefined ? readAddress(text) : readRecipient(text, known)
    return reading.ok
      ? { ok: true, destination: toChecksum(reading.address) }
      : { ok: false, message: reading.message }
  }
  if (type === 'SEPA') {
    const iban = normalIban(text)
    return iban === undefined
      ? { ok: false, message: 'is no IBAN of a SEPA country' }
      : { ok: true, destination: iban }
  }
  if (keyType === undefined) return { ok: false, message: 'needs the type of the PIX key' }
  const parsed = parsePixKey(keyType, text)
  return parsed.ok ? { ok: true, destination: parsed.key } : { ok: false, message: parsed.message }
}

/** A destination of a merchant, in the normal form of the list. */
export type Listed = {
  readonly merchantId: MerchantId
  readonly type: PayoutType
  readonly destination: string
}

/**
 * Adds a destination to the list of a merchant. What waited for it is tried again. Throws AppError `destination_not_allowed` for a destination
 * of ours.
 */
export async function addDestination(
  sql: Sql,
  { by }: Operator,
  listed: Listed,
  note: string | undefined,
  beside?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { merchantId } = listed
  await sql.begin(async (tx) => {
    if ((await loadOwnDestinations(tx, [listed])).has(listed)) throw ownDestination()
    await beside?.(tx)
    await insertDestination(tx, { ...listed, note: note ?? null })
    await writeAudit(tx, [
      {
        ...by,
        action: 'withdrawal.destination-add',
        ...subjectOf(listed),
        ...given({ reason: note }),
      },
    ])
  })
  await hastenHeldBack(sql, merchantId)
}

function ownDestination(): AppError {
  const detail = 'Money that is sent there comes back to this service.'
  return new AppError('destination_not_allowed', detail, {
    faults: [{ pointer: '/destination', code: 'not_allowed', message: detail }],
  })
}

/** Removes a destination. False when it was not on the list. */
export function removeDestination(
  sql: Sql,
  { by }: Operator,
  listed: Listed,
  reason?: string,
  beside?: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  return sql.begin(async (tx) => {
    await beside?.(tx)
    if (!(await deleteDestination(tx, listed))) return false
    await writeAudit(tx, [
      {
        ...by,
        action: 'withdrawal.destination-remove',
        ...subjectOf(listed),
        ...given({ reason }),
      },
    ])
    return true
  }) as Promise<boolean>
}

function subjectOf({ merchantId, type, destination }: Listed) {
  return { subject: `destination:${merchantId}/${type}/${destination}`, merchantId }
}
