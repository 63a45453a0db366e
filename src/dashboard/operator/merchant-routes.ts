// Merchants: list, make, suspend, and the freezes that hold their money.
import { Type as T } from 'typebox'
import { subAccountStates } from '#/contract/sub-accounts.ts'
import { payoutTypes, withdrawalType } from '#/contract/withdrawals.ts'
import { about, paymentMethod } from '#/contract/words.ts'
import { pageSize, paging, pageOf, queryOf, readLastId, pageAfter } from '#/http/query.ts'
import { noSuch } from '#/kernel/error.ts'
import { withoutNulls } from '#/kernel/given.ts'
import { isUuid, type MerchantId } from '#/kernel/id.ts'
import { count, instant, oneOf, uuid, whole } from '#/kernel/schema.ts'
import { selectKeys } from '#/merchants/key-queries.ts'
import { selectAnySubAccount } from '#/merchants/sub-account-queries.ts'
import {
  freezeMerchant,
  freezeMoney,
  resumeMerchant,
  suspendMerchant,
  unfreezeMerchant,
  unfreezeMoney,
  type Begun,
  type Ended,
} from '#/operator/acts/freezes.ts'
import { activateAccount, closeAccount, type SubAccountNow } from '#/operator/acts/merchants.ts'
import { addMerchant, rotateSecret } from '#/operator/merchants.ts'
import {
  selectFreezePage,
  selectFreezesOf,
  merchantStates,
  selectListedMerchant,
  selectMerchantPage,
  selectMerchantsNamed,
} from '#/operator/queries.ts'
import { createInvitation } from '#/people/links.ts'
import { roles } from '#/people/roles.ts'
import type { PayoutType } from '#/rails/payout-rail.ts'
import { showWebhookSecret } from '#/webhooks/sign.ts'
import type { DashboardDeps } from '../deps.ts'
import { bodyOf, listed } from '../place.ts'
import { operatorRoute, type DashboardRoute } from '../route.ts'
import { routeOf } from './act-route.ts'
import { anyReason, because, mode, operatorOf } from './words.ts'

const merchantFields = {
  id: uuid(),
  mode,
  name: T.String(),
  createdAt: instant(),
  isSuspended: T.Boolean({ description: 'Takes no new payments, and lets no money out.' }),
  isFrozen: T.Boolean({ description: 'Lets no money out.' }),
  archivedAt: T.Optional(instant('Of a sandbox that was archived.')),
}

const list = operatorRoute({
  route: 'GET /operator/merchants',
  operationId: 'listMerchants',
  summary:
    'All merchants, newest first; with `search` those whose name begins so, or the one of this id; of one state or mode',
  answer: listed(T.Object(merchantFields, { title: 'OperatorMerchant' })),
  query: queryOf({
    ...paging,
    search: T.Optional(T.String({ minLength: 1, maxLength: 100 })),
    state: T.Optional(oneOf('MerchantState', merchantStates, 'An archived one is in no other state.')),
    mode: T.Optional(mode),
  }),
  async handle({ http: { sql } }, { query }) {
    const { search, cursor, limit = pageSize, state, mode: of } = query
    const after = readLastId(cursor)
    const filter = { ...(state && { state }), ...(of && { mode: of }), limit: limit + 1 }
    const id = search?.trim().toLowerCase() ?? ''
    const one = isUuid(id) ? { id: id as MerchantId } : {}
    const rows =
      id === '' || isUuid(id)
        ? await selectMerchantPage(sql, { ...filter, ...one, ...(after && { before: after }) })
        : await selectMerchantsNamed(sql, { ...filter, prefix: id, ...(after && { after }) })
    return pageOf(rows, limit, withoutNulls)
  },
})

const freezeFields = {
  kind: oneOf(
    'FreezeKind',
    ['FREEZE', 'SUSPENSION', 'RESTORE'],
    'A suspension also refuses new payments. RESTORE: until the repair after a restore is done.',
  ),
  reason: T.String(),
  decidedBy: T.String(),
  at: instant('Since when.'),
}

const subAccountState = oneOf('SubAccountState', subAccountStates, 'Only an ACTIVE one does anything new.')

const get = operatorRoute({
  route: 'GET /operator/merchants/{id}',
  operationId: 'getMerchant',
  summary: 'One merchant',
  answer: T.Object({
    ...merchantFields,
    keysInForce: count('API keys in force.'),
    freezes: T.Array(T.Object(freezeFields)),
    subAccount: T.Optional(
      T.Object(
        { parentId: uuid('The merchant whose sub-account it is.'), state: subAccountState },
        { description: 'Of a sub-account.' },
      ),
    ),
  }),
  async handle({ http: { sql } }, { id }) {
    const merchant = await selectListedMerchant(sql, id as MerchantId)
    if (merchant === undefined) throw noSuch('merchant')
    const [keys, freezes, account] = await Promise.all([
      selectKeys(sql, merchant.id),
      selectFreezesOf(sql, merchant.id),
      selectAnySubAccount(sql, merchant.id),
    ])
    const inForce = keys.filter(({ revokedAt, isExpired }) => revokedAt === null && !isExpired)
    return {
      ...withoutNulls(merchant),
      keysInForce: inForce.length,
      freezes,
      ...(account === undefined ? {} : { subAccount: { parentId: account.parentId, state: account.state } }),
    }
  },
})

