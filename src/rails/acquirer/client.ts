// The provider's API, as far as the rail needs it: one function, one call. This file decides what each call's failure means; its
// callers decide what to do about it.
import { ProviderError } from '#/kernel/error.ts'
import { secondMs } from '#/kernel/time.ts'
import {
  createHttpClient,
  type HttpClientOptions,
  requestTo,
  type HttpAnswer,
  type Route,
  type Routes,
} from '#/rails/http.ts'
import { AnswerError } from '#/rails/kit/answer-error.ts'
import { NonsenseError, parseJson } from './fields.ts'
import { filesUrl, uploadBody } from './upload.ts'
import * as wire from './wire.ts'

/** The value of an answer, and its exact bytes. */
export type Answered<T> = { readonly value: T; readonly raw: Buffer }

/** Fields of a form, in which `a[b][0]` is a nested one. */
export type Form = Readonly<Record<string, string>>

/** Every function rejects with ProviderError; with a CardError when the provider answered. */
export type CardClient = {
  /** The same key returns the same session for a day; then the provider forgets the key. */
  createSession(form: Form, key: string): Promise<Answered<wire.Session>>
  /** Undefined for an object that is not ours. */
  getSession(id: string): Promise<Answered<wire.Session> | undefined>
  /** Searches the sessions created from `since` on for the attempt's session. */
  findSession(attempt: string, since: Date): Promise<Answered<wire.Session> | undefined>
  expireSession(id: string): Promise<void>
  /** Creates an intent and confirms it. The same key returns the same intent for a day. */
  createIntent(form: Form, key: string): Promise<Answered<wire.Intent>>
  /** Searches the intents created from `since` on for the attempt's intent. */
  findIntent(attempt: string, since: Date): Promise<Answered<wire.Intent> | undefined>
  getIntent(id: string): Promise<Answered<wire.Intent> | undefined>
  captureIntent(id: string, amount: bigint): Promise<Answered<wire.Intent> | undefined>
  cancelIntent(id: string): Promise<Answered<wire.Intent> | undefined>
  createRefund(form: Form, key: string): Promise<Answered<wire.Refund>>
  getRefund(id: string): Promise<Answered<wire.Refund> | undefined>
  /** Returns all refunds of an intent, each with its own bytes. `whole`: with the intent, if the key may read it. */
  listRefunds(intent: string, whole: boolean): Promise<readonly Answered<wire.Refund>[]>
  getDispute(id: string): Promise<Answered<wire.Dispute> | undefined>
  closeDispute(id: string): Promise<Answered<wire.Dispute> | undefined>
  /** Stores and submits evidence. The same key submits once. */
  submitEvidence(id: string, form: Form, key: string): Promise<Answered<wire.Dispute> | undefined>
  /** Uploads a file of evidence and returns its id. The same key returns the same file for a day. */
  uploadFile(file: Upload, key: string): Promise<string>
  /** Returns the events of a span, both ends included, page by page, the latest first. */
  listEvents(span: Span, types: readonly string[]): AsyncIterable<readonly wire.Hint[]>
  /** The account of the key: its country, and what it may do. */
  getAccount(): Promise<wire.AcquirerAccount>
  close(): Promise<void>
}

/** `type`: its media type. */
export type Upload = { readonly name: string; readonly type: string; readonly bytes: Buffer }

export type Span = { readonly from: Date; readonly to: Date }

export type CardClientOptions = {
  readonly apiUrl: string
  readonly secretKey: string
  readonly timeouts?: Timeouts
  readonly observe?: HttpClientOptions['observe']
}

export type Timeouts = { readonly connectMs: number; readonly totalMs: number }

/** The provider answered, but not with what was requested. */
export class CardError extends AnswerError {
  override name = 'CardError'
  readonly status: number
  readonly fault: wire.Fault
  /** The provider returned the stored first answer of this key. */
  readonly isReplayed: boolean

  constructor(outcome: ProviderError['outcome'], detail: string, answer: HttpAnswer, fault: wire.Fault) {
    super(outcome, detail, answer.body)
    this.status = answer.status
    this.fault = fault
    this.isReplayed = answer.headers['idempotent-replayed'] === 'true'
  }
}

const apiVersion = '2026-10-28.endive'
const connectionsMax = 16
const pageSize = 100
const pagesMax = 1_000
/** Events contain whole objects, a dispute up to 150,000 characters of evidence: a page of a hundred such events is normal. */
const answerBytesMax = 32 * 1024 * 1024
/** A payer may be waiting for the page; the provider itself takes seconds where a bank has to answer. */
const defaultTimeouts: Timeouts = { connectMs: 5 * secondMs, totalMs: 20 * secondMs }

const wholeIntent = { 'expand[0]': 'latest_charge' }
const withIntent = { 'expand[0]': 'payment_intent.latest_charge' }

