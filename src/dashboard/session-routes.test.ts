// What the routes of signing in ask of a request before anybody is looked up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#/kernel/error.ts'
import { newId } from '#/kernel/id.ts'
import type { Letter } from '#/mail/letter.ts'
import type { User } from '#/people/user.ts'
import { partly } from '../../test/partly.ts'
import type { DashboardDeps } from './deps.ts'
import { sessionRoutes } from './session-routes.ts'
import type { Visitor } from './visitor.ts'

const request = partly<FastifyRequest>({ ip: '203.0.113.7', id: 'r1', headers: {} })
const call = { query: {}, id: '', request, reply: partly<FastifyReply>({}) }

/** Gives the second factor again, with this body. */
async function stepUp(body: unknown): Promise<unknown> {
  const route = sessionRoutes.find(({ operationId }) => operationId === 'stepUp')
  if (route?.access !== 'user') assert.fail('a user steps up')
  const visitor = partly<Visitor>({ id: newId<'session'>(), user: partly<User>({ id: newId<'user'>() }) })
  const by = { actor: { kind: 'USER', id: 'u1' } } as const
  return route.handle(partly<DashboardDeps>({ people: partly({}) }), { ...call, visitor, by, body })
}

test('one proof is given at a time: a code of an app, one of recovery, or a passkey', async () => {
  for (const body of [{}, { totp: '1', recoveryCode: '2' }, { totp: '1', recoveryCode: '2', passkey: {} }])
    await assert.rejects(() => stepUp(body), { code: 'invalid_request' }, JSON.stringify(body))
  // A single one is looked at, which the books that are not there cannot do.
  for (const body of [{ totp: '1' }, { recoveryCode: '2' }, { passkey: {} }])
    await assert.rejects(
      () => stepUp(body),
      (error) => !(error instanceof AppError),
      JSON.stringify(body),
    )
})

/** Asks for a link to a new password: what was counted and what was sent. */
async function asked(email: string, more: Partial<DashboardDeps> = {}) {
  const [counted, sent]: [string[], Letter[]] = [[], []]
  const route = sessionRoutes.find(({ operationId }) => operationId === 'askNewPassword')
  if (route?.access !== 'anyone') assert.fail('anyone asks')
  const deps = partly<DashboardDeps>({
    post: async (letter) => void sent.push(letter),
    resets: { spend: (address) => void counted.push(address) },
    ...more,
  })
  return { answer: await route.handle(deps, { ...call, body: { email } }), counted, sent }
}

test('a link to a new password is counted for the network that asks, and sent to the email alone', async () => {
  const { answer, counted, sent } = await asked(' Ana@Example.com')
  assert.deepEqual(answer, {})
  assert.deepEqual(counted, ['203.0.113.7'])
  assert.deepEqual(sent, [{ kind: 'RESET_REQUEST', email: 'ana@example.com' }])
  await assert.rejects(asked('no email'), { code: 'invalid_request' })
  const spent = { spend: () => assert.fail('twenty were asked for') }
  await assert.rejects(asked('ana@example.com', { resets: spent }), /twenty were asked for/)
})