const approvals = T.Optional(
  T.Array(
    bodyOf({
      type: withdrawalType,
      above: T.Union(
        [whole(0, Number.MAX_SAFE_INTEGER, 'Above this amount a second person approves.'), T.Literal('none')],
        {
          description: '`none`: one person pays out any amount.',
        },
      ),
    }),
    {
      maxItems: payoutTypes.length,
      description:
        'Who pays out, of each type. Of a type that is not named the suggested amount is in force.',
    },
  ),
)

function approvalOf({ type, above }: { readonly type: PayoutType; readonly above: number | 'none' }) {
  return { type, approvalAboveMinor: above === 'none' ? null : BigInt(above) }
}

const create = operatorRoute({
  route: 'POST /operator/merchants',
  permission: 'operator:write',
  concern: 'people',
  operationId: 'createMerchant',
  summary: 'Makes a merchant with default wallets; the answer shows its webhook secret',
  status: 201,
  answer: T.Object({ id: uuid(), mode, name: T.String(), createdAt: instant(), webhookSecret: T.String() }),
  body: bodyOf({ name: T.String({ minLength: 1, maxLength: 200 }), mode, approvals, reason: anyReason }),
  async handle(deps, call) {
    const { name, mode: of, approvals: chosen = [], reason: why } = call.body
    const request = { name, mode: of, approvals: chosen.map(approvalOf), ...because(why) }
    const { merchant, webhookSecret } = await addMerchant(merchantDeps(deps), operatorOf(call), request)
    return { ...merchant, webhookSecret: showWebhookSecret(webhookSecret) }
  },
})

const rotate = operatorRoute({
  route: 'POST /operator/merchants/{id}/rotate-webhook-secret',
  permission: 'operator:write',
  concern: 'events',
  operationId: 'rotateMerchantWebhookSecret',
  summary: 'A new webhook secret; the present one signs beside it for 24 hours',
  answer: T.Object({ webhookSecret: T.String() }),
  body: bodyOf({}),
  async handle(deps, call) {
    const secret = await rotateSecret(merchantDeps(deps), operatorOf(call), call.id as MerchantId)
    return { webhookSecret: showWebhookSecret(secret) }
  },
})

function merchantDeps({ http, operator }: DashboardDeps) {
  const { sql, clock } = http
  const { webhookSealKey, openWallets, hasOwnKeys } = operator
  return { sql, clock, sealKey: webhookSealKey, openWallets, hasOwnKeys, usesDirectory: false }
}

const invite = operatorRoute({
  route: 'POST /operator/merchants/{id}/invitations',
  permission: 'operator:write',
  concern: 'people',
  operationId: 'inviteToMerchant',
  summary: 'Invites a person, such as the first owner: the answer holds the link, shown this once',
  status: 201,
  answer: T.Object({ id: uuid(), email: T.String(), endsAt: instant(), url: T.String() }),
  body: bodyOf({
    email: T.String({ maxLength: 400 }),
    role: T.Optional(oneOf('Role', roles, 'Default: OWNER.')),
  }),
  async handle({ people, origin }, { id, by, body }) {
    const { email, role = 'OWNER' } = body
    const { token, ...made } = await createInvitation(people, by, {
      merchantId: id as MerchantId,
      email,
      role,
    })
    // In the fragment: no server and no log of a proxy ever sees it.
    return { ...made, url: `${origin}/open#${token}` }
  },
})

const begun = {
  answer: {
    isNew: T.Boolean({ description: 'False: it was frozen before, and stays as it was.' }),
    isEffective: T.Boolean({
      description: 'False: the books are busy, and what they accept at this moment waits as well.',
    }),
  },
  recordOf: ({ done }: { readonly done: Begun | undefined }) =>
    done && { isNew: done.isNew, isEffective: done.isEffective },
}
const ended = {
  answer: { isStillFrozen: T.Boolean({ description: 'Another freeze still keeps this money in.' }) },
  recordOf: ({ done }: { readonly done: Ended | undefined }) => ({
    isStillFrozen: done?.isStillFrozen ?? true,
  }),
}
const account = {
  answer: { id: uuid(), state: subAccountState },
  recordOf: ({ done }: { readonly done: SubAccountNow | undefined }) =>
    done && { id: done.id, state: done.state },
}

const freezes = operatorRoute({
  route: 'GET /operator/freezes',
  operationId: 'listFreezes',
  summary: 'What is frozen or suspended, since when, by whom and why; the oldest first',
  answer: listed(
    T.Object({
      id: uuid(),
      ...freezeFields,
      merchantId: T.Optional(uuid('Absent: every merchant.')),
      merchantName: T.Optional(T.String()),
      rail: T.Optional(about(paymentMethod, 'Absent: every rail.')),
    }),
  ),
  query: queryOf(paging),
  handle: ({ http: { sql } }, { query }) =>
    pageAfter(query, (page) => selectFreezePage(sql, page), withoutNulls),
})

export const merchantRoutes: readonly DashboardRoute[] = [
  list,
  create,
  get,
  rotate,
  invite,
  routeOf(activateAccount, account),
  routeOf(closeAccount, account),
  routeOf(suspendMerchant, begun),
  routeOf(resumeMerchant, ended),
  routeOf(freezeMerchant, begun),
  routeOf(unfreezeMerchant, ended),
  freezes,
  routeOf(freezeMoney, begun),
  routeOf(unfreezeMoney, ended),
]
