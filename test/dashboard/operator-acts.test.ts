// What operators do in the console: each act leaves its row in the audit log with the person as its actor, and nobody approves their own.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ConnectionId } from '#/kernel/id.ts'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { openConnectionBook } from '#/merchants/connections.ts'
import { storeIsInDirectory } from '#/operator/directory.ts'
import { auditOf, dataOf, newMerchant, ok, openOperators, refused, type Row } from './operator-world.ts'
import { shownBy } from './shown.ts'
import { type DashboardWorld, type Person } from './world.ts'

let dashboard: DashboardWorld
let ana: Person
before(async () => {
  ;({ dashboard, ana } = await openOperators({ shows: shownBy['operator-acts.test.ts'] }))
})
after(() => dashboard.close())

const byAna = () => ['USER', ana.userId] as const

test('a merchant is made, suspended, resumed, frozen and unfrozen, each with its row', async () => {
  const id = await newMerchant(ana)
  await ok(ana, 'POST', `merchants/${id}/suspend`, { reason: 'no answer' })
  const shown = await ok(ana, 'GET', `merchants/${id}`)
  assert.deepEqual([shown['isSuspended'], shown['isFrozen']], [true, false])
  await ok(ana, 'POST', `merchants/${id}/freeze`, { reason: 'a call' })
  const again = await ok(ana, 'POST', `merchants/${id}/freeze`, { reason: 'a call' })
  assert.equal(again['isNew'], false)
  assert.equal(dataOf(await ok(ana, 'GET', 'freezes')).length, 2)
  assert.deepEqual(await ok(ana, 'POST', `merchants/${id}/resume`, { reason: 'they called' }), {
    isStillFrozen: true,
  })
  await ok(ana, 'POST', `merchants/${id}/unfreeze`, { reason: 'over' })
  assert.deepEqual(await refused(ana, `merchants/${id}/unfreeze`, { reason: 'over' }), [409, 'invalid_state'])
  await ok(ana, 'POST', `merchants/${id}/rotate-webhook-secret`, {})
  assert.deepEqual(await auditOf(ana, `merchant:${id}`), [
    ['merchant.create', ...byAna(), null],
    ['merchant.suspend', ...byAna(), 'no answer'],
    ['money.freeze', ...byAna(), 'a call'],
    ['merchant.resume', ...byAna(), 'they called'],
    ['money.unfreeze', ...byAna(), 'over'],
    ['merchant.rotate-webhook-secret', ...byAna(), null],
  ])
})

test('money is frozen by one rail and at all, without a second factor, and let go with one', async () => {
  await dashboard.base.openTenant('LIVE')
  const plain = await dashboard.person([], { isOperator: true })
  await ok(plain, 'POST', 'freezes', { rail: 'PIX', reason: 'the bank is down' })
  await ok(plain, 'POST', 'freezes', { reason: 'a thief' })
  assert.deepEqual(await refused(plain, 'freezes/end', { reason: 'over' }), [403, 'second_factor_needed'])
  await ok(ana, 'POST', 'freezes/end', { rail: 'PIX', reason: 'it is up' })
  await ok(ana, 'POST', 'freezes/end', { reason: 'caught' })
  assert.equal((await auditOf(ana, 'rail:PIX')).length, 2)
  assert.equal((await auditOf(ana, 'cell:a1')).length, 2)
})

test('fees have a history by pages, and each change its row with before and after', async () => {
  const id = await newMerchant(ana)
  for (const fixed of [10, 20, 30])
    await ok(ana, 'PUT', `merchants/${id}/fees`, {
      method: 'PIX',
      currency: 'BRL',
      fixed,
      ratePpm: 15_000,
      reason: 'agreed',
    })
  const [now] = dataOf(await ok(ana, 'GET', `merchants/${id}/fees`))
  assert.deepEqual([now?.['fixed'], now?.['ratePpm']], [30, 15_000])
  const first = await ok(ana, 'GET', `merchants/${id}/fee-history?method=PIX&currency=BRL&limit=1`)
  assert.deepEqual(
    dataOf(first).map((row) => row['fixed']),
    [20],
  )
  const next = await ok(
    ana,
    'GET',
    `merchants/${id}/fee-history?method=PIX&currency=BRL&limit=1&cursor=${String(first['nextCursor'])}`,
  )
  assert.deepEqual(
    dataOf(next).map((row) => row['fixed']),
    [10],
  )
  assert.equal(next['nextCursor'], undefined)
  assert.equal((await auditOf(ana, `fee:${id}/PIX/BRL`)).length, 3)
})

