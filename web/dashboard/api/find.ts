// A text that a person has in hand, as the questions by which the server finds records: several, where the text may be several things.
import type { Locale } from '#/kernel/language.ts'
import { parseTaxId } from '#/rails/pix/tax-id.ts'
import { hasAddressForm } from '../kit/address.ts'
import { minorOf } from '../kit/format.ts'
import { get, type QueryValues } from './client.ts'
import type { Page, Payment, Refund } from './records.ts'
import type { Withdrawal } from './withdrawals.ts'

/** A query of a list; an id or the link of a page, of whatever record; or a value of metadata under any declared key. */
export type Question =
  | { readonly list: 'payments' | 'refunds' | 'withdrawals'; readonly query: QueryValues }
  | { readonly record: string }
  | { readonly metadata: string }

export const recordPlaces = {
  PAYMENT: 'payments',
  REFUND: 'refunds',
  WITHDRAWAL: 'withdrawals',
  DISPUTE: 'disputes',
  PAYMENT_LINK: 'payment-links',
  WALLET: 'wallets',
  WITHDRAWAL_BATCH: 'withdrawals/batches',
  EVENT: 'developers/events',
  DELIVERY: 'developers/deliveries',
} as const
export type RecordKind = keyof typeof recordPlaces

/** A found record. It has `payment`, or amount and currency, where the server's answer has them. */
export type Found = {
  readonly kind: RecordKind
  readonly id: string
  readonly payment?: Payment
  readonly sum?: Pick<Refund, 'amount' | 'currency'>
  readonly createdAt?: string
}

const shown = 8
/** The most metadata keys that a merchant can declare. A search sends one request for each of them. */
const keysMax = 5

/** What the text may be, the most certain first. Empty when it is too short to be anything. */
export function questionsOf(text: string, locale: Locale): readonly Question[] {
  const given = text.trim()
  const certain = certainOf(given)
  if (certain !== undefined) return certain
  const [, key = '', value = ''] = /^([\w.-]{1,64})[:=]\s*(\S.*)$/.exec(given) ?? []
  if (key !== '' && !given.includes('://')) return [payments({ [`metadata[${key}]`]: value })]
  const written = given.replace(/^(?:R\$|US\$|\$|€|USDT)\s*/i, '')
  const amount = minorOf(written, locale)
  const isAmount = amount !== undefined && amount > 0n && amount <= BigInt(Number.MAX_SAFE_INTEGER)
  if (isAmount && written !== given) return [payments({ amount: String(amount) })]
  if (given.length < 2 && !isAmount) return []
  const isOneWord = /^[\w.:/-]{6,100}$/.test(given)
  return [
    { metadata: given },
    ...(parseTaxId(given) === undefined
      ? []
      : [payments({ customerTaxId: given }), withdrawals({ pixKey: given })]),
    ...(isAmount ? [payments({ amount: String(amount) })] : []),
    ...(/^\d{4}$/.test(given) ? [payments({ cardLast4: given })] : []),
    ...(isOneWord ? [payments({ reference: given })] : []),
    ...(/\p{L}/u.test(given) ? [payments({ customerName: given })] : []),
  ]
}

const payments = (query: QueryValues): Question => ({ list: 'payments', query })
const refunds = (query: QueryValues): Question => ({ list: 'refunds', query })
const withdrawals = (query: QueryValues): Question => ({ list: 'withdrawals', query })

