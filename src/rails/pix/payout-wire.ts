// A PSP's payouts, in Efí's shape (GET /v2/gn/pix/enviados), and how they are read.
import { ProviderError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
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
  /** Ours: `idEnvio`. Absent for payouts that were sent by other means. */
  readonly reference?: string
  readonly endToEndId?: string
  /** Centavos. */
  readonly amount: bigint
  /** Absent for a status that we do not know. */
  readonly status?: 'EM_PROCESSAMENTO' | 'REALIZADO' | 'NAO_REALIZADO'
  /** Why it was not carried out: the SPI's code. */
  readonly code?: string
  readonly requestedAt?: Date
  /** The total of centavos that came back. */
  readonly returned: bigint
  /** The object as it came. */
  readonly sent: unknown
}

export type PayoutPage = {
  readonly payouts: readonly Payout[]
  readonly unread: readonly string[]
  readonly pages?: number
  /** The number of items, read or not. */
  readonly length: number
}

/** Reads one payout: the answer to PUT, or to GET. */
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
    ...given({ reference }),
    ...(endToEndId !== undefined && isEndToEndId(endToEndId) ? { endToEndId } : {}),
    amount: amount(at, 'valor'),
    ...(isStatus(status) ? { status } : {}),
    ...given({ code, requestedAt }),
    returned: back.reduce((sum, each) => (each.status === 'DEVOLVIDO' ? sum + each.amount : sum), 0n),
    sent,
  }
}

/** Reads a page of payouts. An item that cannot be read does not hide the others. */
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

/**
 * Returns our references in a callback `{"pix": [{"tipo": "SOLICITACAO", "gnExtras": {"idEnvio"}}]}`. They are only a reason to
 * check these payouts.
 */
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

/** More than any PSP puts into a callback; reconciliation finds the rest. */
const hintsMax = 100

/** Whether the text has the form of our references: 32 hex digits. */
export function isReference(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text)
}

/** Returns the balance of the account in centavos, in Efí's shape (GET /v2/gn/saldo). */
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