/** Every call that this client makes. */
export const cardRoutes = {
  createSession: 'POST /v1/checkout/sessions',
  listSessions: 'GET /v1/checkout/sessions',
  getSession: 'GET /v1/checkout/sessions/{id}',
  expireSession: 'POST /v1/checkout/sessions/{id}/expire',
  createIntent: 'POST /v1/payment_intents',
  listIntents: 'GET /v1/payment_intents',
  getIntent: 'GET /v1/payment_intents/{id}',
  captureIntent: 'POST /v1/payment_intents/{id}/capture',
  cancelIntent: 'POST /v1/payment_intents/{id}/cancel',
  createRefund: 'POST /v1/refunds',
  listRefunds: 'GET /v1/refunds',
  getRefund: 'GET /v1/refunds/{id}',
  getDispute: 'GET /v1/disputes/{id}',
  closeDispute: 'POST /v1/disputes/{id}/close',
  submitEvidence: 'POST /v1/disputes/{id}',
  uploadFile: 'POST /v1/files',
  listEvents: 'GET /v1/events',
  getAccount: 'GET /v1/account',
} as const satisfies Routes
type CardRoute = keyof typeof cardRoutes

/** A client with one key at the provider. Connections are kept; `close` ends them. */
export function createCardClient(options: CardClientOptions): CardClient {
  const api = openApi(options)
  const intentAt = async (to: CardRoute, id: string, form: Form) =>
    ours(read(await api.call(to, { id, form }), wire.parseIntent))
  return {
    createSession: async (form, key) =>
      must('session', read(await api.call('createSession', { form, key }), wire.parseSession)),
    async getSession(id) {
      return ours(read(await api.call('getSession', { id, form: withIntent }), wire.parseSession))
    },
    findSession: (attempt, since) => findOf(api, 'listSessions', wire.parseSession, { attempt, since }),
    async expireSession(id) {
      await api.call('expireSession', { id })
    },
    createIntent: async (form, key) => {
      const whole = { ...form, ...wholeIntent }
      return must(
        'payment_intent',
        read(await api.call('createIntent', { form: whole, key }), wire.parseIntent),
      )
    },
    findIntent: (attempt, since) => findOf(api, 'listIntents', wire.parseIntent, { attempt, since }),
    getIntent: (id) => intentAt('getIntent', id, wholeIntent),
    captureIntent: (id, amount) =>
      intentAt('captureIntent', id, { amount_to_capture: String(amount), ...wholeIntent }),
    cancelIntent: (id) =>
      intentAt('cancelIntent', id, { cancellation_reason: 'requested_by_customer', ...wholeIntent }),
    createRefund: async (form, key) =>
      must('refund', read(await api.call('createRefund', { form, key }), wire.parseRefund)),
    getRefund: async (id) =>
      ours(read(await api.call('getRefund', { id, form: withIntent }), wire.parseRefund)),
    async listRefunds(intent, whole) {
      const query = {
        payment_intent: intent,
        ...(whole ? { 'expand[0]': 'data.payment_intent.latest_charge' } : {}),
      }
      return (await all(eachPage(api, 'listRefunds', query, ownBytes(wire.parseRefund)))).flat()
    },
    getDispute: async (id) =>
      ours(read(await api.call('getDispute', { id, form: withIntent }), wire.parseDispute)),
    closeDispute: async (id) =>
      ours(read(await api.call('closeDispute', { id, form: withIntent }), wire.parseDispute)),
    submitEvidence: async (id, form, key) =>
      ours(
        read(
          await api.call('submitEvidence', { id, form: { ...form, ...withIntent }, key }),
          wire.parseDispute,
        ),
      ),
    async uploadFile(file, key) {
      const { id, size } = read(await api.upload(file, key), wire.parseFile).value
      if (size !== BigInt(file.bytes.length)) throw new NonsenseError('file.size', 'is not that of the file')
      return id
    },
    listEvents(span, types) {
      const filter = Object.fromEntries(types.map((type, index) => [`types[${index}]`, type]))
      return eachPage(api, 'listEvents', { ...within(span), ...filter }, wire.parseHint)
    },
    getAccount: async () => wire.parseAccount(parseJson((await api.call('getAccount', {})).body)),
    close: api.close,
  }
}

/** `form`: the body of a POST, the query of a GET. */
type CallOptions = { readonly id?: string; readonly form?: Form; readonly key?: string }

type Api = {
  call(to: CardRoute, options: CallOptions): Promise<HttpAnswer>
  upload(file: Upload, key: string): Promise<HttpAnswer>
  close(): Promise<void>
}

