// Rehearsals against merchants' servers: a right one passes every case, and one with a single fault fails exactly its case.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { eventTypes } from '#/contract/events.ts'
import { caseNames, caseTexts, type CaseName } from '#/rehearsals/case-texts.ts'
import { openForTests } from '../open-for-tests.ts'
import { startReceiver } from '../receiver.ts'
import { openShop, type Shop, type ShopFault } from '../rehearsal-shop.ts'
import { all, casesOf, openRehearsalWorld, secret, statusesOf, type Row } from '../rehearsal-world.ts'
import { assertFits, at, document } from './document.ts'

const world = openForTests(openRehearsalWorld)

const rehearse = (shop: Pick<Shop, 'url' | 'stateUrl'>, more: Row = {}) => world.rehearse(shop, more)
const bodiesOf = ({ received }: Shop) => received.map(({ body }) => JSON.parse(body.toString('utf8')) as Row)

test('a right server passes every case', async () => {
  await using shop = await openShop(secret)
  const rehearsal = await rehearse(shop)
  assert.deepEqual(statusesOf(rehearsal), all('PASSED'), JSON.stringify(rehearsal, undefined, 1))
  const { passed, failed, notJudged, status } = rehearsal
  assert.deepEqual([status, passed, failed, notJudged], ['PASSED', caseNames.length, 0, 0])
  for (const each of casesOf(rehearsal)) {
    assert.ok((each['deliveries'] as readonly Row[]).length > 0)
    assert.equal(each['fix'], undefined)
  }
})

const faults: readonly (readonly [ShopFault, CaseName, RegExp])[] = [
  ['verifies parsed JSON', 'RAW_BODY', /answered 401/],
  ['reads the first signature alone', 'TWO_SIGNATURES', /answered 401/],
  ['accepts forged deliveries', 'FORGED_DELIVERY', /Signed by another secret: answered 204/],
  ['accepts old deliveries', 'OLD_DELIVERY', /Signed \d+ minutes ago: answered 204/],
  ['answers 500 to repeats', 'REPLAYED_DELIVERY', /again: answered 500\. A further attempt.*: answered 500/],
  ['refuses unknown types', 'NEW_TYPE', /answered 400/],
  ['refuses unknown fields', 'NEW_FIELD', /answered 400/],
  ['has room for three at once', 'MANY_AT_ONCE', /of 12 at once: no answer \(timeout after/],
  ['counts repeats', 'DUPLICATED_DELIVERY', /one after another: fulfilments 2; right is fulfilments 1/],
  ['lets the last event win', 'REORDERED_DELIVERIES', /status WAITING_PAYMENT, .*right is status PAID/],
  ['takes EXPIRED for the end', 'LATE_PAYMENT', /Expired, then paid: status EXPIRED/],
  ['keeps the first part alone', 'SPLIT_PAYMENT', /two parts: status WAITING_PAYMENT, amountReceived \d+/],
  ['fulfils at each PAID', 'PAID_TWICE', /fulfilments 2; right is fulfilments 1/],
  ['counts refunds that failed', 'REFUND_AND_DISPUTE', /Dispute lost, refund failed: amountRefunded [1-9]/],
]

describe('a server with one fault fails exactly its case', { concurrency: 5 }, () => {
  for (const [fault, name, observed] of faults)
    test(`${fault}: ${name}`, async () => {
      await using shop = await openShop(secret, fault)
      const rehearsal = await rehearse(shop)
      assert.deepEqual(statusesOf(rehearsal), all('PASSED', { [name]: 'FAILED' }))
      assert.deepEqual([rehearsal['status'], rehearsal['failed']], ['FAILED', 1])
      const failed = casesOf(rehearsal).find((each) => each['case'] === name)
      assert.match(String(failed?.['observed']), observed)
      assert.equal(failed?.['fix'], caseTexts[name].fix)
    })

  test('every case but the first has a server that fails it', () => {
    assert.deepEqual(faults.map(([, name]) => name).toSorted(), caseNames.slice(1).toSorted())
  })
})

test('a server that answers late, or refuses all, fails the first case, and the others are skipped', async () => {
  for (const [open, observed] of [
    [() => openShop(secret, 'answers late'), /no answer \(timeout after \d+ ms\)/],
    [() => openShop(randomBytes(24)), /answered 401/],
  ] as const) {
    await using shop = await open()
    const rehearsal = await rehearse(shop)
    assert.deepEqual(statusesOf(rehearsal), all('SKIPPED', { GOOD_DELIVERY: 'FAILED' }))
    assert.equal(rehearsal['status'], 'FAILED')
    assert.match(String(casesOf(rehearsal)[0]?.['observed']), observed)
    assert.equal(shop.received.length, 1)
  }
})

test('without a stateUrl the cases about effects are not judged, and say why', async () => {
  await using shop = await openShop(secret, 'counts repeats')
  const rehearsal = await rehearse(shop, { stateUrl: null })
  const unseen = caseNames.slice(caseNames.indexOf('DUPLICATED_DELIVERY'))
  const expected = all('PASSED', Object.fromEntries(unseen.map((name) => [name, 'NOT_JUDGED'])))
  assert.deepEqual(statusesOf(rehearsal), expected)
  assert.deepEqual([rehearsal['status'], rehearsal['notJudged']], ['INCOMPLETE', unseen.length])
  for (const each of casesOf(rehearsal).slice(-unseen.length))
    assert.match(String(each['observed']), /stateUrl/)
})

test('what stateUrl does not answer is not judged, and a payment that it does not know is a fault', async () => {
  await using shop = await openShop(secret)
  const answers = [
    [{ status: 503 }, 'NOT_JUDGED', /answered 503/],
    [{ body: 'fine' }, 'NOT_JUDGED', /no JSON object/],
    [{ body: '{"status":"PAID","fulfilments":null}' }, 'NOT_JUDGED', /does not have .*fulfilments/],
    [{ status: 302, headers: { location: shop.stateUrl } }, 'NOT_JUDGED', /answered 302/],
    [{ status: 404 }, 'FAILED', /does not know the payment/],
    [{ body: '{"fulfilments":"1"}' }, 'FAILED', /fulfilments "1"; right is fulfilments 1/],
    [{ body: '{"status":"EXPIRED"}' }, 'FAILED', /status EXPIRED; right is status PAID/],
  ] as const
  for (const [reply, status, observed] of answers) {
    await using state = await startReceiver(() => reply)
    const rehearsal = await rehearse(shop, { stateUrl: state.origin, cases: ['PAID_TWICE'] })
    const [only] = casesOf(rehearsal)
    assert.deepEqual(
      [only?.['status'], rehearsal['status']],
      [status, status === 'FAILED' ? 'FAILED' : 'INCOMPLETE'],
    )
    assert.match(String(only?.['observed']), observed)
  }
})

/** A body without what is new in each rehearsal. */
function plain(body: unknown): string {
  return JSON.stringify(body)
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '#')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '@')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'host')
}

