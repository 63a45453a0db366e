// Makes letters of events. A reader has a place in the events of each merchant; letters and the next place are written in one transaction
// that has locked the reader, so that a crash neither loses a letter nor writes one twice.
import type { Sql, Tx } from '#/db/client.ts'
import { messageOf } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { localeOf, type Locale } from '#/kernel/language.ts'
import type { Log } from '#/kernel/log.ts'
import { isCurrency, toDecimal } from '#/kernel/money.ts'
import type { KeyRing } from '#/kernel/secret.ts'
import { hourMs } from '#/kernel/time.ts'
import { roleMay, roles } from '#/people/roles.ts'
import { writeLetter } from './letter.ts'
import * as queries from './notice-queries.ts'
import type { PayerOf, ReadEvent, Reader, Stream } from './notice-queries.ts'
import { hourMax, noticeNames, notices, receiptTypes, recipientsMax, type Notice } from './notices.ts'

export type ReaderDeps = {
  readonly sql: Sql
  readonly log: Log
  readonly masterKey: KeyRing
  /** Of the dashboard, for links. */
  readonly origin: string
}

/** Older events are not sent: the mail server was set up later, or no worker ran. */
const lifeMs = 24 * hourMs
const eventsMax = 500
const merchantsMax = 1_000

const typesOf: Readonly<Record<Stream, readonly string[]>> = {
  NOTICE: noticeNames.flatMap((name) => notices[name].type ?? []),
  RECEIPT: receiptTypes,
}

/**
 * Reads a stretch of the events of each merchant that has new ones. Returns how many stretches were full: there is more to read at once.
 */
export async function readEventsOnce(deps: ReaderDeps): Promise<number> {
  let full = 0
  for (const stream of ['NOTICE', 'RECEIPT'] as const) {
    let last: MerchantId | undefined
    for (;;) {
      const page = await queries.selectBehind(deps.sql, stream, last, merchantsMax)
      for (const { id, isBehind } of page)
        // A merchant whose events cannot be read must not delay the others.
        if (isBehind)
          full += await readOf(deps, id, stream).catch((error: unknown) => failed(deps, id, error))
      last = page.at(-1)?.id
      if (page.length < merchantsMax) break
    }
  }
  return full
}

function failed({ log }: ReaderDeps, merchant: MerchantId, error: unknown): number {
  log.warn({ merchant, error: messageOf(error) }, 'the letters of a merchant could not be written; they wait')
  return 0
}

function readOf(deps: ReaderDeps, merchantId: MerchantId, stream: Stream): Promise<number> {
  return deps.sql.begin(async (tx) => {
    const reader = await queries.lockReader(tx, merchantId, stream)
    if (reader === undefined) return 0
    const isTurnedOn = stream === 'NOTICE' || (await queries.selectReceipts(tx, merchantId))
    const types = isTurnedOn ? typesOf[stream] : []
    const events = await queries.selectEvents(tx, merchantId, {
      after: reader.sequence,
      types,
      lifeMs,
      limit: eventsMax,
    })
    let { sequence, written } = reader
    let read = 0
    for (const event of events) {
      if (event.body !== null) {
        const room = hourMax[stream] - written
        const wrote = room > 0 ? await tell(deps, tx, { merchantId, reader, event, stream, room }) : undefined
        // This event waits for the next hour, and so do the later ones: letters are written in the order of the events.
        if (wrote === undefined) break
        written += wrote
      }
      sequence = event.sequence
      read += 1
    }
    if (read > 0) await queries.moveReader(tx, merchantId, stream, { sequence, written })
    return read === eventsMax ? 1 : 0
  })
}

type Telling = {
  readonly merchantId: MerchantId
  readonly reader: Reader
  readonly event: ReadEvent
  readonly stream: Stream
  /** Letters that may be written in this hour. */
  readonly room: number
}

/** Writes the letters of an event. Returns how many; undefined when there is no room for all of them in this hour. */
function tell(deps: ReaderDeps, tx: Tx, telling: Telling): Promise<number | undefined> {
  const body = JSON.parse(telling.event.body ?? '{}') as { readonly data?: Readonly<Record<string, unknown>> }
  const data = body.data ?? {}
  return telling.stream === 'NOTICE' ? notify(deps, tx, telling, data) : receipt(deps, tx, telling, data)
}

