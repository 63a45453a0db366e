// A text that a person has in hand, as the questions by which the server finds records: several, where the text may be several things.
import type { Locale } from '#/kernel/language.ts'
import { parseTaxId } from '#/kernel/tax-id.ts'
import { minorOf, hasAddressForm } from '../kit/format.ts'
import { call, type Query } from './call.ts'
import type { Dispute, Payment, RecordKind, Refund, Withdrawal } from './generated.ts'

/**
 * A query of a list; an id or the link of a page, of whatever record; a value of metadata under any declared key; or the beginning of an
 * id, order, name, e-mail address or provider's reference.
 */
export type Question =
  | { readonly list: 'payments'; readonly query: Query<'listPayments'> }
  | { readonly list: 'refunds'; readonly query: Query<'listRefunds'> }
  | { readonly list: 'withdrawals'; readonly query: Query<'listWithdrawals'> }
  | { readonly record: string }
  | { readonly metadata: string }
  | { readonly beginning: string }

export const recordPlaces = {
  PAYMENT: 'payments',
  REFUND: 'refunds',
  WITHDRAWAL: 'withdrawals',
  DISPUTE: 'disputes',
  PAYMENT_LINK: 'payment-links',
  WALLET: 'wallets',
  WITHDRAWAL_BATCH: 'withdrawals/batches',
  EVENT: 'developers/events',
  DELIVERY: 'developers/webhooks/deliveries',
} as const satisfies Record<RecordKind, string>

/** A found record. It has `payment`, or amount and currency, where the server's answer has them. */
export type Found = {
  readonly kind: RecordKind
  readonly id: string
  readonly payment?: Payment
  readonly sum?: Pick<Refund, 'amount' | 'currency'>
  readonly createdAt?: string
}

const shown = 8
/** The most ids that a list of payments takes. */
const idsMax = 50
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
    { beginning: given },
  ]
}

const payments = (query: Query<'listPayments'>): Question => ({ list: 'payments', query })
const refunds = (query: Query<'listRefunds'>): Question => ({ list: 'refunds', query })
const withdrawals = (query: Query<'listWithdrawals'>): Question => ({ list: 'withdrawals', query })

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
    return [payments({ customerEmail: given }), withdrawals({ pixKey: given }), { beginning: given }]
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
): Promise<{ readonly query: Query<'listPayments'> } | { readonly record: Found } | undefined> {
  const questions = await spelledOut(questionsOf(text, search.locale), search)
  const mine = questions.filter((question) => !('list' in question) || question.list === 'payments')
  const only = mine.length === 1 ? mine[0] : undefined
  if (only !== undefined && 'list' in only) return { query: only.query }
  const answers = await Promise.all(
    mine.map((question) =>
      answer(question, search, 'beginning' in question ? idsMax : 1).catch((): readonly Found[] => []),
    ),
  )
  const at = answers.findIndex((found) => found.length > 0)
  const [question, record] = [mine[at], answers[at]?.[0]]
  if (question === undefined || record === undefined) return undefined
  if ('list' in question) return { query: question.query }
  if ('record' in question) return { record }
  // What begins with the text is several payments, or several other records, of which the first opens.
  const ids = (answers[at] ?? []).filter(({ kind }) => kind === 'PAYMENT').map(({ id }) => id)
  return ids.length === 0 ? { record } : { query: { ids: ids.join(',') } }
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
  const { merchantId: merchant, may, signal } = search
  const options = { signal }
  if ('beginning' in question) return beginningWith(question.beginning, search, limit)
  if ('record' in question) {
    const { data } = await call('findRecords', { merchant, query: { name: question.record } }, options)
    return Promise.all(data.map((each) => withSum(each, search)))
  }
  switch (question.list) {
    case 'payments': {
      const { data } = await call('listPayments', { merchant, query: { limit, ...question.query } }, options)
      return data.map((payment) => foundOf('PAYMENT', payment))
    }
    case 'refunds': {
      const { data } = await call('listRefunds', { merchant, query: { limit, ...question.query } }, options)
      return data.map((refund) => foundOf('REFUND', refund))
    }
    case 'withdrawals': {
      if (!may('withdrawals:read')) return []
      const query = { limit, ...question.query }
      const { data } = await call('listWithdrawals', { merchant, query }, options)
      return data.map((withdrawal) => foundOf('WITHDRAWAL', withdrawal))
    }
  }
}

/** Payments have what the list shows of them; other records, what is known without a further call for each. */
async function beginningWith(
  name: string,
  { merchantId: merchant, signal }: Search,
  limit: number,
): Promise<readonly Found[]> {
  const options = { signal }
  const { data } = await call('findRecords', { merchant, query: { name } }, options)
  const records = data.slice(0, limit)
  const ids = records.filter(({ kind }) => kind === 'PAYMENT').map(({ id }) => id)
  const query = { ids: ids.join(','), limit: idsMax }
  const payments = ids.length === 0 ? [] : (await call('listPayments', { merchant, query }, options)).data
  const byId = new Map(payments.map((payment) => [payment.id, payment]))
  return records.map(({ kind, id }) => {
    const payment = byId.get(id)
    return payment === undefined ? { kind, id } : foundOf(kind, payment)
  })
}

const reads = {
  PAYMENT: 'getPayment',
  REFUND: 'getRefund',
  WITHDRAWAL: 'getWithdrawal',
  DISPUTE: 'getDispute',
} as const

/** What is shown of a record that was found by its id alone. */
async function withSum(found: Found, { merchantId: merchant, signal }: Search): Promise<Found> {
  const { kind, id } = found
  if (!(kind in reads)) return found
  return call(reads[kind as keyof typeof reads], { merchant, id }, { signal }).then(
    (record) => foundOf(kind, record),
    () => found,
  )
}

function foundOf(kind: RecordKind, record: Payment | Refund | Withdrawal | Dispute): Found {
  const { id, createdAt } = record
  return { kind, id, createdAt, ...('refundStatus' in record ? { payment: record } : { sum: record }) }
}

/** The declared keys that can be searched. */
async function metadataKeys(merchant: string, signal?: AbortSignal): Promise<readonly string[]> {
  const { data } = await call('listMetadataKeys', { merchant }, { signal }).catch(() => ({ data: [] }))
  return data
    .filter(({ status }) => status === 'READY')
    .map(({ key }) => key)
    .slice(0, keysMax)
}
