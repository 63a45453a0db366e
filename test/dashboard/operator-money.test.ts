// What operators do about money, queues, people and chains in the console: each act leaves its row in the audit log with the person as its actor, and nobody approves their own.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { haltText } from '#/coins/halt-reasons.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { openCallWatch } from '#/merchants/connection-health.ts'
import { readBenchFigure, writeBenchFigure } from '#/operator/bench-figure.ts'
import { insertProposal } from '#/operator/proposal-queries.ts'
import { insertSignals } from '#/settlement/inbox-queries.ts'
import {
  auditOf,
  dataOf,
  newMerchant,
  newStray,
  ok,
  openOperators,
  refused,
  type Row,
} from './operator-world.ts'
import { shownBy } from './shown.ts'
import { type DashboardWorld, type Person } from './world.ts'

let folder: string
let dashboard: DashboardWorld
let ana: Person
let bea: Person
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vintem-console-'))
  ;({ dashboard, ana, bea } = await openOperators({
    benchFigure: () => readBenchFigure(folder),
    shows: shownBy['operator-money.test.ts'],
  }))
})
after(async () => {
  await dashboard.close()
  await rm(folder, { recursive: true, force: true })
})

const byAna = () => ['USER', ana.userId] as const

test('jobs are requested, listed and canceled; those that move coins need a second factor', async () => {
  const plain = await dashboard.person([], { isOperator: true })
  const job = await ok(plain, 'POST', 'jobs', { kind: 'verify', reason: 'the month ends' }, 202)
  await dashboard.base.openTenant('LIVE')
  assert.deepEqual(await refused(plain, 'jobs', { kind: 'sweep' }), [403, 'second_factor_needed'])
  assert.deepEqual(await refused(ana, 'jobs', { kind: 'rescue', arguments: {} }), [400, 'invalid_request'])
  const mistyped = {
    chain: 'sandbox',
    address: '0x8ba1f109551bD432803012645Ac136ddd64DBa72',
    token: 'native',
  }
  assert.deepEqual(await refused(ana, 'jobs', { kind: 'rescue', arguments: mistyped }), [
    400,
    'invalid_request',
  ])
  const ended = await ok(plain, 'POST', `jobs/${String(job['id'])}/cancel`, {})
  assert.equal(ended['status'], 'CANCELED')
  const [listed] = dataOf(await ok(plain, 'GET', 'jobs?kind=verify'))
  assert.equal(listed?.['id'], job['id'])
  assert.deepEqual(await auditOf(ana, `operator-job:${String(job['id'])}`), [
    ['job.request', 'USER', plain.userId, 'the month ends'],
    ['job.cancel', 'USER', plain.userId, null],
  ])
})

test('jobs, money in suspense and merchants are listed by what a filter names, and by nothing else', async () => {
  const ids = async (path: string) => dataOf(await ok(ana, 'GET', path)).map(({ id }) => id)
  const job = await ok(ana, 'POST', 'jobs', { kind: 'balances', reason: 'asked' }, 202)
  assert.ok((await ids('jobs?kind=balances&status=QUEUED')).includes(job['id']))
  assert.deepEqual(await ids('jobs?kind=balances&status=CANCELED'), [])
  await ok(ana, 'POST', `jobs/${String(job['id'])}/cancel`, {})
  assert.ok((await ids('jobs?status=CANCELED')).includes(job['id']))
  assert.ok(!(await ids('jobs?status=QUEUED')).includes(job['id']))

  const stray = await newStray(dashboard, 700n)
  assert.ok((await ids('suspense?connection=a1-test&currency=USDT')).includes(stray))
  assert.ok((await ids('suspense?all=1&currency=USDT')).includes(stray))
  for (const other of ['connection=of-nobody', 'currency=BRL', 'all=1&connection=a1-test&currency=EUR'])
    assert.ok(!(await ids(`suspense?${other}`)).includes(stray), other)

  const merchantId = await newMerchant(ana)
  const states = async () => {
    const lists = ['active', 'frozen', 'suspended', 'archived'].map(async (state) => {
      const found = await ids(`merchants?state=${state}&search=${merchantId}`)
      return found.length === 0 ? [] : [state]
    })
    return (await Promise.all(lists)).flat()
  }
  assert.deepEqual(await states(), ['active'])
  await ok(ana, 'POST', `merchants/${merchantId}/freeze`, { reason: 'looked at' })
  assert.deepEqual(await states(), ['frozen'])
  await ok(ana, 'POST', `merchants/${merchantId}/suspend`, { reason: 'looked at' })
  assert.deepEqual(await states(), ['suspended'])
  for (const end of ['resume', 'unfreeze'])
    await ok(ana, 'POST', `merchants/${merchantId}/${end}`, { reason: 'seen' })
  assert.deepEqual(await states(), ['active'])
  await dashboard.base.sql`
    insert into sandbox (merchant_id, name, archived_at) values (${merchantId}, 'gone', clock_timestamp())`
  assert.deepEqual(await states(), ['archived'])
  const { mode } = dataOf(await ok(ana, 'GET', `merchants?search=${merchantId}`))[0] ?? {}
  assert.deepEqual(await ids(`merchants?search=${merchantId}&mode=${String(mode)}`), [merchantId])
  const other = mode === 'LIVE' ? 'SANDBOX' : 'LIVE'
  assert.deepEqual(await ids(`merchants?search=${merchantId}&mode=${other}`), [])
  assert.ok(!(await ids(`merchants?mode=${other}`)).includes(merchantId))
})

