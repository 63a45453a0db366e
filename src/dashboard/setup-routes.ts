// What a new merchant sets up.
import { Type as T } from 'typebox'
import { oneOf } from '#/kernel/schema.ts'
import { hideSetup, setupOf, setupSteps } from '#/merchants/setup.ts'
import { none } from '#/people/concern.ts'
import { bodyOf } from './place.ts'
import { memberRoute, type DashboardRoute } from './route.ts'

const isHidden = T.Boolean({ description: 'Somebody has put the list away.' })

const get = memberRoute({
  route: 'GET /setup',
  permission: 'payments:read',
  operationId: 'getSetup',
  summary: 'What a new merchant sets up: the steps that the role can do, and which of them are done',
  answer: T.Object(
    {
      isHidden,
      steps: T.Array(
        T.Object({ step: oneOf('SetupStep', setupSteps, 'What is set up.'), isDone: T.Boolean() }),
      ),
    },
    { title: 'Setup' },
  ),
  handle: ({ http }, { caller: { merchant, permissions, accountState } }) =>
    setupOf(http.sql, merchant.id, { permissions, isSubAccount: accountState !== undefined }),
})

const hide = memberRoute({
  route: 'PUT /setup',
  permission: 'profile:write',
  starts: 'setting',
  concern: none('whether a list is shown'),
  operationId: 'hideSetup',
  summary: 'Puts the list away for everybody who works for the merchant, or shows it again',
  body: bodyOf({ isHidden }),
  handle: ({ http }, { caller, body, by }) => hideSetup(http.sql, caller.merchant.id, body.isHidden, by),
})

export const setupRoutes: readonly DashboardRoute[] = [get, hide]
