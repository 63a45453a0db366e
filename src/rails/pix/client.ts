// API Pix, as far as receiving money and returning it needs it: one function, one call. This file decides what each call's
// failure means; rail.ts and refund.ts decide what to do about it.
import { ProviderError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { Log } from '#/kernel/log.ts'
import { secondMs, type Clock } from '#/kernel/time.ts'
import {
  createHttpClient,
  requestTo,
  type HttpAnswer,
  type HttpClientOptions,
  type Route,
  type Routes,
} from '#/rails/http.ts'
import { AnswerError } from '#/rails/kit/answer-error.ts'
import type { PspProfile, Purpose } from './profile.ts'
import { createTokenSource } from './token.ts'
import * as wire from './wire.ts'

/** The value of an answer, and its exact bytes. */
export type Answered<T> = { readonly value: T; readonly raw: Buffer }

export type NewCharge = {
  /** Ours: 26 to 35 letters and digits, for one charge only. */
  readonly txid: string
  /** Centavos. */
  readonly amount: bigint
  readonly expiresInSeconds: number
  readonly pixKey: string
  readonly payer?: {
    readonly taxId: { readonly kind: 'CPF' | 'CNPJ'; readonly number: string }
    readonly name: string
  }
  /** Shown to the payer; at most 140 characters. */
  readonly note?: string
}

export type NewReturn = {
  readonly endToEndId: string
  /** Ours, at most 35 letters and digits, unique within that Pix. */
  readonly id: string
  readonly amount: bigint
  readonly note?: string
}

/** Every function rejects with ProviderError; with a PixError when the PSP answered. */
export type PixClient = {
  /** Creates the charge, or rewrites it while it is ATIVA. */
  putCharge(charge: NewCharge): Promise<Answered<wire.Charge>>
  /** Undefined when the PSP does not have it. */
  getCharge(txid: string): Promise<Answered<wire.Charge> | undefined>
  /** `gone`: it was removed before, or never existed. */
  removeCharge(txid: string): Promise<'removed' | 'already_paid' | 'gone'>
  getReceived(endToEndId: string): Promise<Answered<wire.ReceivedPix> | undefined>
  /** Returns what was received in a span, both ends included, page by page. The pages of a span in the past do not change. */
  listReceived(span: ReceivedSpan): AsyncIterable<wire.PixPage>
  putReturn(order: NewReturn): Promise<Answered<wire.PixReturn>>
  getReturn(endToEndId: string, id: string): Promise<Answered<wire.PixReturn> | undefined>
  /** Registers the callback URL of a key. The PSP adds `/pix` to the URL. */
  putWebhook(pixKey: string, url: string): Promise<void>
  getWebhook(pixKey: string): Promise<string | undefined>
  removeWebhook(pixKey: string): Promise<void>
  close(): Promise<void>
}

export type ReceivedSpan = {
  readonly from: Date
  readonly to: Date
  /** Only Pix of which a part or all was returned. */
  readonly onlyReturned?: boolean
}

export type PixClientOptions = {
  readonly profile: PspProfile
  readonly baseUrl: string
  readonly tokenUrl: string
  readonly credentials: {
    readonly clientId: string
    readonly clientSecret?: string
    readonly tls: NonNullable<HttpClientOptions['tls']>
  }
  readonly ca?: string
  readonly clock: Clock
  readonly log: Log
  readonly observe?: HttpClientOptions['observe']
}

/** The PSP answered, but not with what was requested. */
export class PixError extends AnswerError {
  override name = 'PixError'
  readonly status: number
  /** How long the PSP wants us to wait. */
  readonly retryAfterMs: number | undefined

  constructor(outcome: ProviderError['outcome'], detail: string, answer: HttpAnswer, retryAfterMs?: number) {
    super(outcome, detail, answer.body)
    this.status = answer.status
    this.retryAfterMs = retryAfterMs
  }
}

const connectionsMax = 16
const pagesMax = 10_000

/** Every call that this client makes, except the one for a token. */
export const pixRoutes = {
  putCharge: 'PUT /cob/{txid}',
  getCharge: 'GET /cob/{txid}',
  patchCharge: 'PATCH /cob/{txid}',
  getReceived: 'GET /pix/{e2eid}',
  listReceived: 'GET /pix',
  putReturn: 'PUT /pix/{e2eid}/devolucao/{id}',
  getReturn: 'GET /pix/{e2eid}/devolucao/{id}',
  putWebhook: 'PUT /webhook/{chave}',
  getWebhook: 'GET /webhook/{chave}',
  removeWebhook: 'DELETE /webhook/{chave}',
} as const satisfies Routes

/** A client for one application at one PSP. Tokens and connections are kept; `close` ends them. */
export function createPixClient(options: PixClientOptions): PixClient {
  const { profile } = options
  const api = openApi(options, pixRoutes)
  const toCharge = (body: Buffer) => wire.parseCharge(body, profile.copyPasteFields)
  const toPix = (body: Buffer) => wire.parsePix(wire.parseJson(body))
  const toReturn = (body: Buffer) => wire.parseReturn(wire.parseJson(body))
  const getCharge = (txid: string) => api.find('collect', { to: 'getCharge', parts: { txid } }, toCharge)

  return {
    async putCharge(charge) {
      const { txid } = charge
      const put = { to: 'putCharge', parts: { txid }, body: chargeBody(charge) } as const
      return read(await api.call('collect', put), toCharge)
    },
    getCharge,
    async removeCharge(txid) {
      const body = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' }
      try {
        await api.call('collect', { to: 'patchCharge', parts: { txid }, body })
        return 'removed'
      } catch (error) {
        if (!(error instanceof PixError) || error.outcome !== 'refused') throw error
        // A charge that cannot be removed was paid, or removed before; if it is still open, the refusal is real.
        const charge = isAbsent(error) ? undefined : await getCharge(txid)
        if (charge?.value.status === 'CONCLUIDA') return 'already_paid'
        if (charge === undefined || charge.value.status?.startsWith('REMOVIDA')) return 'gone'
        throw error
      }
    },
    getReceived: (e2eid) => api.find('collect', { to: 'getReceived', parts: { e2eid } }, toPix),
    listReceived: (span) => listPages(options, api, span),
    async putReturn({ endToEndId: e2eid, id, amount, note }) {
      const body = {
        valor: wire.toAmountText(amount),
        ...given({ descricao: note }),
      }
      return read(await api.call('refund', { to: 'putReturn', parts: { e2eid, id }, body }), toReturn)
    },
    getReturn: (e2eid, id) => api.find('refund', { to: 'getReturn', parts: { e2eid, id } }, toReturn),
    async putWebhook(chave, url) {
      await api.call('webhook', { to: 'putWebhook', parts: { chave }, body: { webhookUrl: url } })
    },
    async getWebhook(chave) {
      return (await api.find('webhook', { to: 'getWebhook', parts: { chave } }, wire.parseWebhookUrl))?.value
    },
    async removeWebhook(chave) {
      await ignoreAbsent(api.call('webhook', { to: 'removeWebhook', parts: { chave } }))
    },
    close: api.close,
  }
}

type Call<Name> = {
  readonly to: Name
  readonly parts?: Readonly<Record<string, string>>
  readonly query?: URLSearchParams
  readonly body?: unknown
}

type Api<Name> = {
  /** Returns the answer to a call that the PSP accepted. */
  call(purpose: Purpose, call: Call<Name>): Promise<HttpAnswer>
  /** Returns the object at a path, or undefined when there is none. */
  find<T>(purpose: Purpose, call: Call<Name>, parse: (body: Buffer) => T): Promise<Answered<T> | undefined>
  close(): Promise<void>
}

/** The common part of all clients of a PSP: its connections, tokens, and what a status means. */
export function openApi<Name extends string>(
  { profile, baseUrl, tokenUrl, credentials, ca, clock, log, observe }: PixClientOptions,
  routes: Readonly<Record<Name, Route>>,
): Api<Name> {
  const { clientId, clientSecret, tls } = credentials
  const http = createHttpClient({
    tls,
    observe,
    ...given({ ca }),
    ...profile.timeouts,
    maxConnections: connectionsMax,
  })
  const tokens = createTokenSource({
    http,
    profile,
    tokenUrl,
    clientId,
    ...given({ clientSecret }),
    clock,
  })
  const base = baseUrl.replace(/\/+$/, '')
  const send = (token: string, { to, parts, query, body }: Call<Name>) => {
    const { method, path } = requestTo(routes[to], parts)
    return http.request({
      method,
      url: base + path + (query === undefined ? '' : `?${query.toString()}`),
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }
  const call = async (purpose: Purpose, request: Call<Name>): Promise<HttpAnswer> => {
    const token = await tokens.get(purpose)
    let answer = await send(token, request)
    if (answer.status === 401) tokens.drop(purpose, token)
    const isDenied = answer.status === 401 || answer.status === 403
    const fresh = isDenied ? await tokens.renew(purpose, token) : undefined
    if (fresh !== undefined) {
      // The token may have ended early. The call is repeated once with a new one.
      log.debug(
        { host: URL.parse(base)?.host, status: answer.status },
        'a PSP did not accept an access token',
      )
      answer = await send(fresh, request)
      if (answer.status === 401) tokens.drop(purpose, fresh)
    }
    if (answer.status >= 200 && answer.status < 300) return answer
    throw refusalOf(routes[request.to], answer, clock)
  }
  return {
    call,
    async find(purpose, request, parseBody) {
      const answer = await ignoreAbsent(call(purpose, request))
      return answer === undefined ? undefined : read(answer, parseBody)
    },
    close: http.close,
  }
}

/**
 * Returns what a status means for the call.
 * - 401 and 403 concern us, not the charge: nothing was done.
 * - 429 and 503 concern the PSP's load: nothing was done.
 * - Another 5xx: something may have happened.
 * - Another 4xx is a refusal.
 */
function refusalOf(route: Route, answer: HttpAnswer, clock: Clock): PixError {
  const { status, headers, body } = answer
  const isNotNow = [401, 403, 429, 503].includes(status)
  const outcome = isNotNow
    ? 'unavailable'
    : status >= 400 && status < 500 && status !== 408
      ? 'refused'
      : 'unknown'
  const detail = `${route}: HTTP ${status} ${wire.readFault(body) ?? ''}`.trim()
  return new PixError(outcome, detail, answer, retryAfterOf(headers['retry-after'], clock))
}

/** RFC 9110 §10.2.3: seconds, or a date. */
function retryAfterOf(text: string | undefined, clock: Clock): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,6}$/.test(text)) return Number(text) * secondMs
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - clock.now().getTime())
}