/** The questions of a text whose form says what it is; undefined for any other. */
function certainOf(given: string): readonly Question[] | undefined {
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(given))
    return [{ record: given.toLowerCase() }, payments({ reference: given.toLowerCase() })]
  if (/^https?:\/\/\S+\/[cl]\/[\w-]{34}(?:[/?#]\S*)?$/.test(given) || /^[a-z0-9]{2}[\w-]{32}$/.test(given))
    return [{ record: given }]
  if (/^0x[0-9a-f]{64}$/i.test(given))
    return [payments({ txHash: given }), refunds({ txHash: given }), withdrawals({ txHash: given })]
  if (hasAddressForm(given))
    return [payments({ cryptoAddress: given }), withdrawals({ cryptoAddress: given })]
  if (/^[ED]\d{8}[A-Za-z0-9]{12,31}$/.test(given)) {
    const query = { endToEndId: given }
    return [payments(query), refunds(query), withdrawals(query)]
  }
  if (/^[^\s@]+@[^\s@]+$/.test(given))
    return [payments({ customerEmail: given }), withdrawals({ pixKey: given })]
  if (/^RF\d{2}(?: ?[0-9A-Z]){1,21}$/i.test(given)) return [payments({ reference: given })]
  if (isIban(given)) return [withdrawals({ iban: given })]
  return undefined
}

/** Whether the check digits of an IBAN hold (ISO 7064, mod 97). */
function isIban(given: string): boolean {
  const iban = given.replaceAll(' ', '').toUpperCase()
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false
  const digits = `${iban.slice(4)}${iban.slice(0, 4)}`.replaceAll(/[A-Z]/g, (letter) =>
    String(Number.parseInt(letter, 36)),
  )
  return BigInt(digits) % 97n === 1n
}

type Search = {
  readonly merchantId: string
  readonly may: (permission: string) => boolean
  readonly locale: Locale
  readonly signal?: AbortSignal | undefined
}

/** The first records that the text finds: what each question finds, in their order. */
export async function findRecords(text: string, search: Search): Promise<readonly Found[]> {
  const questions = await spelledOut(questionsOf(text, search.locale), search)
  const answers = await Promise.all(questions.map((question) => answer(question, search).catch(() => [])))
  const found = new Map(answers.flat().map((each) => [each.id, each]))
  return [...found.values()].slice(0, shown)
}

/**
 * The query with which the list of payments shows what the text finds: the first question that finds something. A question that names a
 * single record returns that record instead. Undefined when nothing is found.
 */
export async function findInPayments(
  text: string,
  search: Search,
): Promise<{ readonly query: QueryValues } | { readonly record: Found } | undefined> {
  const questions = await spelledOut(questionsOf(text, search.locale), search)
  const mine = questions.filter((question) => !('list' in question) || question.list === 'payments')
  const only = mine.length === 1 ? mine[0] : undefined
  if (only !== undefined && 'list' in only) return { query: only.query }
  const answers = await Promise.all(
    mine.map((question) => answer(question, search, 1).catch((): readonly Found[] => [])),
  )
  const at = answers.findIndex((found) => found.length > 0)
  const [question, record] = [mine[at], answers[at]?.[0]]
  if (question === undefined || record === undefined) return undefined
  return 'list' in question ? { query: question.query } : { record }
}

type Spelled = Exclude<Question, { readonly metadata: string }>

/** Metadata needs its key: each that is declared is a question. */
async function spelledOut(
  questions: readonly Question[],
  { merchantId, signal }: Search,
): Promise<readonly Spelled[]> {
  const keys = questions.some((each) => 'metadata' in each) ? await metadataKeys(merchantId, signal) : []
  return questions.flatMap((each): readonly Spelled[] =>
    'metadata' in each
      ? keys.map((key) => ({ list: 'payments', query: { [`metadata[${key}]`]: each.metadata } }))
      : [each],
  )
}

async function answer(question: Spelled, search: Search, limit = shown): Promise<readonly Found[]> {
  const { merchantId, may, signal } = search
  if ('record' in question) {
    const { data } = await get<Page<Found>>(`/m/${merchantId}/records`, { name: question.record }, signal)
    return Promise.all(data.map((each) => withSum(each, search)))
  }
  const { list, query } = question
  if (list === 'withdrawals' && !may('withdrawals:read')) return []
  const kind = ({ payments: 'PAYMENT', refunds: 'REFUND', withdrawals: 'WITHDRAWAL' } as const)[list]
  const page = await get<Page<Payment | Refund | Withdrawal>>(
    `/m/${merchantId}/${list}`,
    { limit, ...query },
    signal,
  )
  return page.data.map((record) => foundOf(kind, record))
}

/** What is shown of a record that was found by its id alone. */
async function withSum(found: Found, { merchantId, signal }: Search): Promise<Found> {
  const { kind, id } = found
  if (kind !== 'PAYMENT' && kind !== 'REFUND' && kind !== 'WITHDRAWAL' && kind !== 'DISPUTE') return found
  const place = recordPlaces[kind]
  return get<Payment | Refund | Withdrawal>(`/m/${merchantId}/${place}/${id}`, {}, signal).then(
    (record) => foundOf(kind, record),
    () => found,
  )
}

function foundOf(kind: RecordKind, record: Payment | Refund | Withdrawal): Found {
  const { id, createdAt } = record
  return {
    kind,
    id,
    createdAt,
    ...(kind === 'PAYMENT' ? { payment: record as Payment } : { sum: record }),
  }
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
