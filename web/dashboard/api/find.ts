// A text that a person has in hand, as the query by which /v1 finds payments: an id, a transaction, an end-to-end id, an e-mail address, a
// tax id, an amount, or a value of metadata.
import type { Locale } from '#/kernel/language.ts'
import { minorOf } from '../kit/format.ts'
import { get, type QueryValues } from './client.ts'
import type { Page, Payment } from './records.ts'

export type Find = { readonly id: string } | { readonly query: QueryValues } | { readonly metadata: string }

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const shown = 8
/** /v1 finds by at most this many keys at once, and a search asks for each key on its own. */
const keysMax = 5

/** What the text is. Undefined when it is too short to be anything. */
export function findOf(text: string, locale: Locale): Find | undefined {
  const given = text.trim()
  if (uuid.test(given)) return { id: given.toLowerCase() }
  if (/^0x[0-9a-f]{64}$/i.test(given)) return { query: { txHash: given } }
  if (/^[ED][A-Za-z0-9]{20,39}$/.test(given)) return { query: { endToEndId: given } }
  if (/^[^\s@]+@[^\s@]+$/.test(given)) return { query: { customerEmail: given } }
  if (
    /^\d{3}\.?\d{3}\.?\d{3}-?\d{2}$|^[\dA-Z]{2}\.?[\dA-Z]{3}\.?[\dA-Z]{3}\/?[\dA-Z]{4}-?\d{2}$/i.test(given)
  )
    return { query: { customerTaxId: given } }
  const [, key = '', value = ''] = /^([\w.-]{1,64})[:=]\s*(\S.*)$/.exec(given) ?? []
  if (key !== '') return { query: { [`metadata[${key}]`]: value } }
  const amount = minorOf(given.replace(/^(?:R\$|US\$|\$|€|USDT)\s*/i, ''), locale)
  if (amount !== undefined && amount > 0n && amount <= BigInt(Number.MAX_SAFE_INTEGER))
    return { query: { amount: String(amount) } }
  return given.length < 2 ? undefined : { metadata: given }
}

/** The first payments that the text finds, newest first. */
export async function findPayments(
  merchantId: string,
  text: string,
  locale: Locale,
  signal?: AbortSignal,
): Promise<readonly Payment[]> {
  const find = findOf(text, locale)
  if (find === undefined) return []
  const list = (query: QueryValues) =>
    get<Page<Payment>>(`/m/${merchantId}/payments`, { limit: shown, ...query }, signal).then(
      ({ data }) => data,
    )
  if ('id' in find)
    return get<Payment>(`/m/${merchantId}/payments/${find.id}`, {}, signal).then(
      (payment) => [payment],
      () => [],
    )
  if ('query' in find) return list(find.query).catch(() => [])
  const keys = await metadataKeys(merchantId, signal)
  const found = await Promise.all(
    keys.map((key) => list({ [`metadata[${key}]`]: find.metadata }).catch(() => [])),
  )
  return found.flat().slice(0, shown)
}

/** The declared keys that can be searched. */
async function metadataKeys(merchantId: string, signal?: AbortSignal): Promise<readonly string[]> {
  const { data } = await get<Page<{ readonly key: string; readonly status: string }>>(
    `/m/${merchantId}/metadata-keys`,
    {},
    signal,
  ).catch(() => ({ data: [] }))
  return data
    .filter(({ status }) => status === 'READY')
    .map(({ key }) => key)
    .slice(0, keysMax)
}