function isAbsent(error: unknown): boolean {
  return error instanceof PixError && (error.status === 404 || error.status === 410)
}

async function ignoreAbsent<T>(calling: Promise<T>): Promise<T | undefined> {
  try {
    return await calling
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

/** Reads an answer. Throws ProviderError when it cannot be read. */
export function read<T>({ body }: HttpAnswer, parseBody: (body: Buffer) => T): Answered<T> {
  return { value: parseBody(body), raw: body }
}

function chargeBody({ amount, expiresInSeconds, pixKey, payer, note }: NewCharge) {
  return {
    calendario: { expiracao: expiresInSeconds },
    ...(payer === undefined
      ? {}
      : { devedor: { [payer.taxId.kind === 'CPF' ? 'cpf' : 'cnpj']: payer.taxId.number, nome: payer.name } }),
    valor: { original: wire.toAmountText(amount) },
    chave: pixKey,
    ...given({ solicitacaoPagador: note }),
  }
}

function listPages(
  { profile }: PixClientOptions,
  api: Api<keyof typeof pixRoutes>,
  span: ReceivedSpan,
): AsyncGenerator<wire.PixPage> {
  return eachPage(profile, span, async (query) => {
    if (span.onlyReturned === true) query.set('devolucaoPresente', 'true')
    const { body } = await api.call('collect', { to: 'listReceived', query })
    return wire.parsePixPage(body)
  })
}

/** Returns the pages of a list of API Pix over a span, both ends included. */
export async function* eachPage<Page extends { readonly pages?: number; readonly length: number }>(
  profile: PspProfile,
  span: { readonly from: Date; readonly to: Date },
  readPage: (query: URLSearchParams) => Promise<Page>,
): AsyncGenerator<Page> {
  for (let page = 0; page < pagesMax; page++) {
    const query = new URLSearchParams({
      inicio: dateText(span.from, profile, 'down'),
      fim: dateText(span.to, profile, 'up'),
      'paginacao.paginaAtual': String(profile.pageBase + page),
      'paginacao.itensPorPagina': String(profile.pageSize),
    })
    const found = await readPage(query)
    yield found
    // If the PSP does not report the number of pages, an empty page is the last.
    if (found.pages === undefined ? found.length === 0 : page + 1 >= found.pages) return
  }
  throw new ProviderError('unknown', `a PSP has more than ${pagesMax} pages`)
}

/** Without milliseconds the span becomes wider, never narrower. */
function dateText(at: Date, { dateMs }: PspProfile, rounding: 'down' | 'up'): string {
  if (dateMs) return at.toISOString()
  const ms = at.getTime()
  const whole = (rounding === 'up' ? Math.ceil(ms / secondMs) : Math.floor(ms / secondMs)) * secondMs
  return new Date(whole).toISOString().replace('.000Z', 'Z')
}
