// What a PSP says of payouts, in Efí's shape (GET /v2/gn/pix/enviados), and its reading into ours.
import { ProviderError } from '#/kernel/error.ts'
import {
  amount,
  fieldsOf,
  instant,
  isEndToEndId,
  isObject,
  jsonOf,
  list,
  optionalFields,
  parseJson,
  parseReturn,
  readEach,
  text,
} from './wire.ts'

export type Payout = {
  /** Ours: `idEnvio`. Absent for what was sent by other means. */
  readonly reference?: string
  readonly endToEndId?: string
  /** Centavos. */
  readonly amount: bigint
  /** Absent for a status that we do not know. */
  readonly status?: 'EM_PROCESSAMENTO' | 'REALIZADO' | 'NAO_REALIZADO'
  /** Why it was not carried out: the SPI's code. */
  readonly code?: string
  readonly requestedAt?: Date
  /** Centavos that came back, in all. */
  readonly returned: bigint
  /** The object as it came. */
  readonly sent: unknown
}

export type PayoutPage = {
  readonly payouts: readonly Payout[]
  readonly unread: readonly string[]
  readonly pages?: number
  /** How many came, read or not. */
  readonly length: number
}

/** One payout: the answer to PUT, or what GET shows. */
export function parsePayout(sent: unknown): Payout {
  const at = fieldsOf(sent, 'envio')
  const reference = text(at, 'idEnvio')
  const endToEndId = text(at, 'endToEndId') ?? text(at, 'e2eId')
  const status = text(at, 'status')
  if (status === undefined)
    throw new ProviderError('unknown', "the PSP's answer makes no sense: envio.status is none")
  const fault = optionalFields(at, 'erro')
  const code = text(fault, 'codigo')
  const requestedAt = instant(optionalFields(at, 'horario'), 'solicitacao')
  const back = list(at, 'devolucoes').map(parseReturn)
  return {
    ...(reference === undefined ? {} : { reference }),
    ...(endToEndId !== undefined && isEndToEndId(endToEndId) ? { endToEndId } : {}),
    amount: amount(at, 'valor'),
    ...(isStatus(status) ? { status } : {}),
    ...(code === undefined ? {} : { code }),
    ...(requestedAt === undefined ? {} : { requestedAt }),
    returned: back.reduce((sum, each) => (each.status === 'DEVOLVIDO' ? sum + each.amount : sum), 0n),
    sent,
  }
}

/** A page of payouts. One that cannot be read does not hide the others. */
export function parsePayoutPage(body: Buffer): PayoutPage {
  const at = fieldsOf(parseJson(body), 'page')
  const sent = list(at, 'pix')
  const { read, unread } = readEach(sent, parsePayout)
  const pages = optionalFields(optionalFields(at, 'parametros'), 'paginacao').fields['quantidadeDePaginas']
  return {
    payouts: read,
    unread,
    length: sent.length,
    ...(typeof pages === 'number' && Number.isSafeInteger(pages) && pages >= 0 ? { pages } : {}),
  }
}

/** Our references in a callback `{"pix": [{"tipo": "SOLICITACAO", "gnExtras": {"idEnvio"}}]}`. A reason to look, no more. */
export function parsePayoutHints(body: Buffer): readonly string[] {
  const sent = jsonOf(body)
  const items = isObject(sent) && Array.isArray(sent['pix']) ? (sent['pix'] as readonly unknown[]) : []
  const references = items.flatMap((item) => {
    const extras = isObject(item) && item['tipo'] === 'SOLICITACAO' ? item['gnExtras'] : undefined
    const reference = isObject(extras) ? extras['idEnvio'] : undefined
    return typeof reference === 'string' && isReference(reference) ? [reference] : []
  })
  return [...new Set(references)].slice(0, hintsMax)
}

/** More than any PSP puts into a callback; the rest is found by looking. */
const hintsMax = 100

/** How our references look: 32 hex digits. */
export function isReference(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text)
}

/** Centavos that the account holds, in Efí's shape (GET /v2/gn/saldo). */
export function parseBalance(body: Buffer): bigint {
  const { fields } = fieldsOf(parseJson(body), 'saldo')
  const sent = fields['saldo']
  const digits = typeof sent === 'string' ? /^(-?)(\d{1,15})\.(\d{2})$/.exec(sent) : null
  if (digits === null)
    throw new ProviderError('unknown', "the PSP's answer makes no sense: saldo is no amount")
  return BigInt(`${digits[1]}${digits[2]}${digits[3]}`)
}

function isStatus(text: string): text is NonNullable<Payout['status']> {
  return /^(?:EM_PROCESSAMENTO|REALIZADO|NAO_REALIZADO)$/.test(text)
}
