// SEPA_TRANSFER: the payer sends a bank transfer to the operator's account and quotes a reference. No provider is called: the
// bank's files report the money. The operator imports them (import.ts), and each movement in them becomes a signal.
import type { RailFields } from '#/contract/payment-rail-fields.ts'
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import type { Money } from '#/kernel/money.ts'
import { hourMs, type Clock } from '#/kernel/time.ts'
import type { ShownAttempt } from '#/rails/attempt.ts'
import type { ConnectionBook } from '#/rails/connection.ts'
import { qrDataUrl } from '#/rails/kit/qr.ts'
import type { KeepSignals, Opening, Opened, Rail, RecordOfAttempts } from '#/rails/rail.ts'
import type { Receipt, Signal } from '#/rails/receipt.ts'
import { beyondLimits, type Routing, type RoutingRequest } from '#/rails/routing.ts'
import { isBankFile, sepaCallbacks } from './callbacks.ts'
import { epcLimits, epcText } from './epc.ts'
import { handIn } from './hand-in.ts'
import { claimReference, selectByReference } from './queries.ts'
import { receiptsOf, type EntrySignal, type RefundSignal } from './receipts.ts'
import { isReference, newReference } from './reference.ts'
import { createSepaRefunder, readRefund } from './refund.ts'
import { checkSepaSettings, type SepaSettings } from './settings.ts'
import { selectReportedBalances } from './statement-queries.ts'

export type SepaRailOptions = {
  readonly connections: ConnectionBook
  readonly clock: Clock
  /** Absent while a connection is only tested. */
  readonly sql?: Sql
  readonly keepSignals?: KeepSignals
  readonly log: Log
}

export type SepaRail = Rail & { readonly record: RecordOfAttempts }

/** A transfer takes a banking day, an instant one takes seconds, and payers may pay an invoice only days later. */
const lifetimeMs = 7 * 24 * hourMs

/** The rail over the SEPA connections of the book. */
export function createSepaRail(options: SepaRailOptions): SepaRail {
  const { connections, sql } = options
  return {
    method: 'SEPA_TRANSFER',
    lifetimeMs,
    route: (request) => route(connections, request),
    opens: {
      at: 'REQUEST',
      takesMore: true,
      open: (opening) => open(must(sql, 'payments are kept in a database'), connections, opening),
      // The payer quotes it, and our id is in no transfer.
      namedBy: 'reference',
      // A reference is accepted for ever: a transfer cannot be canceled, and money that quotes it belongs to this payment.
      cancel: async () => {},
      close: async () => ({ receipts: [], isOver: false }),
    },
    read: (signal) => (isBankFile(signal.body) ? readFile(options, signal) : readMovement(options, signal)),
    refunds: createSepaRefunder({
      connections,
      clock: options.clock,
      sql: () => must(sql, 'payouts are kept in a database'),
    }),
    callbacks: sepaCallbacks(connections),
    balance: (connection) => balanceOf(must(sql, 'statements are kept in a database'), connection),
    arrival: () => ({ at: 'PROVIDER' }),
    record: { from: 'ATTEMPTS', show: fieldsOf },
    findByName: async (of, merchantId, name) => {
      const reference = name.replaceAll(/\s/g, '').toUpperCase()
      return isReference(reference) ? selectByReference(of, merchantId, reference) : []
    },
  }
}

/** A movement that an import kept. */
function readMovement(
  { sql }: SepaRailOptions,
  { connection, body }: Signal,
): readonly Receipt[] | Promise<readonly Receipt[]> {
  const signal = JSON.parse(body.toString('utf8')) as EntrySignal | RefundSignal
  if (!('refund' in signal)) return receiptsOf(connection, signal, body)
  return readRefund(must(sql, 'payouts are kept in a database'), signal.refund)
}

/** A file that was handed in by a signed call: its movements come as signals of their own. A refused one moves nothing. */
async function readFile(
  { connections, sql, keepSignals, log }: SepaRailOptions,
  { connection, body }: Signal,
): Promise<readonly Receipt[]> {
  const deps = {
    sql: must(sql, 'files are kept in a database'),
    connections,
    keep: must(keepSignals, 'movements go to the inbox'),
  }
  const imported = await handIn(deps, { bytes: body, name: 'callback', by: 'callback', connection })
  if (imported.state === 'REFUSED')
    log.error({ connection, reason: imported.reason }, "a bank's file was refused")
  return []
}

/** The balances of the account as the bank has reported them. */
async function balanceOf(sql: Sql, connection: ConnectionId): Promise<readonly Money[]> {
  const reported = await selectReportedBalances(sql, connection)
  if (!reported.some(({ currency, isStated }) => currency === 'EUR' && isStated))
    throw new ProviderError('unavailable', 'no statement of the account was imported yet')
  return reported.map(({ minor, currency }) => ({ minor, currency }))
}

function route(
  connections: ConnectionBook,
  { mode, merchantId, currency, amountMinor = 1n }: RoutingRequest,
): Routing {
  if (currency !== undefined && currency !== 'EUR') {
    const detail = `SEPA_TRANSFER takes EUR, not ${currency}.`
    return { ok: false, code: 'currency_not_supported', detail, pointer: '/currency' }
  }
  const [first] = connections.of({ method: 'SEPA_TRANSFER', mode, merchantId })
  if (first === undefined)
    return { ok: false, code: 'method_not_available', detail: 'SEPA_TRANSFER is not connected.' }
  const routing: Routing = { ok: true, connection: first.id, currency: 'EUR' }
  return beyondLimits('SEPA_TRANSFER', epcLimits, { minor: amountMinor, currency: 'EUR' }) ?? routing
}

/** What `open` keeps of an attempt. */
type Artifacts = Omit<NonNullable<RailFields['sepa']>, 'epcQrCode'> & { readonly epc: string }

/** Opened again, the attempt keeps its reference. */
async function open(sql: Sql, connections: ConnectionBook, opening: Opening): Promise<Opened> {
  const { iban, bic, beneficiary } = accountOf(connections, opening.connection)
  const reference = await claimReference(sql, opening, newReference())
  const account = { iban, ...given({ bic }), beneficiary, reference }
  const epc = epcText({ ...account, amountMinor: opening.amount.minor })
  const artifacts: Artifacts = { ...account, epc }
  return { ok: true, artifacts }
}

/** Settings that were never checked are a bug of ours. */
function accountOf(connections: ConnectionBook, id: ConnectionId): SepaSettings {
  const { settings, secrets } = must(connections.find(id), `no connection ${id}`)
  const checked = checkSepaSettings(settings, secrets)
  return must(checked.ok ? checked.settings : undefined, `connection ${id} is well set up`)
}

/** The account and reference of the latest attempt that has them. The picture is drawn each time, and left out of lists. */
function fieldsOf(attempts: readonly ShownAttempt[], view: 'full' | 'brief'): RailFields {
  const artifacts = attempts.findLast((attempt) => attempt.artifacts !== undefined)?.artifacts
  if (artifacts === undefined) return {}
  const { epc, ...account } = artifacts as Artifacts
  return { sepa: { ...account, ...given({ epcQrCode: view === 'full' ? qrDataUrl(epc) : undefined }) } }
}