test('the same seed plays the same script, whole or case by case; another seed another one', async () => {
  const scriptOf = async (more: Row) => {
    await using shop = await openShop(secret)
    const rehearsal = await rehearse(shop, more)
    assert.equal(rehearsal['seed'], more['seed'])
    // Deliveries that are sent at once arrive in any order.
    const what = casesOf(rehearsal).map((each) =>
      (each['deliveries'] as readonly Row[]).map((one) => `${String(one['what'])} ${String(one['type'])}`),
    )
    return {
      what,
      bodies: bodiesOf(shop).map(plain).toSorted(),
      ids: bodiesOf(shop).map((body) => body['id']),
    }
  }
  const [one, again, other] = await Promise.all([7, 7, 8].map((seed) => scriptOf({ seed })))
  assert.ok(one !== undefined && again !== undefined && other !== undefined)
  assert.deepEqual([one.what, one.bodies], [again.what, again.bodies])
  assert.notDeepEqual(one.bodies, other.bodies)
  assert.deepEqual(
    one.ids.filter((id) => again.ids.includes(id)),
    [],
  )
  const alone = await scriptOf({ seed: 7, cases: ['REFUND_AND_DISPUTE'] })
  assert.deepEqual(alone.what, one.what.slice(-1))
  for (const body of alone.bodies) assert.ok(one.bodies.includes(body))
})

test('the events are real shapes, marked, and leave nothing in the events or the books', async () => {
  await using shop = await openShop(secret)
  const tenant = await world.base.openTenant()
  const started = await world.ask(tenant, 'POST', '', { url: shop.url })
  const { id } = await world.ended(tenant, started)
  const fields = (type: string) =>
    Object.keys(at(document, 'components', 'schemas', type, 'properties') as object)
  const shapes = { payment: fields('Payment'), refund: fields('Refund'), dispute: fields('Dispute') }
  let checked = 0
  for (const { headers, body: bytes } of shop.received) {
    assert.equal(headers['vintem-rehearsal'], id)
    const body = JSON.parse(bytes.toString('utf8')) as Row
    assert.equal(body['mode'], 'SANDBOX')
    const type = String(body['type'])
    if (!eventTypes.some((each) => each === type)) continue
    const content = at(document, 'webhooks', type, 'post', 'requestBody', 'content', 'application/json')
    assertFits(at(content, 'schema'), body, type)
    const data = body['data'] as Row
    const family = type.split('.')[0] as keyof typeof shapes
    if (family !== 'dispute') assert.equal(at(data, 'metadata', 'rehearsal'), id)
    if ('newField' in data) continue
    assert.deepEqual(
      Object.keys(data).filter((name) => !shapes[family].includes(name)),
      [],
    )
    checked += 1
  }
  assert.ok(checked > 40, `${checked} events`)
  const { body: events } = await world.api.ask('GET', '/v1/events?after=0', { key: tenant.key })
  assert.deepEqual(events['data'], [])
  const { body: payments } = await world.api.ask('GET', '/v1/payments', { key: tenant.key })
  assert.deepEqual(payments['data'], [])
})

test('the documents that the cases name have these sections', () => {
  for (const { docs } of Object.values(caseTexts)) {
    const [file = '', anchor = ''] = docs.split('#')
    assert.ok(existsSync(file), file)
    const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
      text
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    )
    assert.ok(headings.includes(anchor), docs)
  }
})
