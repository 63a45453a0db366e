// Which record a text that a person has in hand names, or may be the beginning of: an id, the link of a page, or what a shop, a payer or a
// provider calls a payment.
import { Type as T } from 'typebox'
import { text } from '#/contract/words.ts'
import type { Sql } from '#/db/client.ts'
import {
  recordKinds,
  selectRecordsById,
  selectRecordsByToken,
  selectRecordsInRange,
  type FoundRecord,
  type IdRange,
  type RecordKind,
} from '#/finding/queries.ts'
import { queryOf } from '#/http/query.ts'
import { isUuid, type MerchantId } from '#/kernel/id.ts'
import { oneOf } from '#/kernel/schema.ts'
import { beginnings, selectByAttemptIds, selectByBeginning, type Beginning } from '#/payments/find-queries.ts'
import { isPageToken } from '#/payments/payment.ts'
import type { Permission } from '#/people/roles.ts'
import { memberRoute, type DashboardRoute } from './route.ts'

/** What a member needs to see records of a kind. */
const needs: Readonly<Record<RecordKind, Permission>> = {
  PAYMENT: 'payments:read',
  REFUND: 'payments:read',
  DISPUTE: 'payments:read',
  PAYMENT_LINK: 'payments:read',
  WITHDRAWAL: 'withdrawals:read',
  WITHDRAWAL_BATCH: 'withdrawals:read',
  WALLET: 'wallets:read',
  EVENT: 'webhooks:read',
  DELIVERY: 'webhooks:read',
}

/** At most so many records of each kind, and payments by each of their texts, are found by a beginning. */
const foundMax = 10

const find = memberRoute({
  route: 'GET /records',
  permission: 'payments:read',
  operationId: 'findRecords',
  summary: 'The records that this text names, or the beginning of whose names it is',
  answer: T.Object(
    {
      data: T.Array(
        T.Object({
          kind: oneOf('RecordKind', recordKinds, 'What it is.'),
          id: T.String(),
          by: oneOf('FoundBy', ['ID', 'LINK', ...beginnings], 'What the text is, or is the beginning of.'),
        }),
      ),
    },
    {
      title: 'FoundRecords',
      description: `Those that the role may see: what the text names exactly comes before what begins with it, and new before old. At most ${foundMax} of each kind.`,
    },
  ),
  query: queryOf({
    name: text(
      300,
      'An id, or at least four of its first digits; the link of a payer’s page or of a payment link, or its token; or the beginning of an order in metadata (orderId, order_id, order, orderNumber, wooOrderId), of a customer’s name or e-mail address, or of a provider’s reference.',
    ),
  }),
  async handle({ http }, { caller, query }) {
    const { merchant, permissions } = caller
    const found = await foundBy(http.sql, merchant.id, query.name.trim())
    return { data: found.filter(({ kind }) => permissions.has(needs[kind])) }
  },
})

type Found = FoundRecord & { readonly by: 'ID' | 'LINK' | Beginning }

async function foundBy(sql: Sql, merchantId: MerchantId, given: string): Promise<readonly Found[]> {
  if (isUuid(given.toLowerCase()))
    return named('ID', await selectRecordsById(sql, merchantId, given.toLowerCase()))
  const token = given.split(/[?#]/)[0]?.split('/').at(-1) ?? ''
  const exact = isPageToken(token) ? await selectRecordsByToken(sql, merchantId, token) : []
  return exact.length > 0 ? named('LINK', exact) : beginningWith(sql, merchantId, given)
}

/** No text of a single character: it would be the beginning of too much. */
async function beginningWith(sql: Sql, merchantId: MerchantId, given: string): Promise<readonly Found[]> {
  if (given.length < 2) return []
  const range = rangeOf(given)
  const limit = foundMax
  const [records, attempts, ...texts] = await Promise.all([
    range === undefined ? [] : selectRecordsInRange(sql, merchantId, { ...range, limit }),
    range === undefined ? [] : selectByAttemptIds(sql, merchantId, { ...range, limit }),
    ...beginnings.map((kind) => selectByBeginning(sql, merchantId, { kind, text: given, limit })),
  ])
  const payments = (ids: readonly string[]) => ids.map((id) => ({ kind: 'PAYMENT' as const, id }))
  const found = [
    ...texts.flatMap((ids, nth) => named(beginnings[nth] ?? 'REFERENCE', payments(ids))),
    ...named('ID', records),
    ...named('REFERENCE', payments(attempts)),
  ]
  return found.filter(({ id }, nth) => found.findIndex((each) => each.id === id) === nth)
}

function named(by: Found['by'], records: readonly FoundRecord[]): readonly Found[] {
  return records.map((each) => ({ ...each, by }))
}

/** The ids that begin with these digits, written with or without hyphens. Undefined: they are too few, or no digits of an id. */
function rangeOf(given: string): IdRange | undefined {
  const digits = given.toLowerCase().replaceAll('-', '')
  if (!/^[0-9a-f]{4,32}$/.test(digits)) return undefined
  return { first: digits.padEnd(32, '0'), last: digits.padEnd(32, 'f') }
}

export const findRoutes: readonly DashboardRoute[] = [find]