test('who pays out of a new merchant is chosen where it is made', async () => {
  const approvals = [
    { type: 'PIX', above: 200_000 },
    { type: 'SEPA', above: 'none' },
  ]
  const made = await ok(ana, 'POST', 'merchants', { name: 'Chosen', mode: 'SANDBOX', approvals }, 201)
  const limits = dataOf(await ok(ana, 'GET', `merchants/${String(made['id'])}/limits`))
  assert.deepEqual(
    limits.map((each) => [each['type'], each['approvalAbove'], each['approvalChoice']]),
    [
      ['PIX', 200_000, 'AMOUNT'],
      ['SEPA', undefined, 'ONE_PERSON'],
    ],
  )
})

test('limits, destinations and the default wallet are set as the commands set them', async () => {
  const id = await newMerchant(ana)
  await ok(ana, 'PATCH', `merchants/${id}/limits`, { type: 'PIX', each: 1_000, approvalAbove: 0 })
  const changed = await ok(ana, 'PATCH', `merchants/${id}/limits`, {
    type: 'PIX',
    each: 'none',
    listedOnly: true,
  })
  assert.deepEqual(dataOf(changed), [
    {
      type: 'PIX',
      currency: 'BRL',
      approvalAbove: 0,
      approvalChoice: 'AMOUNT',
      listedOnly: true,
      spentToday: 0,
    },
  ])
  assert.equal((await auditOf(ana, `limit:${id}/PIX/BRL`)).length, 2)

  const wrong = { type: 'CRYPTO', destination: '0x12' }
  assert.deepEqual(await refused(ana, `merchants/${id}/destinations`, wrong), [400, 'invalid_request'])
  const mistyped = { ...wrong, destination: '0x8ba1f109551bD432803012645Ac136ddd64DBa72' }
  assert.deepEqual(await refused(ana, `merchants/${id}/destinations`, mistyped), [400, 'invalid_request'])
  const key = { type: 'PIX', keyType: 'EMAIL', destination: 'Ana@Example.com', reason: 'her own' }
  const added = await ok(ana, 'POST', `merchants/${id}/destinations`, key, 201)
  assert.equal(added['destination'], 'ana@example.com')
  assert.equal(dataOf(await ok(ana, 'GET', `merchants/${id}/destinations`)).length, 1)
  assert.deepEqual(dataOf(await ok(ana, 'GET', `merchants/${id}/limits`)), dataOf(changed))
  await ok(ana, 'POST', `merchants/${id}/destinations/remove`, key)
  assert.deepEqual(dataOf(await ok(ana, 'GET', `merchants/${id}/destinations`)), [])
  const subject = `destination:${id}/PIX/ana@example.com`
  assert.deepEqual(
    (await auditOf(ana, subject)).map(([action]) => action),
    ['withdrawal.destination-add', 'withdrawal.destination-remove'],
  )

  const [wallet] = dataOf(await ok(ana, 'GET', `merchants/${id}/wallets`))
  const made = await ok(ana, 'POST', `wallets/${String(wallet?.['id'])}/make-default`, {})
  assert.equal(made['isChanged'], false)
  const owner = await dashboard.person([{ merchantId: id, role: 'OWNER' }])
  const second = { currency: wallet?.['currency'], walletType: 'SPENDABLE', label: 'Second' }
  const opened = await owner.ask('POST', `/api/m/${id}/wallets`, second)
  const changedTo = await ok(ana, 'POST', `wallets/${String(opened.body['id'])}/make-default`, {})
  assert.equal(changedTo['isChanged'], true)
  assert.deepEqual(await refused(ana, `wallets/${newId()}/make-default`, {}), [404, 'not_found'])
})

