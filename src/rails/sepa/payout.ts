// EUR out by bank transfer. A payout waits in a table until a person makes a file of it (batch.ts) and uploads the file at the
// bank. The bank's report and statements show how it ended. No provider is called, so nothing can be sent twice: a reference is one
// row. Inspected by audit/rails/sepa-payouts.ts.
import type { Sql, Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Clock } from '#/kernel/time.ts'
import type { ConnectionBook } from '#/rails/connection.ts'
import { hasLetters } from '#/rails/kit/latin.ts'
import type {
  Destination,
  ListedPayout,
  PayoutOrder,
  PayoutRail,
  PayoutRequest,
  PayoutResult,
  PayoutRouting,
} from '#/rails/payout-rail.ts'
import { requireLeave } from '#/rails/rail.ts'
import * as queries from './payout-queries.ts'
import { normalIban } from './settings.ts'

export type SepaPayoutOptions = {
  readonly connections: ConnectionBook
  readonly clock: Clock
  /** Absent while a connection is only tested. */
  readonly sql?: Sql
}

/** The payout rail over the accounts of the book: what they receive, they send. */
export function createSepaPayoutRail({ connections, clock, sql }: SepaPayoutOptions): PayoutRail {
  const database = () => must(sql, 'payouts are kept in a database')
  return {
    type: 'SEPA',
    connectionMethod: 'SEPA_TRANSFER',
    route: (request) => route(connections, request),
    send: async (order) => resultOf(await queueOnce(database(), clock, order, 'WITHDRAWAL')),
    async check({ reference }) {
      const row = await queries.selectPayout(database(), reference)
      return row === undefined ? undefined : resultOf(row)
    },
    list: (connection, span) => listChanged(database(), connection, span),
    listsHere: true,
    source: () => ({ at: 'PROVIDER' }),
  }
}

/** EPC132-08: the holder's name, without what no file can carry. */
const nameMax = 70

function route(connections: ConnectionBook, request: PayoutRequest): PayoutRouting {
  const { mode, merchantId, currency, iban = '', beneficiary = '' } = request
  if (currency !== 'EUR') {
    const detail = `SEPA pays out EUR, not ${currency}.`
    return { ok: false, code: 'currency_not_supported', detail, pointer: '/currency' }
  }
  const destination = destinationOf(iban, beneficiary)
  if ('code' in destination) return destination
  const [first] = connections.of({ method: 'SEPA_TRANSFER', mode, merchantId })
  if (first === undefined) {
    const detail = 'Sending by bank transfer is not connected.'
    return { ok: false, code: 'method_not_available', detail, pointer: '/type' }
  }
  return { ok: true, connection: first.id, currency: 'EUR', destination }
}

/** The account that a payout goes to, in its normal form, or why none can. */
export function destinationOf(
  iban: string,
  beneficiary: string,
): Destination | (PayoutRouting & { readonly ok: false }) {
  const normal = normalIban(iban)
  if (normal === undefined) {
    const detail = 'The IBAN is not one of a SEPA country, or its check digits do not fit.'
    return { ok: false, code: 'invalid_request', detail, pointer: '/iban' }
  }
  if (beneficiary.trim() === '' || beneficiary.length > nameMax) {
    const detail = `The holder’s name has 1 to ${nameMax} characters.`
    return { ok: false, code: 'invalid_request', detail, pointer: '/beneficiary' }
  }
  if (!hasLetters(beneficiary, nameMax)) {
    const detail = 'The holder’s name has no letter that a bank’s file takes: write it in Latin letters.'
    return { ok: false, code: 'invalid_request', detail, pointer: '/beneficiary' }
  }
  return { text: normal, fields: { iban: normal, beneficiary } }
}

/** Queues a payout, or returns it as it stands: a reference is queued once. Throws ProviderError when it may not leave now. */
export async function queueOnce(
  sql: Sql,
  clock: Clock,
  order: PayoutOrder,
  kind: queries.PayoutKind,
): Promise<queries.PayoutRow> {
  const { reference, destination, sendBefore } = order
  const before = await queries.selectPayout(sql, reference)
  if (before !== undefined) return before
  await requireLeave(order)
  if (sendBefore !== undefined && sendBefore <= clock.now())
    throw new ProviderError('unavailable', 'the time in which this payout may be sent is over')
  const { iban, beneficiary } = destination
  await queries.queuePayout(sql, order, {
    kind,
    iban: must(iban, 'a payout by bank transfer has an IBAN'),
    beneficiary: must(beneficiary, 'a payout by bank transfer has a name'),
  })
  return must(await queries.selectPayout(sql, reference), 'it was queued')
}

/** The reason of a payout that was stopped before it was in a file. */
const stopped = 'stopped'

/** Why a payout that is REFUSED did not leave, in our words. */
export function refusalOf({ reason }: Pick<queries.PayoutRow, 'reason'>) {
  return reason === stopped
    ? { code: 'canceled', message: 'It was canceled before it was in a file of payments.' }
    : { code: 'refused_by_bank', message: 'The bank did not carry out the transfer.' }
}

/** Takes the payout of a withdrawal or refund out of the queue for good. Returns false when it is in a file, or there is none. */
export function stopWaiting(tx: Tx, subject: string): Promise<boolean> {
  return queries.stopWaiting(tx, subject, stopped)
}

/** How far the payouts of these withdrawals and refunds are; those that have none are left out. */
export function fileStandings(
  sql: Sql,
  subjects: readonly string[],
): Promise<readonly queries.FileStanding[]> {
  return queries.selectStandings(sql, subjects)
}

/** A payout that is in a file, and not in a statement yet, may have left. Only a file of the bank ends it. */
function resultOf(row: queries.PayoutRow): PayoutResult {
  const { reference, minor, state, reason, returnedMinor } = row
  const record = {
    reference,
    amountMinor: String(minor),
    state,
    reason,
    returnedMinor: String(returnedMinor),
  }
  const base = {
    providerRef: reference,
    endToEndId: reference,
    evidence: Buffer.from(JSON.stringify(record)),
  }
  if (state === 'REFUSED') return { ...base, state: 'refused', ...refusalOf(row) }
  if (state !== 'DONE') return { ...base, state: 'sent' }
  return returnedMinor > 0n
    ? { ...base, state: 'returned', returned: returnedMinor }
    : { ...base, state: 'done' }
}

const pageRows = 500

async function* listChanged(
  sql: Sql,
  connection: ConnectionId,
  { from, to }: { readonly from: Date; readonly to: Date },
): AsyncGenerator<readonly ListedPayout[]> {
  let after = ''
  for (;;) {
    const rows = await queries.selectChanged(sql, connection, { from, to, after, limit: pageRows })
    if (rows.length > 0)
      yield rows.map((row) => ({
        reference: row.reference,
        amount: { minor: row.minor, currency: 'EUR' as const },
        result: resultOf(row),
      }))
    if (rows.length < pageRows) return
    after = rows.at(-1)?.reference ?? after
  }
}
