// PIX: a charge at a PSP that speaks API Pix, shown as a BR Code and its picture. The charge's txid is the attempt's id without
// hyphens, so a repeated call makes no second charge, and the txid of a received Pix names its attempt.
import { ProviderError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { parseTaxId } from '#/kernel/tax-id.ts'
import { hourMs, secondMs, type Clock } from '#/kernel/time.ts'
import type { ShownAttempt } from '#/rails/attempt.ts'
import type { ConnectionBook, WatchCalls } from '#/rails/connection.ts'
import { cut } from '#/rails/kit/cut.ts'
import { qrDataUrl } from '#/rails/kit/qr.ts'
import type {
  CertifiedCallbacks,
  ListedSpan,
  Opened,
  Opening,
  OpensInRequest,
  Rail,
  RecordOfAttempts,
} from '#/rails/rail.ts'
import type { Receipt, Signal } from '#/rails/receipt.ts'
import { refusedFor, type Refused } from '#/rails/refusal.ts'
import { beyondLimits, type Routing, type RoutingRequest } from '#/rails/routing.ts'
import { buildBrCode, isLocation, parseBrCode } from './br-code.ts'
import { PixError, type NewCharge, type PixClient } from './client.ts'
import { closeCharge } from './close.ts'
import { openConnections, type OpenConnections } from './connections.ts'
import { pix } from './method.ts'
import { receiptsOf, toReference } from './receipts.ts'
import { createPixRefunder } from './refund.ts'
import type { PixSettings } from './settings.ts'
import { faultyFields, parseHints, type Charge, type Hint, type ReceivedPix } from './wire.ts'

export type PixRailOptions = {
  readonly connections: ConnectionBook
  readonly clock: Clock
  readonly log: Log
  /** Counts the calls of each connection. */
  readonly watchCalls?: WatchCalls
}

export type PixRail = Rail & {
  readonly opens: OpensInRequest
  readonly callbacks: CertifiedCallbacks
  readonly record: RecordOfAttempts
  /** Waits for calls under way, then ends the connections to all PSPs. */
  stop(): Promise<void>
}

type Deps = { readonly open: OpenConnections; readonly clock: Clock; readonly log: Log }

/** The rail over the PIX connections of the book. */
export function createPixRail(options: PixRailOptions): PixRail {
  const { connections, clock, log } = options
  const open = openConnections(options)
  const deps: Deps = { open, clock, log }
  return {
    method: 'PIX',
    countries: pix.countries,
    lifetimeMs: hourMs,
    route: (request) => route(connections, request),
    opens: {
      at: 'REQUEST',
      open: (opening) => openCharge(deps, opening),
      async cancel({ id, connection }) {
        await open.collecting(connection).client.removeCharge(toReference(id))
      },
      close({ id, connection }) {
        const { client } = open.collecting(connection)
        return closeCharge({ connection, client, clock, txid: toReference(id) })
      },
    },
    callbacks: {
      by: 'CERTIFICATE',
      async register(connection, callbackUrl) {
        const { client, settings } = open.collecting(connection)
        await client.putWebhook(settings.pixKey, callbackUrl)
      },
    },
    read: (signal) => readSignal(deps, signal),
    list: (connection, span) => listReceipts(deps, connection, span),
    refunds: createPixRefunder({ open, clock, log }),
    arrival: () => ({ at: 'PROVIDER' }),
    record: { from: 'ATTEMPTS', show: fieldsOf },
    stop: open.close,
  }
}

/** API Pix writes an amount with at most ten digits before the point (BACEN API Pix 2.9.0, `\d{1,10}\.\d{2}`). */
const limits = { min: 1n, max: 999_999_999_999n }

function route(
  connections: ConnectionBook,
  { mode, merchantId, currency, amountMinor = 1n }: RoutingRequest,
): Routing {
  if (currency !== undefined && currency !== 'BRL') {
    const detail = `PIX takes BRL, not ${currency}.`
    return { ok: false, code: 'currency_not_supported', detail, pointer: '/currency' }
  }
  const [first] = connections.of({ method: 'PIX', mode, merchantId })
  if (first === undefined) return { ok: false, code: 'method_not_available', detail: 'PIX is not connected.' }
  const routing: Routing = { ok: true, connection: first.id, currency: 'BRL' }
  return beyondLimits('PIX', limits, { minor: amountMinor, currency: 'BRL' }) ?? routing
}

/** The limits of the description that the payer sees, and of a name in the charge. */
const noteMax = 140
const nameMax = 200

async function openCharge({ open, clock, log }: Deps, opening: Opening): Promise<Opened> {
  const { settings, client } = open.collecting(opening.connection)
  const charge = chargeOf(opening, settings, clock)
  const answer = await placeCharge(client, charge)
  if (answer instanceof ProviderError) return refusalOf(answer)
  if ((answer.txid ?? charge.txid) !== charge.txid) throw nonsense('it is about another charge')
  if (answer.amount !== charge.amount) throw nonsense('the charge is for another amount')
  if (answer.status?.startsWith('REMOVIDA')) {
    return { ok: false, code: 'removed_by_provider', message: 'The charge was removed at the bank.' }
  }
  const copyPaste = copyPasteOf(answer, settings, log)
  const { location } = answer
  const artifacts = { copyPaste, ...given({ location }), pixKey: settings.pixKey }
  return { ok: true, artifacts }
}

function chargeOf(opening: Opening, { pixKey }: PixSettings, clock: Clock): NewCharge {
  const { id, amount, expiresAt, description, customerName, customerTaxId } = opening
  const leftMs = expiresAt.getTime() - clock.now().getTime()
  const taxId = customerTaxId === undefined ? undefined : parseTaxId(customerTaxId)
  const name = cut(customerName?.trim() ?? '', nameMax)
  const note = cut(description?.trim() ?? '', noteMax)
  return {
    txid: toReference(id),
    amount: amount.minor,
    expiresInSeconds: Math.max(1, Math.floor(leftMs / secondMs)),
    pixKey,
    // API Pix accepts both or neither.
    ...(taxId === undefined || name === '' ? {} : { payer: { taxId, name } }),
    ...(note === '' ? {} : { note }),
  }
}

/** A PSP names the fields that it refuses. For a field of `devedor` the code is `payer_refused`, because the payer can correct it. */
function refusalOf(error: ProviderError): Refused {
  const isOfPayer =
    error instanceof PixError && faultyFields(error.raw).some((name) => /\bdevedor\b/.test(name))
  return refusedFor(isOfPayer ? 'payer_refused' : 'refused_by_provider', error.message)
}

/**
 * Returns the charge as the PSP has it now, or the PSP's refusal. After a call that was cut off, or a refusal, the charge is read:
 * the call may have succeeded, or the charge may exist already and be closed.
 */
async function placeCharge(client: PixClient, charge: NewCharge): Promise<Charge | ProviderError> {
  try {
    return (await client.putCharge(charge)).value
  } catch (error) {
    if (!(error instanceof ProviderError) || error.outcome === 'unavailable') throw error
    const kept = await client.getCharge(charge.txid)
    if (kept !== undefined) return kept.value
    if (error.outcome === 'refused') return error
    throw error
  }
}

/** The PSP's BR Code if it is valid and dynamic; else one built from the charge's location. */
function copyPasteOf(charge: Charge, { receiver }: PixSettings, log: Log): string {
  const { copyPaste, location } = charge
  if (copyPaste !== undefined) {
    const parsed = parseBrCode(copyPaste)
    if (parsed.ok && parsed.code.kind === 'DYNAMIC') return copyPaste.trim()
    log.warn(
      { txid: charge.txid, fault: parsed.ok ? 'it is not dynamic' : parsed.fault },
      'a PSP sent an invalid BR Code',
    )
  }
  if (location === undefined || !isLocation(location))
    throw nonsense('it has neither a BR Code nor a location')
  return buildBrCode({ kind: 'DYNAMIC', url: location, receiver, use: 'SINGLE_USE' })
}

/** More than any PSP puts into a callback; reconciliation finds the rest. */
const hintsMax = 100

async function readSignal({ open, log }: Deps, { connection, body }: Signal): Promise<readonly Receipt[]> {
  const hints = parseHints(body)
  if (hints === undefined) {
    // PSPs test the URL with such a call when it is registered.
    log.info({ connection, bytes: body.length }, 'a PIX callback without hints')
    return []
  }
  const distinct = [...new Map(hints.map((hint) => [hint.endToEndId ?? `/${hint.txid}`, hint])).values()]
  if (distinct.length > hintsMax)
    log.warn({ connection, hints: distinct.length }, 'a PIX callback with too many hints')
  const { client } = open.collecting(connection)
  const found = await Promise.all(
    distinct.slice(0, hintsMax).map((hint) => follow({ connection, client, log }, hint)),
  )
  return found.flat()
}

type Source = { readonly connection: ConnectionId; readonly client: PixClient; readonly log: Log }

/** Fetches what a hint refers to: the Pix itself or, while the PSP does not return it yet, the Pix that its charge lists. */
async function follow(source: Source, { endToEndId, txid }: Hint): Promise<readonly Receipt[]> {
  const { connection, client, log } = source
  const received = endToEndId === undefined ? undefined : await client.getReceived(endToEndId)
  if (received !== undefined) {
    logUnread(log, connection, received.value.unread)
    return receiptsOf(connection, received.value, received.raw)
  }
  const charge = txid === undefined ? undefined : await client.getCharge(txid)
  if (charge === undefined) return []
  logUnread(log, connection, charge.value.unread)
  return charge.value.pix.flatMap((pix) => receiptsOfListed(source, pix))
}

async function* listReceipts(
  { open, log }: Deps,
  connection: ConnectionId,
  span: ListedSpan,
): AsyncGenerator<readonly Receipt[]> {
  for await (const page of open.collecting(connection).client.listReceived(span)) {
    logUnread(log, connection, page.unread)
    yield page.pix.flatMap((pix) => receiptsOfListed({ connection, log }, pix))
  }
}

/** Receipts of one Pix in a list: the evidence is that Pix's own JSON object. */
function receiptsOfListed({ connection, log }: Pick<Source, 'connection' | 'log'>, pix: ReceivedPix) {
  logUnread(log, connection, pix.unread)
  return receiptsOf(connection, pix, Buffer.from(JSON.stringify(pix.sent)))
}

/** A Pix that we cannot parse is credited to no payment for now. It must not block the others, so a person must check it. */
function logUnread(log: Log, connection: ConnectionId, unread: readonly string[]): void {
  if (unread.length > 0) log.error({ connection, unread }, 'a PSP reports money that cannot be read')
}

/**
 * Returns the code of the latest attempt that has one, and the end-to-end ids of all attempts. The QR image is generated each
 * time, and left out of lists.
 */
function fieldsOf(attempts: readonly ShownAttempt[], view: 'full' | 'brief') {
  const copyPaste = attempts.findLast(({ artifacts }) => artifacts !== undefined)?.artifacts?.['copyPaste']
  const endToEndIds = attempts.flatMap(({ paidRefs }) => paidRefs)
  return {
    ...(typeof copyPaste === 'string' ? { pixCopyPaste: copyPaste } : {}),
    ...(typeof copyPaste === 'string' && view === 'full' ? { pixQrCode: qrDataUrl(copyPaste) } : {}),
    ...(endToEndIds.length === 0 ? {} : { endToEndIds }),
  }
}

function nonsense(what: string): ProviderError {
  return new ProviderError('unknown', `the PSP's answer makes no sense: ${what}`)
}