test('merchants are searched by the first letters of their name and by id, and listed by pages', async () => {
  const mark = newId<'merchant'>().slice(-8)
  const ids = [
    await newMerchant(ana, `Zé ${mark} 1`),
    await newMerchant(ana, `zé ${mark} 2`),
    await newMerchant(ana, `ZÉ ${mark} 3`),
  ]
  const path = `merchants?search=${encodeURIComponent(`zÉ ${mark}`)}&limit=2`
  const first = await ok(ana, 'GET', path)
  const second = await ok(ana, 'GET', `${path}&cursor=${String(first['nextCursor'])}`)
  assert.deepEqual(
    [...dataOf(first), ...dataOf(second)].map((row) => row['id']),
    ids,
  )
  const [byId] = dataOf(await ok(ana, 'GET', `merchants?search=${ids[1]}`))
  assert.equal(byId?.['name'], `zé ${mark} 2`)
  const newest = await ok(ana, 'GET', 'merchants?limit=1')
  assert.equal(dataOf(newest)[0]?.['id'], ids[2])
  assert.ok(newest['nextCursor'])
})

test('an owner is invited by a link that is shown once, and becomes one', async () => {
  const id = await newMerchant(ana)
  const made = await ok(ana, 'POST', `merchants/${id}/invitations`, { email: 'dona@example.com' }, 201)
  const token = String(made['url']).split('#')[1]
  const accepted = await dashboard.ask('POST', '/api/links/accept', {
    body: { token, name: 'Dona', password: 'correct horse battery staple' },
    headers: dashboard.ownPage,
  })
  assert.ok(accepted.status < 300, accepted.text)
  const [dona] = dataOf(await ok(ana, 'GET', 'users?email=DONA@example.com'))
  const shown = await ok(ana, 'GET', `users/${String(dona?.['id'])}`)
  const memberships = shown['memberships'] as readonly Row[]
  assert.deepEqual(
    memberships.map((each) => [each['merchantId'], each['role']]),
    [[id, 'OWNER']],
  )
})

test('a process without the worker’s key adds and replaces a connection, which a worker can open; no answer has a secret', async () => {
  const forms = dataOf(await ok(ana, 'GET', 'connection-types'))
  assert.ok(forms.length >= 4)
  const form = forms.find((each) => each['name'] === 'pix-payout') ?? assert.fail('no form')
  assert.ok('clientId' in ((form['secrets'] as Row)['properties'] as Row))

  const secrets = { apiKey: 'a'.repeat(64), apiSecret: `s3cret${'b'.repeat(58)}` }
  const body = {
    type: 'partner-pay',
    mode: 'SANDBOX',
    provider: 'binance',
    settings: {},
    secrets,
    refundSecrets: secrets,
  }
  const added = await ana.ask('POST', '/api/operator/connections', body)
  assert.equal(added.status, 201, added.text)
  assert.doesNotMatch(added.text, /s3cret/)
  const id = String(added.body['id'])
  assert.match(
    String((added.body['callback'] as Row)['url']),
    /^https:\/\/(?:api|callbacks)\.example\/callbacks\//,
  )
  const renewed = {
    provider: 'binance',
    settings: {},
    secrets,
    refundSecrets: { ...secrets, apiSecret: `n3wer${'c'.repeat(59)}` },
  }
  await ok(ana, 'PUT', `connections/${id}`, { ...renewed, reason: 'renewed' })
  await ok(ana, 'PATCH', `connections/${id}`, { isActive: false })
  const off = await ok(ana, 'GET', `connections/${id}`)
  assert.ok(dataOf(await ok(ana, 'GET', 'connections')).some((each) => each['id'] === id))
  assert.deepEqual([off['isActive'], off['canRefund']], [false, true])

  const book = await openConnectionBook({
    sql: dashboard.base.sql,
    keys: dashboard.workerKeys,
    log: silentLog,
  })
  book.close()
  assert.match(String(book.find(id as ConnectionId)?.refundSecrets?.['apiSecret']), /^n3wer/)
  assert.deepEqual(await auditOf(ana, `connection:${id}`), [
    ['connection.add', ...byAna(), null],
    ['connection.replace', ...byAna(), 'renewed'],
    ['connection.disable', ...byAna(), null],
  ])
  const log = await ana.ask('GET', `/api/operator/audit?subject=connection:${id}`)
  assert.doesNotMatch(log.text, /s3cret|n3wer/)

  const job = await ok(ana, 'POST', `connections/${id}/test`, {}, 202)
  assert.deepEqual([job['kind'], job['status']], ['connection.test', 'QUEUED'])
  assert.equal((job['requestedBy'] as Row)['id'], ana.userId)
  const registration = await ok(ana, 'POST', `connections/${id}/register`, {}, 202)
  assert.equal(registration['kind'], 'connection.register')
})

