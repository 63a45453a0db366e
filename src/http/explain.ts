// What happened to a payment, refund or withdrawal, as data and as sentences.
import { Type as T } from 'typebox'
import type { Of } from '#/contract/record.ts'
import { about, documented } from '#/contract/words.ts'
import { explain, sourceCounts, type ExplainedKind } from '#/explain/explain.ts'
import { AppError } from '#/kernel/error.ts'
import { localeOf, preferencesOf, type Locale } from '#/kernel/language.ts'
import { whole } from '#/kernel/schema.ts'
import type { Scope } from '#/merchants/api-key.ts'
import * as examples from './example-explanations.ts'
import { explanation, explanationRecord, language } from './explain-record.ts'
import { paging, queryOf, readCursor, unknownCursor } from './query.ts'
import { route, type Route } from './route.ts'

const pageSize = 100

const query = queryOf({
  language: T.Optional(
    about(
      language,
      'The language of the sentences. Default: what the header Accept-Language prefers, else en.',
    ),
  ),
  cursor: paging.cursor,
  limit: T.Optional(
    documented(
      whole(1, 100, 'Happenings on a page. One may have several steps, such as a report with its transfers.'),
      { default: pageSize },
    ),
  ),
})

const meaning =
  'What was observed, what providers answered, what changed and why, what was booked, and what you were told of it, as the books hold it. In the order in which it was learned; within one page if there are several. The amounts of LEDGER steps add up to the entries of your wallets.'

function explainRoute(
  kind: ExplainedKind,
  named: Pick<Route, 'operationId' | 'summary'> & {
    readonly route: `GET ${string}`
    readonly scope: Scope
    readonly example: Of<typeof explanation>
  },
): Route {
  return route({
    ...named,
    description: meaning,
    answer: explanation,
    headers: { 'Content-Language': 'The language of the sentences.' },
    query,
    async handle({ sql }, call) {
      const { merchant, id, acceptLanguage, query } = call
      const positions = query.cursor === undefined ? [] : positionsIn(query.cursor, kind)
      const spoken = query.language ?? preferred(acceptLanguage)
      const found = await explain(sql, kind, {
        merchantId: merchant.id,
        id,
        language: spoken,
        positions,
        limit: query.limit ?? pageSize,
      })
      if (found === undefined) throw new AppError('not_found', `There is no such ${kind.toLowerCase()}.`)
      return {
        record: { id, kind, language: spoken, ...explanationRecord(found) },
        headers: { 'content-language': spoken, vary: 'accept-language' },
      }
    },
  })
}

function preferred(acceptLanguage: string | undefined): Locale {
  for (const tag of preferencesOf(acceptLanguage)) {
    const found = localeOf(tag)
    if (found !== undefined) return found
  }
  return 'en'
}

/** A position is a number, an id or a word of ours; each source checks nothing more. */
function positionsIn(cursor: string, kind: ExplainedKind): readonly string[] {
  const positions = readCursor(cursor, ...Array.from({ length: sourceCounts[kind] }, () => isText))
  const isFit = positions.every((each, index) => each === '' || positionPatterns[kind][index]?.test(each))
  if (!isFit) throw unknownCursor()
  return positions
}

const isText = () => true
const uuidText = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const ordinalText = /^\d{1,9}$/
const numberText = /^\d{1,18}$/
/** Of each source, in the order in which explain.ts reads them. */
const positionPatterns: Readonly<Record<ExplainedKind, readonly RegExp[]>> = {
  PAYMENT: [/^done$/, uuidText, ordinalText, uuidText, numberText, ordinalText, numberText],
  REFUND: [ordinalText, uuidText, numberText, numberText],
  WITHDRAWAL: [uuidText, numberText, numberText],
}

export const explainRoutes: readonly Route[] = [
  explainRoute('PAYMENT', {
    route: 'GET /v1/payments/{id}/explain',
    scope: 'payments:read',
    operationId: 'explainPayment',
    summary: 'Explain a payment',
    example: examples.paymentExplanation,
  }),
  explainRoute('REFUND', {
    route: 'GET /v1/refunds/{id}/explain',
    scope: 'payments:read',
    operationId: 'explainRefund',
    summary: 'Explain a refund',
    example: examples.refundExplanation,
  }),
  explainRoute('WITHDRAWAL', {
    route: 'GET /v1/withdrawals/{id}/explain',
    scope: 'withdrawals:read',
    operationId: 'explainWithdrawal',
    summary: 'Explain a withdrawal',
    example: examples.withdrawalExplanation,
  }),
]
