// A PSP's objects (API Pix 2.9.0), and how they are read. The standard calls new fields and values compatible, so unknown ones
// are ignored; a required field that cannot be read throws with its name. PSPs also send null for absent.
import { ProviderError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { toDecimal } from '#/kernel/money.ts'
import { addMs, parseInstant, secondMs } from '#/kernel/time.ts'

/** Expiry is no status: an expired charge stays ATIVA. */
export type ChargeStatus = 'ATIVA' | 'CONCLUIDA' | 'REMOVIDA_PELO_USUARIO_RECEBEDOR' | 'REMOVIDA_PELO_PSP'

/** A cob: a charge to be paid at once. */
export type Charge = {
  readonly txid?: string
  /** Absent for a status that we do not know. */
  readonly status?: ChargeStatus
  /** Centavos, as requested. */
  readonly amount: bigint
  readonly copyPaste?: string
  readonly location?: string
  /** Until then it could be paid. Absent when the PSP does not report it. */
  readonly expiresAt?: Date
  readonly pix: readonly ReceivedPix[]
  /** The items of `pix` that could not be read. */
  readonly unread: readonly string[]
}

/** A Pix that we received. */
export type ReceivedPix = {
  readonly endToEndId: string
  readonly txid?: string
  readonly amount: bigint
  readonly happenedAt: Date
  readonly returns: readonly PixReturn[]
  /** Its returns that could not be read. */
  readonly unread: readonly string[]
  /** The object as it came. */
  readonly sent: unknown
}

/** A devolucao: the money of a Pix, or a part of it, on its way back. */
export type PixReturn = {
  readonly id: string
  readonly amount: bigint
  /** Absent for a status that we do not know. */
  readonly status?: 'EM_PROCESSAMENTO' | 'DEVOLVIDO' | 'NAO_REALIZADO'
  /** ORIGINAL, RETIRADA, or MED_… when the payer's bank took it. */
  readonly nature?: string
  readonly requestedAt?: Date
  readonly settledAt?: Date
}

export type PixPage = {
  readonly pix: readonly ReceivedPix[]
  readonly unread: readonly string[]
  /** The number of pages; absent when the PSP does not report it. */
  readonly pages?: number
  /** The number of items of `pix`, read or not. */
  readonly length: number
}

/** The ids in a callback: enough to fetch the Pix; its other content is not trusted. */
export type Hint = { readonly endToEndId?: string; readonly txid?: string }

/** Reads a charge. `copyPasteFields`: the fields where this PSP puts the text of the code. */
export function parseCharge(body: Buffer, copyPasteFields: readonly string[]): Charge {
  const at = fieldsOf(parseJson(body), 'cob')
  const status = text(at, 'status')
  const txid = text(at, 'txid')
  const location = text(at, 'location') ?? text(optionalFields(at, 'loc'), 'location')
  const copyPaste = copyPasteFields.map((field) => text(at, field)).find((each) => each !== undefined)
  const { read, unread } = readEach(list(at, 'pix'), parsePix)
  const expiresAt = expiryOf(optionalFields(at, 'calendario'))
  return {
    amount: amount(optionalFields(at, 'valor'), 'original'),
    ...(status !== undefined && isChargeStatus(status) ? { status } : {}),
    ...given({ txid, copyPaste }),
    // Some PSPs write the scheme, which the code must not have.
    ...(location === undefined ? {} : { location: location.replace(/^https:\/\//i, '') }),
    ...given({ expiresAt }),
    pix: read,
    unread,
  }
}

/** `expiracao`: in seconds, from the charge's creation on. */
function expiryOf(calendar: ReturnType<typeof optionalFields>): Date | undefined {
  const createdAt = instant(calendar, 'criacao')
  const seconds = calendar.fields['expiracao']
  const isSpan = typeof seconds === 'number' && seconds > 0
  return createdAt === undefined || !isSpan ? undefined : addMs(createdAt, seconds * secondMs)
}

/** Reads one received Pix. */
export function parsePix(sent: unknown): ReceivedPix {
  const at = fieldsOf(sent, 'pix')
  const endToEndId = text(at, 'endToEndId')
  if (endToEndId === undefined || !isEndToEndId(endToEndId)) throw nonsense('pix.endToEndId', 'is none')
  const happenedAt = instant(at, 'horario')
  if (happenedAt === undefined) throw nonsense('pix.horario', 'is no instant')
  const txid = text(at, 'txid')
  const { read, unread } = readEach(list(at, 'devolucoes'), parseReturn)
  return {
    endToEndId,
    ...given({ txid }),
    amount: amount(at, 'valor'),
    happenedAt,
    returns: read,
    unread,
    sent,
  }
}

/** Reads one devolucao. */
export function parseReturn(sent: unknown): PixReturn {
  const at = fieldsOf(sent, 'devolucao')
  const id = text(at, 'id')
  if (id === undefined || !/^[!-~]{1,64}$/.test(id)) throw nonsense('devolucao.id', 'is none')
  const status = text(at, 'status')
  const nature = text(at, 'natureza')
  const times = optionalFields(at, 'horario')
  const [requestedAt, settledAt] = [instant(times, 'solicitacao'), instant(times, 'liquidacao')]
  return {
    id,
    amount: amount(at, 'valor'),
    ...(status !== undefined && isReturnStatus(status) ? { status } : {}),
    ...given({ nature, requestedAt, settledAt }),
  }
}

/** Reads a page of received Pix. An item that cannot be read does not hide the others. */
export function parsePixPage(body: Buffer): PixPage {
  const at = fieldsOf(parseJson(body), 'page')
  const sent = list(at, 'pix')
  const { read, unread } = readEach(sent, parsePix)
  const paging = optionalFields(optionalFields(at, 'parametros'), 'paginacao')
  const pages = paging.fields['quantidadeDePaginas']
  return {
    pix: read,
    unread,
    length: sent.length,
    ...(typeof pages === 'number' && Number.isSafeInteger(pages) && pages >= 0 ? { pages } : {}),
  }
}

/** Returns the hints of a callback `{"pix": […]}`; undefined if it is not one. Items without an id are ignored. */
export function parseHints(body: Buffer): readonly Hint[] | undefined {
  const sent = jsonOf(body)
  const pix = isObject(sent) ? sent['pix'] : undefined
  if (!Array.isArray(pix)) return undefined
  return pix.flatMap((item: unknown) => {
    // An item of a payout: payout-wire.ts reads it.
    if (!isObject(item) || item['tipo'] === 'SOLICITACAO') return []
    const { endToEndId, txid } = item
    const hint = {
      ...(typeof endToEndId === 'string' && isEndToEndId(endToEndId) ? { endToEndId } : {}),
      ...(typeof txid === 'string' && isTxid(txid) ? { txid } : {}),
    }
    return Object.keys(hint).length === 0 ? [] : [hint]
  })
}

export type Grant = { readonly token: string; readonly lifetimeMs: number | undefined }

/** Reads the answer of the token endpoint (RFC 6749 §5.1). */
export function parseGrant(body: Buffer): Grant {
  const at = fieldsOf(parseJson(body), 'token')
  const token = text(at, 'access_token')
  if (token === undefined || !/^[!-~]+$/.test(token)) throw nonsense('token.access_token', 'is none')
  // A number by the standard; some PSPs send a text of digits.
  const lifetime = at.fields['expires_in']
  const seconds = typeof lifetime === 'string' && /^\d{1,9}$/.test(lifetime) ? Number(lifetime) : lifetime
  const lifetimeMs = typeof seconds === 'number' && seconds > 0 ? seconds * 1_000 : undefined
  return { token, lifetimeMs }
}

/** Returns the callback URL of a key; undefined when the PSP does not report it. */
export function parseWebhookUrl(body: Buffer): string | undefined {
  return text(fieldsOf(parseJson(body), 'webhook'), 'webhookUrl')
}

/** Reads the body as JSON. */
export function parseJson(body: Buffer): unknown {
  const sent = jsonOf(body)
  if (sent === undefined) throw nonsense('body', 'is no JSON')
  return sent
}

/**
 * Returns why a PSP refused, in its own words: the standard's problem (RFC 7807 with `violacoes`), Efí's `{nome, mensagem}`,
 * OAuth's `{error, error_description}`, or another form. PSPs mix these, so all are read.
 */
export function readFault(body: Buffer): string | undefined {
  const sent = jsonOf(body)
  if (!isObject(sent)) return undefined
  const words = ['title', 'detail', 'nome', 'mensagem', 'error', 'error_description', 'message']
    .map((field) => sent[field])
    .filter((each) => typeof each === 'string')
  const violations = Array.isArray(sent['violacoes']) ? (sent['violacoes'] as unknown[]) : []
  const reasons = violations.flatMap((each) =>
    isObject(each) && typeof each['razao'] === 'string' ? [each['razao']] : [],
  )
  const all = [...new Set([...words, ...reasons])].join(' ').trim()
  return all === '' ? undefined : all.slice(0, faultMax)
}

/** Returns the fields that a refusal names as faulty (`violacoes`, RFC 7807 in API Pix's form). */
export function faultyFields(body: Buffer): readonly string[] {
  const sent = jsonOf(body)
  const violations =
    isObject(sent) && Array.isArray(sent['violacoes']) ? (sent['violacoes'] as unknown[]) : []
  return violations.flatMap((each) =>
    isObject(each) && typeof each['propriedade'] === 'string' ? [each['propriedade']] : [],
  )
}

/** Centavos in API Pix's form, `12.34`; at most ten digits before the point. */
export function toAmountText(minor: bigint): string {
  return toDecimal({ minor, currency: 'BRL' })
}

/** Reads centavos from such a text; undefined if it is not valid. Never converts through a number. */
export function parseAmount(sent: unknown): bigint | undefined {
  const digits = typeof sent === 'string' ? /^(\d{1,10})(?:\.(\d{1,2}))?$/.exec(sent) : null
  return digits === null ? undefined : BigInt(`${digits[1]}${(digits[2] ?? '').padEnd(2, '0')}`)
}

/** PSPs send longer and odder ids than the standard's 32 characters, so the form is read leniently. */
export function isEndToEndId(text: string): boolean {
  return /^[A-Za-z0-9]{1,40}$/.test(text)
}

function isTxid(text: string): boolean {
  return /^[a-zA-Z0-9]{1,35}$/.test(text)
}

const faultMax = 300

function isChargeStatus(text: string): text is ChargeStatus {
  return /^(?:ATIVA|CONCLUIDA|REMOVIDA_PELO_USUARIO_RECEBEDOR|REMOVIDA_PELO_PSP)$/.test(text)
}

function isReturnStatus(text: string): text is NonNullable<PixReturn['status']> {
  return /^(?:EM_PROCESSAMENTO|DEVOLVIDO|NAO_REALIZADO)$/.test(text)
}

export type Fields = { readonly name: string; readonly fields: Readonly<Record<string, unknown>> }

export function isObject(sent: unknown): sent is Readonly<Record<string, unknown>> {
  return typeof sent === 'object' && sent !== null && !Array.isArray(sent)
}

export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

export function fieldsOf(sent: unknown, name: string): Fields {
  if (!isObject(sent)) throw nonsense(name, 'is no object')
  return { name, fields: sent }
}

/** A part that may be absent; then all its fields are absent. */
export function optionalFields({ name, fields }: Fields, field: string): Fields {
  const sent = fields[field]
  return { name: `${name}.${field}`, fields: isObject(sent) ? sent : {} }
}

/** A text that is not empty. */
export function text({ fields }: Fields, field: string): string | undefined {
  const sent = fields[field]
  return typeof sent === 'string' && sent !== '' ? sent : undefined
}

export function instant(at: Fields, field: string): Date | undefined {
  const sent = text(at, field)
  return sent === undefined ? undefined : parseInstant(sent)
}

export function amount(at: Fields, field: string): bigint {
  const minor = parseAmount(at.fields[field])
  if (minor === undefined || minor === 0n) throw nonsense(`${at.name}.${field}`, 'is no amount')
  return minor
}

export function list({ name, fields }: Fields, field: string): readonly unknown[] {
  const sent = fields[field]
  if (sent === undefined || sent === null) return []
  if (!Array.isArray(sent)) throw nonsense(`${name}.${field}`, 'is no list')
  return sent
}

export function readEach<T>(sent: readonly unknown[], parse: (each: unknown) => T) {
  const read: T[] = []
  const unread: string[] = []
  for (const each of sent) {
    try {
      read.push(parse(each))
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      unread.push(error.message)
    }
  }
  return { read, unread }
}

/** The call arrived, but its result is unknown: the answer cannot be read. */
function nonsense(name: string, what: string): ProviderError {
  return new ProviderError('unknown', `the PSP's answer makes no sense: ${name} ${what}`)
}