test('a small sum in suspense is credited by one person, with a reason', async () => {
  const [id, merchantId] = [await newStray(dashboard, 500n), await newMerchant(ana)]
  assert.deepEqual(await refused(ana, `suspense/${id}/resolve`, { resolution: 'CREDITED', reason: 'x' }), [
    400,
    'invalid_request',
  ])
  const body = { resolution: 'CREDITED', merchantId, reason: 'the payer sent a receipt' }
  const { unmatched } = await ok(ana, 'POST', `suspense/${id}/resolve`, body)
  assert.equal((unmatched as Row)['resolution'], 'CREDITED')
  assert.deepEqual(await refused(ana, `suspense/${id}/resolve`, body), [409, 'invalid_state'])
  assert.deepEqual(await auditOf(ana, `unmatched:${id}`), [
    ['suspense.credit', ...byAna(), 'the payer sent a receipt'],
  ])
})

test('a large sum needs another person: nobody approves their own, and both are in the log', async () => {
  const [id, merchantId] = [await newStray(dashboard, 100_001n), await newMerchant(ana)]
  const body = { resolution: 'CREDITED', merchantId, reason: 'the contract names it' }
  const { proposal, unmatched } = await ok(ana, 'POST', `suspense/${id}/resolve`, body)
  assert.equal(unmatched, undefined)
  const path = `approvals/${String((proposal as Row)['id'])}`
  assert.deepEqual(await refused(bea, `suspense/${id}/resolve`, body), [409, 'invalid_state'])
  assert.deepEqual(await refused(ana, `${path}/approve`, {}), [403, 'forbidden'])
  const waiting = dataOf(await ok(ana, 'GET', 'approvals'))
  assert.deepEqual(
    waiting.map((each) => [each['subject'], each['isOwn']]),
    [[`unmatched:${id}`, true]],
  )
  const approved = await ok(bea, 'POST', `${path}/approve`, {})
  assert.equal((approved['unmatched'] as Row)['resolution'], 'CREDITED')
  assert.deepEqual(await refused(bea, `${path}/approve`, {}), [409, 'invalid_state'])
  assert.deepEqual(await auditOf(ana, `unmatched:${id}`), [
    ['suspense.propose', ...byAna(), 'the contract names it'],
    ['suspense.credit', 'USER', bea.userId, 'the contract names it'],
  ])
})

test('a request is taken back or refused, and then another one is possible', async () => {
  const id = await newStray(dashboard, 200_000n)
  const body = { resolution: 'RETURNED', reason: 'it went back' }
  const first = (await ok(ana, 'POST', `suspense/${id}/resolve`, body))['proposal'] as Row
  await ok(ana, 'POST', `approvals/${String(first['id'])}/refuse`, { reason: 'not yet' }, 204)
  const second = (await ok(bea, 'POST', `suspense/${id}/resolve`, body))['proposal'] as Row
  const approved = await ok(ana, 'POST', `approvals/${String(second['id'])}/approve`, {})
  assert.equal((approved['unmatched'] as Row)['resolution'], 'RETURNED')
})

