// Which merchants exist for a member, and which of the API's routes they may call there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpDeps } from '#/http/deps.ts'
import type { Route } from '#/http/route.ts'
import { routes } from '#/http/routes.ts'
import { must } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Permission } from '#/people/roles.ts'
import { bareId } from '../../test/bare-rows.ts'
import { partly } from '../../test/partly.ts'
import { createMemberAuth, memberEntrance, type MerchantCaller } from './merchant-entrance.ts'
import type { Visitor } from './visitor.ts'

const [ours, theirs] = [bareId(1) as MerchantId, bareId(2) as MerchantId]

/** Of a person with one merchant, whose second factor is stale. */
const visitor = partly<Visitor>({
  isComplete: true,
  isFactorFresh: false,
  factors: ['totp', 'recovery_code'],
  memberships: [
    {
      merchantId: ours,
      merchantName: 'Padaria',
      mode: 'LIVE',
      role: 'OWNER',
      isSubAccount: false,
      accountState: null,
    },
  ],
})

test('a merchant of which one is no member, and what is no id, does not exist', async () => {
  const auth = createMemberAuth(partly<HttpDeps>({}), () => Promise.resolve(visitor))
  for (const merchant of [theirs, 'padaria', ''])
    await assert.rejects(
      auth.identify(partly<FastifyRequest>({ params: { merchant } })),
      { code: 'not_found' },
      merchant,
    )
})

const entrance = memberEntrance(partly<HttpDeps>({}), { identify: () => assert.fail('nobody is looked up') })

const routeOf = (operationId: string): Route =>
  must(
    routes.find((route) => route.operationId === operationId),
    operationId,
  )
const pay = routeOf('createPayment')
const payOut = routeOf('createWithdrawal')
const read = routeOf('listPayments')
const all: readonly Permission[] = ['payments:read', 'payments:write', 'withdrawals:write']

type Given = {
  readonly permissions?: readonly Permission[]
  readonly accountState?: 'ACTIVE' | 'CLOSED'
  readonly isFactorFresh?: boolean
  readonly mode?: Mode
}

/** The code of what refuses this call; undefined when it is admitted. */
async function refusedWith(route: Route, by: Given, body?: unknown): Promise<string | undefined> {
  const { permissions = all, accountState, isFactorFresh = true, mode = 'LIVE' } = by
  const caller = partly<MerchantCaller>({
    permissions: new Set(permissions),
    visitor: { ...visitor, isFactorFresh },
    merchant: { id: ours, name: 'Padaria', mode },
    ...given({ accountState }),
  })
  try {
    if (body === undefined)
      await entrance.admit(caller, route, partly<FastifyRequest>({}), partly<FastifyReply>({}))
    else entrance.admitBody?.(caller, route, body)
    return undefined
  } catch (error) {
    assert.ok(error instanceof AppError)
    return error.code
  }
}

test('a member calls what their role has, at an account that is not closed, and with a fresh factor where money moves', async () => {
  const cases: readonly (readonly [Route, Given, string | undefined])[] = [
    [pay, {}, undefined],
    [payOut, {}, undefined],
    [read, {}, undefined],
    [read, { permissions: ['payments:write'] }, 'forbidden'],
    [pay, { permissions: ['payments:read'] }, 'forbidden'],
    [pay, { accountState: 'ACTIVE' }, undefined],
    [pay, { accountState: 'CLOSED' }, 'invalid_state'],
    [read, { accountState: 'CLOSED' }, undefined],
    [payOut, { isFactorFresh: false }, 'second_factor_needed'],
    [payOut, { isFactorFresh: false, mode: 'SANDBOX' }, 'second_factor_needed'],
    [pay, { isFactorFresh: false }, undefined],
    [read, { isFactorFresh: false }, undefined],
  ]
  for (const [called, by, code] of cases)
    assert.equal(await refusedWith(called, by), code, JSON.stringify([called.operationId, by]))
})

test('a payment that sends events or its payer to a place of its own needs a fresh factor', async () => {
  for (const body of [{ webhookUrl: 'https://x.example' }, { returnUrl: 'https://x.example' }]) {
    assert.equal(await refusedWith(pay, { isFactorFresh: false }, body), 'second_factor_needed')
    assert.equal(await refusedWith(pay, {}, body), undefined)
  }
  assert.equal(await refusedWith(pay, { isFactorFresh: false }, { amount: '1' }), undefined)
})