test('in a cell of a directory the console makes nothing live, and sandboxes as before', async () => {
  const { sql } = dashboard.base
  const secrets = { apiKey: 'd'.repeat(64), apiSecret: 'e'.repeat(64) }
  const parts = { provider: 'binance', settings: {}, secrets }
  const connection = (mode: string) => ({ type: 'partner-pay', mode, ...parts })
  const merchant = (mode: string) => ({ name: 'Quitanda', mode, reason: 'a contract' })
  const live = await ana.ask('POST', '/api/operator/connections', connection('LIVE'))
  assert.equal(live.status, 201, live.text)
  await storeIsInDirectory(sql, true)
  const needed = [409, 'directory_needed']
  assert.deepEqual(await refused(ana, 'connections', connection('LIVE')), needed)
  assert.deepEqual(await refused(ana, 'merchants', merchant('LIVE')), needed)
  const replaced = await ana.ask('PUT', `/api/operator/connections/${String(live.body['id'])}`, parts)
  assert.deepEqual([replaced.status, replaced.body['code']], needed)
  await ok(ana, 'POST', 'connections', connection('SANDBOX'), 201)
  await ok(ana, 'POST', 'merchants', merchant('SANDBOX'), 201)
  await storeIsInDirectory(sql, false)
  await ok(ana, 'POST', 'merchants', merchant('LIVE'), 201)
})

test('a sub-account withdraws once the operator activates it', async () => {
  const { id: parentId } = await dashboard.base.openTenant()
  const owner = await dashboard.person([{ merchantId: parentId, role: 'OWNER' }])
  const made = await owner.ask('POST', `/api/m/${parentId}/sub-accounts`, { name: 'Bea' })
  assert.equal(made.status, 201, made.text)
  const id = String(made.body['id'])
  const activated = await ok(ana, 'POST', `merchants/${id}/activate`, { reason: 'papers seen' })
  assert.deepEqual(activated, { id, state: 'ACTIVE' })
  const closed = await ok(ana, 'POST', `merchants/${id}/close`, { reason: 'the seller left' })
  assert.deepEqual(closed, { id, state: 'CLOSED' })
})

test('a connection with faults is refused with all of them, at their fields, and nothing is stored', async () => {
  const body = { type: 'pix', mode: 'SANDBOX', provider: 'nobody', settings: { unheard: 1 }, secrets: {} }
  const answer = await ana.ask('POST', '/api/operator/connections', body)
  assert.equal(answer.status, 400, answer.text)
  const pointers = (answer.body['errors'] as readonly Row[]).map((each) => each['pointer'])
  assert.deepEqual(pointers, ['/provider', '/settings/unheard'])
  const both = { ...body, merchantId: newId(), provider: 'bacen' }
  assert.deepEqual(await refused(ana, 'connections', both), [400, 'invalid_request'])
})