async function notify(
  deps: ReaderDeps,
  tx: Tx,
  { merchantId, reader, event, room }: Telling,
  data: Readonly<Record<string, unknown>>,
): Promise<number | undefined> {
  const notice = noticeNames.find((name) => notices[name].type === event.type)
  if (notice === undefined) return 0
  const amount = amountOf(data, 'amount')
  return writeNotices(deps, tx, reader, {
    merchantId,
    notice,
    resourceId: event.resourceId,
    room,
    ...given({ amount }),
    ...(typeof data['evidenceDueAt'] === 'string' ? { dueAt: data['evidenceDueAt'] } : {}),
  })
}

async function receipt(
  { masterKey }: ReaderDeps,
  tx: Tx,
  { merchantId, reader, event }: Telling,
  data: Readonly<Record<string, unknown>>,
): Promise<number> {
  const isRefund = event.type === 'refund.completed'
  const paymentId = isRefund ? data['paymentId'] : event.resourceId
  if (typeof paymentId !== 'string') return 0
  const payer = await queries.selectPayer(tx, merchantId, paymentId)
  const email = payer?.email ?? undefined
  const amount = amountOf(data, isRefund ? 'amount' : 'amountReceived')
  if (payer === undefined || email === undefined || amount === undefined) return 0
  const letter = {
    kind: 'RECEIPT',
    to: email,
    language: languageOfPayer(payer, data['currency']),
    merchantName: reader.merchantName,
    ...given({
      merchantLegalName: reader.merchantLegalName ?? undefined,
      merchantTaxId: reader.merchantTaxId ?? undefined,
      merchantCountry: reader.merchantCountry ?? undefined,
    }),
    mode: reader.mode,
    amount,
    isRefund,
    paymentId,
    ...(typeof data['description'] === 'string' ? { description: data['description'] } : {}),
  } as const
  await writeLetter(tx, masterKey, letter, merchantId)
  return 1
}

/** The language of the payer's page; else the first one of the template; else by the currency: reais are paid in Brazil. */
function languageOfPayer({ language, templateLanguage }: PayerOf, currency: unknown): Locale {
  return localeOf(language ?? '') ?? localeOf(templateLanguage ?? '') ?? (currency === 'BRL' ? 'pt-BR' : 'en')
}

/** Such as `10.50 EUR`. */
function amountOf(data: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const { currency } = data as { readonly currency?: unknown }
  const minor = data[field]
  if (typeof currency !== 'string' || !isCurrency(currency) || typeof minor !== 'number') return undefined
  return `${toDecimal({ minor: BigInt(minor), currency })} ${currency}`
}

// Writes one notice to each member who gets it.

type NewNotice = {
  readonly merchantId: MerchantId
  readonly notice: Notice
  /** What it is about. */
  readonly resourceId: string
  /** Letters that may be written in this hour. */
  readonly room: number
  readonly amount?: string
  /** ISO 8601. */
  readonly dueAt?: string
  readonly name?: string
  /** Called before the letters are written. False: the members were notified before, and no letter is written. */
  readonly begin?: () => Promise<boolean>
}

/**
 * Writes the letters in the transaction that has locked the merchant's reader. Returns how many, or undefined when there is no room for
 * all of them in this hour.
 */
export async function writeNotices(
  { masterKey, origin }: { readonly masterKey: KeyRing; readonly origin: string },
  tx: Tx,
  reader: Reader,
  { merchantId, notice, resourceId, room, begin, ...what }: NewNotice,
): Promise<number | undefined> {
  const { permission, page } = notices[notice]
  const may = roles.filter((role) => roleMay(role, permission))
  const recipients = await queries.selectRecipients(tx, merchantId, {
    kind: notice,
    may,
    limit: recipientsMax,
  })
  if (recipients.length > room) return undefined
  if (begin !== undefined && !(await begin())) return 0
  for (const { email, language } of recipients)
    await writeLetter(
      tx,
      masterKey,
      {
        kind: 'NOTICE',
        to: email,
        language,
        notice,
        merchantName: reader.merchantName,
        mode: reader.mode,
        ...what,
        url: `${origin}/m/${merchantId}/${page}/${resourceId}`,
      },
      merchantId,
    )
  return recipients.length
}