function openApi({ apiUrl, secretKey, timeouts = defaultTimeouts, observe }: CardClientOptions): Api {
  const http = createHttpClient({ ...timeouts, observe, maxConnections: connectionsMax, answerBytesMax })
  const base = apiUrl.replace(/\/+$/, '')
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${secretKey}`,
    'stripe-version': apiVersion,
  }
  const written = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
  const ofSuccess = (route: Route, answer: HttpAnswer) => {
    if (answer.status >= 200 && answer.status < 300) return answer
    throw refusalOf(route, answer)
  }
  return {
    async upload(file, key) {
      const route = cardRoutes.uploadFile
      const { method, path } = requestTo(route)
      const { type, body } = uploadBody(file, key)
      const headed = { ...headers, 'content-type': type, 'idempotency-key': key }
      return ofSuccess(
        route,
        await http.request({ method, url: filesUrl(base) + path, headers: headed, body }),
      )
    },
    async call(to, { id, form = {}, key }) {
      const route = cardRoutes[to]
      const { method, path } = requestTo(route, id === undefined ? {} : { id })
      const text = new URLSearchParams(form).toString()
      const answer = await http.request(
        method === 'GET'
          ? { method, url: `${base}${path}?${text}`, headers }
          : {
              method,
              url: base + path,
              headers: { ...written, ...(key === undefined ? {} : { 'idempotency-key': key }) },
              body: text,
            },
      )
      return ofSuccess(route, answer)
    },
    close: http.close,
  }
}

/**
 * Returns what a status means for the call.
 * - 401 and 403 concern us, not the payment, and 429 the rate of calls: nothing was done.
 * - 409: another call with the same key is still under way.
 * - 424 and 5xx: something may have happened.
 * - Any other 4xx is a refusal.
 */
function refusalOf(what: Route, answer: HttpAnswer): CardError {
  const { status, body } = answer
  const isNotNow = [401, 403, 429].includes(status)
  const isNo = status >= 400 && status < 500 && ![408, 409, 424].includes(status)
  const fault = wire.parseFault(body)
  const words = [fault.type, fault.code, fault.message].filter((each) => each !== undefined).join(': ')
  const detail = `${what}: HTTP ${status} ${words}`.trim()
  return new CardError(isNotNow ? 'unavailable' : isNo ? 'refused' : 'unknown', detail, answer, fault)
}

function read<T>({ body }: HttpAnswer, parse: (sent: unknown) => T): Answered<T> {
  return { value: parse(parseJson(body)), raw: body }
}

/** Undefined for an object that is not ours. */
function ours<T>({ value, raw }: Answered<T | undefined>): Answered<T> | undefined {
  return value === undefined ? undefined : { value, raw }
}

/** For an object that only we can have created. */
function must<T>(name: string, answered: Answered<T | undefined>): Answered<T> {
  const named = ours(answered)
  if (named === undefined) throw new NonsenseError(name, 'does not name our attempt or refund')
  return named
}

/** Searches a list for the object of an attempt. */
async function findOf<T extends { readonly attempt: string }>(
  api: Api,
  to: CardRoute,
  parse: (sent: unknown) => T | undefined,
  { attempt, since }: { readonly attempt: string; readonly since: Date },
): Promise<Answered<T> | undefined> {
  const query = { 'created[gte]': String(Math.floor(since.getTime() / secondMs)) }
  for await (const page of eachPage(api, to, query, ownBytes(parse))) {
    const found = page.find(({ value }) => value.attempt === attempt)
    if (found !== undefined) return found
  }
  return undefined
}

/** For a list: each object with its own bytes. Undefined for an object that is not ours. */
function ownBytes<T>(parse: (sent: unknown) => T | undefined) {
  return (sent: unknown): Answered<T> | undefined => {
    const value = parse(sent)
    return value === undefined ? undefined : { value, raw: Buffer.from(JSON.stringify(sent)) }
  }
}

function within({ from, to }: Span): Form {
  return {
    'created[gte]': String(Math.floor(from.getTime() / secondMs)),
    'created[lte]': String(Math.ceil(to.getTime() / secondMs)),
  }
}

/** Returns a list page by page, without the objects for which `parse` returns undefined. */
async function* eachPage<T>(
  api: Api,
  to: CardRoute,
  query: Form,
  parse: (sent: unknown) => T | undefined,
): AsyncGenerator<readonly T[]> {
  let after: Form = {}
  for (let page = 0; page < pagesMax; page++) {
    const answer = await api.call(to, { form: { ...query, limit: String(pageSize), ...after } })
    const { data, hasMore, lastName } = wire.parsePage(parseJson(answer.body), parse)
    yield data.filter((each) => each !== undefined)
    if (!hasMore) return
    if (lastName === undefined) throw new NonsenseError('list', 'has more and no end')
    after = { starting_after: lastName }
  }
  throw new ProviderError('unknown', `the card provider has more than ${pagesMax} pages`)
}

async function all<T>(pages: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = []
  for await (const page of pages) found.push(page)
  return found
}