test('what was requested at the command line is not approved here: the same person has another name there', async () => {
  const stray = await newStray(dashboard, 300_000n)
  const id = newId<'operator-proposal'>()
  await dashboard.base.sql.begin((tx) =>
    insertProposal(tx, {
      id,
      kind: 'suspense.return',
      subject: `unmatched:${stray}`,
      arguments: { id: stray },
      reason: 'it went back',
      byKind: 'OPERATOR',
      byId: 'ana@office',
      byName: 'ana@office',
    }),
  )
  assert.deepEqual(await refused(ana, `approvals/${id}/approve`, {}), [409, 'invalid_state'])
  await ok(ana, 'POST', `approvals/${id}/refuse`, { reason: 'do it there' }, 204)
})

test('suspense is listed by pages, oldest first', async () => {
  const ids = [await newStray(dashboard, 1n), await newStray(dashboard, 2n), await newStray(dashboard, 3n)]
  const listed: unknown[] = []
  let cursor = ''
  for (;;) {
    const page = await ok(ana, 'GET', `suspense?limit=2${cursor}`)
    listed.push(...dataOf(page).map((row) => row['id']))
    if (page['nextCursor'] === undefined) break
    cursor = `&cursor=${page['nextCursor'] as string}`
  }
  assert.deepEqual(listed.slice(-3), ids)
})

test('a parked signal is tried again, and another is dropped with its reason', async () => {
  const { sql } = dashboard.base
  for (const body of ['one', 'two'])
    await insertSignals(
      sql,
      [{ method: 'PIX', connection: 'a1-test' as ConnectionId, body: Buffer.from(body) }],
      new Date(),
    )
  await sql`update inbox set parked = true, tries = 5, last_error = 'no such attempt'`
  const first = await ok(ana, 'GET', 'inbox?limit=1')
  const [one] = dataOf(first)
  assert.equal(one?.['body'], 'one')
  const [two] = dataOf(await ok(ana, 'GET', `inbox?limit=1&cursor=${String(first['nextCursor'])}`))
  const parked = dataOf(await ok(ana, 'GET', 'queues')).find((each) => each['name'] === 'parked')
  assert.deepEqual([parked?.['depth'], parked?.['failing'], parked?.['isMore']], [2, 2, false])
  const items = dataOf(await ok(ana, 'GET', 'queues/parked'))
  assert.deepEqual(
    items.map((each) => [each['id'], each['error']]),
    [
      [one?.['id'], 'no such attempt'],
      [two?.['id'], 'no such attempt'],
    ],
  )
  await ok(ana, 'POST', `inbox/${String(one?.['id'])}/retry`, { reason: 'the attempt is there now' }, 204)
  const dropped = await ok(ana, 'POST', `inbox/${String(two?.['id'])}/drop`, { reason: 'noise' })
  assert.equal(dropped['body'], 'two')
  assert.deepEqual(await auditOf(ana, `signal:${String(two?.['id'])}`), [['inbox.drop', ...byAna(), 'noise']])
  assert.deepEqual(await auditOf(ana, `signal:${String(one?.['id'])}`), [
    ['inbox.retry', ...byAna(), 'the attempt is there now'],
  ])
})

