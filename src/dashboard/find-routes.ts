// Which record an id, or the link of a page, is: a person who has it in hand need not know what it is of.
import { Type as T } from 'typebox'
import { text } from '#/contract/words.ts'
import { recordKinds, selectRecordsById, selectRecordsByToken, type RecordKind } from '#/finding/queries.ts'
import { queryOf } from '#/http/query.ts'
import { isUuid } from '#/kernel/id.ts'
import { oneOf } from '#/kernel/schema.ts'
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

const find = memberRoute({
  route: 'GET /records',
  permission: 'payments:read',
  operationId: 'findRecords',
  summary: 'The records with this id, or with a page of this link',
  answer: T.Object(
    { data: T.Array(T.Object({ kind: oneOf('RecordKind', recordKinds, 'What it is.'), id: T.String() })) },
    { title: 'FoundRecords', description: 'Those that the role may see.' },
  ),
  query: queryOf({
    name: text(300, 'An id; or the link of a payer’s page or of a payment link, or its token.'),
  }),
  async handle({ http }, { caller, query }) {
    const { merchant, permissions } = caller
    const given = query.name.trim()
    const token = given.split(/[?#]/)[0]?.split('/').at(-1) ?? ''
    const found = isUuid(given.toLowerCase())
      ? await selectRecordsById(http.sql, merchant.id, given.toLowerCase())
      : isPageToken(token)
        ? await selectRecordsByToken(http.sql, merchant.id, token)
        : []
    return { data: found.filter(({ kind }) => permissions.has(needs[kind])) }
  },
})

export const findRoutes: readonly DashboardRoute[] = [find]
