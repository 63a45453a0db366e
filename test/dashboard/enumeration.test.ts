// Nobody learns from an answer whether an email has an account: status, fields and headers are the same, and the same hashes are computed.
import assert from 'node:assert/strict'
import { argon2Sync, randomBytes, type Argon2Parameters } from 'node:crypto'
import { test } from 'node:test'
import type { Letter } from '#/mail/letter.ts'
import { createUser, setDisabled } from '#/people/users.ts'
import type { Answer } from '../contract/world.ts'
import { openForTests } from '../open-for-tests.ts'
import { lowCost } from '../people-world.ts'
import { openDashboardWorld } from './world.ts'

const by = { actor: { kind: 'SYSTEM', id: 'test' } } as const
const goodPassword = 'correct horse battery staple'

/** The cost of each hash that was computed since the last look. */
const hashes: Omit<Argon2Parameters, 'message' | 'nonce'>[] = []
const letters: Letter[] = []

const world = openForTests(() =>
  openDashboardWorld({
    trustProxy: ['127.0.0.1'],
    post: async (letter) => void letters.push(letter),
    passwordCost: {
      ...lowCost,
      argon2id: async ({ message, nonce, ...cost }) => {
        hashes.push(cost)
        return argon2Sync('argon2id', { message, nonce, ...cost })
      },
    },
  }),
)

async function account(more: { readonly password?: string } = { password: goodPassword }) {
  const email = `${randomBytes(6).toString('hex')}@example.com`
  return createUser(world.people, by, { email, name: 'Person', ...more })
}

let addresses = 0
/** Asks without a session, from an address of its own. Returns what the caller learns, and the hashes that were computed for it. */
async function askAnonymously(path: string, body: unknown) {
  addresses += 1
  hashes.length = 0
  const from = { 'x-forwarded-for': `198.51.100.${addresses}` }
  const answer = await world.ask('POST', path, { body, headers: { ...world.ownPage, ...from } })
  return { visible: visibleOf(answer), hashes: hashes.splice(0) }
}

/** The answer without the id and the time of the request. */
function visibleOf({ status, headers, body }: Answer) {
  const { requestId: _, ...rest } = body
  const own = [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id')
  return { status, body: rest, headers: Object.fromEntries(own) }
}

test('a sign-in by password tells nothing of the account, and hashes once with the same cost', async () => {
  const [registered, disabled, bare] = [await account(), await account(), await account({})]
  await setDisabled(world.people, by, disabled.id, true)
  const wrong = 'a wrong password'
  const answers = []
  for (const [email, password] of [
    [`${randomBytes(6).toString('hex')}@example.com`, wrong],
    [registered.email, wrong],
    [disabled.email, goodPassword],
    [bare.email, wrong],
    ['no email at all', wrong],
  ] as const)
    answers.push(await askAnonymously('/api/session/password', { email, password }))
  assert.deepEqual([answers[0]?.visible.status, answers[0]?.visible.body['code']], [403, 'sign_in_refused'])
  assert.deepEqual(answers[0]?.hashes, [{ ...lowCost, tagLength: 32 }])
  for (const each of answers) assert.deepEqual(each, answers[0])
})

test('asking for a new password tells nothing of the account: one letter is handed over, which a worker looks up', async () => {
  const [registered, disabled] = [await account(), await account()]
  await setDisabled(world.people, by, disabled.id, true)
  const answers = []
  for (const email of ['nobody@example.com', registered.email, disabled.email]) {
    letters.length = 0
    answers.push(await askAnonymously('/api/session/reset', { email }))
    assert.deepEqual(letters, [{ kind: 'RESET_REQUEST', email }])
  }
  assert.equal(answers[0]?.visible.status, 202)
  assert.deepEqual(answers[0]?.hashes, [])
  for (const each of answers) assert.deepEqual(each, answers[0])
})

test('an invitation answers the same for an email with an account, and hashes nothing', async () => {
  const registered = await account()
  const { id } = await world.base.openTenant()
  const owner = await world.person([{ merchantId: id, role: 'OWNER' }])
  const answers = []
  for (const email of [`${randomBytes(6).toString('hex')}@example.com`, registered.email]) {
    hashes.length = 0
    letters.length = 0
    const answer = await owner.ask('POST', `/api/m/${id}/invitations`, { email, role: 'VIEWER' })
    assert.equal(answer.status, 201, answer.text)
    const { body, headers, ...rest } = visibleOf(answer)
    const { 'content-length': _, ...fixed } = headers
    const letter = Object.keys(letters[0] ?? {})
    answers.push({ ...rest, headers: fixed, fields: Object.keys(body), letter, hashes: hashes.splice(0) })
  }
  assert.deepEqual(answers[1], answers[0])
  assert.deepEqual(answers[0]?.hashes, [])
})

test('a link that is unknown tells nothing, whatever the request hopes to find', async () => {
  const token = () => randomBytes(32).toString('base64url')
  const password = goodPassword
  for (const path of ['/api/links/open', '/api/links/accept', '/api/session/link']) {
    const accepts = path.endsWith('accept') ? { name: 'Eve', password } : {}
    const answers = [
      await askAnonymously(path, { token: token(), ...accepts }),
      await askAnonymously(path, { token: token(), ...accepts }),
    ]
    assert.equal(answers[0]?.visible.status, 410, path)
    assert.deepEqual(answers[1], answers[0])
    assert.deepEqual(answers[0]?.hashes, [], path)
  }
})