test('a user is disabled, enabled, freed of factors and given a link; not by themselves', async () => {
  const person = await dashboard.person([])
  await dashboard.enrol(person)
  const path = `users/${person.userId}`
  await ok(ana, 'POST', `${path}/disable`, { reason: 'left' }, 204)
  assert.equal((await person.ask('GET', '/api/session')).status, 401)
  await ok(ana, 'POST', `${path}/enable`, {}, 204)
  await ok(ana, 'POST', `${path}/remove-factors`, { reason: 'a lost phone' }, 204)
  const shown = await ok(ana, 'GET', path)
  assert.deepEqual([shown['factors'], shown['isOperator']], [{ passkeys: 0, hasTotp: false }, false])
  const link = await ok(ana, 'POST', `${path}/reset-link`, {}, 201)
  assert.match(String(link['url']), /\/open#/)
  assert.deepEqual(await refused(ana, `users/${ana.userId}/disable`, {}), [403, 'forbidden'])
  const acts = (await auditOf(ana, `user:${person.userId}`)).filter(([, , actor]) => actor === ana.userId)
  assert.deepEqual(
    acts.map(([action, , , reason]) => [action, reason]),
    [
      ['user.disable', 'left'],
      ['user.enable', null],
      ['user.remove-factors', 'a lost phone'],
      ['link.create-reset', null],
    ],
  )
})

test('no operator gets another one a password or takes their factors: as both they would be two people', async () => {
  const path = `users/${bea.userId}`
  const links = () => dashboard.base.sql`select id from one_time_link where user_id = ${bea.userId}`
  const before = (await links()).length
  assert.deepEqual(await refused(ana, `${path}/reset-link`, { reason: 'lost' }), [403, 'forbidden'])
  assert.deepEqual(await refused(ana, `${path}/remove-factors`, { reason: 'lost' }), [403, 'forbidden'])
  assert.equal((await links()).length, before)
  const { factors, isColleague } = await ok(ana, 'GET', path)
  assert.deepEqual([factors, isColleague], [{ passkeys: 0, hasTotp: true }, true])
  assert.equal((await ok(ana, 'GET', `users/${ana.userId}`))['isColleague'], false)
  // Their own password is another matter.
  await ok(ana, 'POST', `users/${ana.userId}/reset-link`, {}, 201)
})

test('a halted chain is lifted by who repeats why it is halted', async () => {
  const { sql } = dashboard.base
  const halted = haltText('finality_changed', { block: 7n, was: '0xaa', now: '0xbb' })
  await sql`
    insert into chain (key, chain_id, treasury, factory, token, halted)
    values ('test', 7, ${Buffer.alloc(20, 1)}, ${Buffer.alloc(20, 2)}, ${Buffer.alloc(20, 3)}, ${halted})`
  await sql`
    insert into chain_token (chain, symbol, address, decimals) values ('test', 'USDT', ${Buffer.alloc(20, 3)}, 18)`
  const [chain] = dataOf(await ok(ana, 'GET', 'chains'))
  assert.deepEqual([chain?.['halted'], chain?.['whatToDo']], [halted, 'compare_and_lift'])
  // Pages have a sentence of their own for the key.
  assert.deepEqual(chain?.['halt'], {
    key: 'finality_changed',
    values: { block: '7', was: '0xaa', now: '0xbb' },
  })
  assert.deepEqual(await refused(ana, 'chains/test/lift', { halted: 'something' }), [409, 'invalid_state'])
  await ok(ana, 'POST', 'chains/test/lift', { halted, reason: 'a fault of the node' }, 204)
  assert.deepEqual(await auditOf(ana, 'chain:test'), [['chain.lift', ...byAna(), 'a fault of the node']])
})

test('how a provider answered is read by hour, with its last failure', async () => {
  const id = 'a1-test' as ConnectionId
  assert.deepEqual(await ok(ana, 'GET', `connections/${id}/health`), { hours: [] })
  const watch = openCallWatch({ sql: dashboard.base.sql, log: silentLog })
  const count = watch.of(id)
  for (const call of [{ ms: 10 }, { ms: 30, fault: 'HTTP 503' }, { ms: 20 }]) count(call)
  await watch.close()
  await dashboard.base.sql`
    insert into connection_health (connection, hour, calls, errors, total_ms, longest_ms)
    values (${id}, '2026-01-01T10:00:00Z', 4, 0, 10, 5)`
  const shown = await ok(ana, 'GET', `connections/${id}/health`)
  const [hour, earlier, ...rest] = shown['hours'] as readonly Row[]
  assert.deepEqual(
    [{ ...hour, hour: '' }, rest],
    [{ hour: '', calls: 3, errors: 1, meanMs: 20, longestMs: 30 }, []],
  )
  assert.deepEqual(earlier, {
    hour: '2026-01-01T10:00:00.000Z',
    calls: 4,
    errors: 0,
    meanMs: 2,
    longestMs: 5,
  })
  assert.equal(shown['lastError'], 'HTTP 503')
  for (const name of ['lastGoodAt', 'lastBadAt']) assert.equal(typeof shown[name], 'string', name)
  const plain = await dashboard.person([])
  assert.equal((await plain.ask('GET', `/api/operator/connections/${id}/health`)).status, 404)
})

test('load, wallets, gas and what hangs are read', async () => {
  const load = await ok(ana, 'GET', 'capacity')
  const books = load['books'] as readonly Row[]
  assert.deepEqual(
    books.map((each) => each['minutes']),
    [1, 15, 60],
  )
  assert.ok(Number(books[2]?.['transfers']) > 0)
  assert.equal(load['measured'], undefined, 'nobody measured this machine')
  const at = new Date('2026-11-02T03:04:05.000Z')
  await writeBenchFigure(folder, { at, paymentsPerSecond: 1_234.5 })
  const { measured } = await ok(ana, 'GET', 'capacity')
  assert.deepEqual(measured, { at: at.toISOString(), paymentsPerSecond: 1_234.5 })
  for (const path of [
    'hot-wallets',
    'gas',
    'hanging-transactions',
    'sweeps?chain=test',
    'found-coins?chain=test',
  ])
    assert.deepEqual(dataOf(await ok(ana, 'GET', path)), [], path)
  for (const wanted of ['review', 'approval', 'pending', 'processing', 'all'])
    assert.deepEqual(dataOf(await ok(ana, 'GET', `withdrawals?wanted=${wanted}`)), [], wanted)
  assert.deepEqual(dataOf(await ok(ana, 'GET', 'refunds')), [])
})

test('one method or all money is frozen at once, by whom and why is listed, and lifting needs a second factor', async () => {
  const plain = await dashboard.person([], { isOperator: true })
  const rail = { rail: 'PIX', reason: 'the bank is under attack' }
  assert.deepEqual(await ok(plain, 'POST', 'freezes', rail), { isNew: true, isEffective: true })
  assert.deepEqual(await ok(ana, 'POST', 'freezes', { ...rail, reason: 'again' }), {
    isNew: false,
    isEffective: true,
  })
  await ok(ana, 'POST', 'freezes', { reason: 'all of it' })
  const [one, all] = dataOf(await ok(bea, 'GET', 'freezes'))
  assert.deepEqual(
    [one, all].map((row) => [row?.['rail'], row?.['kind'], row?.['reason'], row?.['decidedBy']]),
    [
      ['PIX', 'FREEZE', 'the bank is under attack', plain.email],
      [undefined, 'FREEZE', 'all of it', ana.email],
    ],
  )
  const end = { rail: 'PIX', reason: 'the bank says that it is over' }
  await dashboard.enrol(plain)
  await dashboard.base.sql`
    update user_session set second_factor_at = second_factor_at - interval '6 minutes' where user_id = ${plain.userId}`
  assert.deepEqual(await refused(plain, 'freezes/end', end), [403, 'second_factor_needed'])
  assert.deepEqual(await ok(ana, 'POST', 'freezes/end', end), { isStillFrozen: true })
  assert.deepEqual(await refused(ana, 'freezes/end', end), [409, 'invalid_state'])
  assert.deepEqual(await ok(ana, 'POST', 'freezes/end', { reason: 'over' }), { isStillFrozen: false })
  assert.deepEqual(dataOf(await ok(ana, 'GET', 'freezes')), [])
  assert.deepEqual(await auditOf(ana, 'rail:PIX'), [
    ['money.freeze', 'USER', plain.userId, 'the bank is under attack'],
    ['money.unfreeze', ...byAna(), 'the bank says that it is over'],
  ])
  assert.deepEqual(await auditOf(ana, 'cell:a1'), [
    ['money.freeze', ...byAna(), 'all of it'],
    ['money.unfreeze', ...byAna(), 'over'],
  ])
})

test('a merchant is suspended and frozen, and each is ended by itself', async () => {
  const id = await newMerchant(ana)
  const reason = 'its owner was robbed'
  for (const word of ['suspend', 'freeze']) {
    const { isNew } = await ok(ana, 'POST', `merchants/${id}/${word}`, { reason })
    assert.equal(isNew, true, word)
  }
  const shown = await ok(ana, 'GET', `merchants/${id}`)
  const freezes = shown['freezes'] as readonly Row[]
  assert.deepEqual(
    freezes.map((each) => [each['kind'], each['reason'], each['decidedBy']]),
    [
      ['FREEZE', reason, ana.email],
      ['SUSPENSION', reason, ana.email],
    ],
  )
  const end = { reason: 'the thief has no key' }
  assert.deepEqual(await ok(bea, 'POST', `merchants/${id}/unfreeze`, end), { isStillFrozen: true })
  assert.deepEqual(await ok(bea, 'POST', `merchants/${id}/resume`, end), { isStillFrozen: false })
  assert.deepEqual(await refused(bea, `merchants/${id}/resume`, end), [409, 'invalid_state'])
  const acts = (await auditOf(ana, `merchant:${id}`)).map(([action]) => action)
  assert.deepEqual(acts.slice(-4), ['merchant.suspend', 'money.freeze', 'money.unfreeze', 'merchant.resume'])
})
