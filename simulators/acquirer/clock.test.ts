// What is ahead of one account comes closer, and nothing else.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { closer, type Json } from '../kit/harness.ts'
import {
  clientsOf,
  startReceiver,
  startTestAcquirer,
  terms,
  type Receiver,
  type TestAccount,
  type TestAcquirer,
} from './harness.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'acquirer-clock-'))
const daySeconds = 86_400
/** Every second of the acquirer takes this long, so no task falls due by itself. */
const speed = 0.001

let acquirer: TestAcquirer
let shop: TestAccount
let other: TestAccount
before(async () => {
  acquirer = await startTestAcquirer({ dataDir, speed })
  shop = await acquirer.account()
  other = await acquirer.account()
})
after(async () => {
  await acquirer[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true })
})

/** The acquirer ends and starts again with its journal. */
async function restart(): Promise<void> {
  await acquirer.close()
  acquirer = await startTestAcquirer({ dataDir, speed })
  shop = clientsOf(acquirer.apiUrl, shop)
  other = clientsOf(acquirer.apiUrl, other)
}

const advance = (account: TestAccount, seconds: number, id?: string) =>
  acquirer.control('clock', closer(account.accountId, seconds, id))

/** An open session, an authorisation, and a disputed payment, whose money is pending. */
async function begin({ stripe }: TestAccount) {
  const create = (more = {}) => stripe.checkout.sessions.create(terms(more))
  const open = await create()
  const held = await create({ payment_intent_data: { capture_method: 'manual' } })
  const { paymentIntent: authorised } = await acquirer.control('pay', { session: held.id, card: 'success' })
  const paid = await create()
  const { paymentIntent } = await acquirer.control('pay', { session: paid.id, card: 'success' })
  const dispute = await acquirer.control('disputes', { paymentIntent })
  return { open: open.id, authorised: String(authorised), dispute: String(dispute['id']) }
}

type Started = Awaited<ReturnType<typeof begin>>

/** The dates that are ahead, as the API shows them. */
async function datesOf({ stripe }: TestAccount, started: Started) {
  const session = await stripe.checkout.sessions.retrieve(started.open)
  const dispute = await stripe.disputes.retrieve(started.dispute)
  const { data } = await stripe.charges.list({ expand: ['data.balance_transaction'] })
  const held = data.find(({ payment_intent: intent }) => intent === started.authorised)
  const paid = data.find(({ captured }) => captured)?.balance_transaction
  assert.ok(typeof paid === 'object' && paid !== null)
  return {
    expires: session.expires_at,
    captureBefore: Number(held?.payment_method_details?.card?.capture_before),
    dueBy: Number(dispute.evidence_details.due_by),
    availableOn: paid.available_on,
  }
}

test('every date that is ahead of an account moves back by the span, once for each id, and no other account’s', async () => {
  const [mine, theirs] = [await begin(shop), await begin(other)]
  const [before, untouched] = [await datesOf(shop, mine), await datesOf(other, theirs)]
  const moved = await advance(shop, 3_600, 'one')
  assert.deepEqual(moved['moved'], {
    tasks: 2,
    sessions: 1,
    intents: 0,
    authorisations: 1,
    disputes: 1,
    refunds: 0,
    pendingTransactions: 1,
  })
  const after = {
    expires: before.expires - 3_600,
    captureBefore: before.captureBefore - 3_600,
    dueBy: before.dueBy - 3_600,
    availableOn: before.availableOn - 3_600,
  }
  assert.deepEqual(await datesOf(shop, mine), after)
  assert.deepEqual(await advance(shop, 3_600, 'one'), moved)
  await restart()
  assert.deepEqual(await advance(shop, 3_600, 'one'), moved)
  assert.deepEqual(await datesOf(shop, mine), after)
  assert.deepEqual(await datesOf(other, theirs), untouched)
  await assert.rejects(advance(shop, 60, 'one'), /409 id_reused/)
})

test('many steps of parts of a second move the dates as far as one', async () => {
  const started = await begin(shop)
  const before = await datesOf(shop, started)
  for (const [step, seconds] of [0.4, 1.3, 0.9, 600.7, 0.7].entries())
    await advance(shop, seconds, `part ${step}`)
  const after = await datesOf(shop, started)
  for (const [name, seconds] of Object.entries(before)) {
    const moved = seconds - after[name as keyof typeof after]
    assert.ok(Math.abs(moved - 604) <= 1, `${name} moved by ${moved}`)
  }
})

test('what falls due runs, in the order of its due times: a session ends, an authorisation lapses, money is available', async () => {
  const account = await acquirer.account({ currencies: ['eur'] })
  const started = await begin(account)
  const typesNow = async () => {
    const { data } = await account.stripe.events.list({ limit: 100 })
    return data.map(({ type }) => type).reverse()
  }
  const before = (await typesNow()).length
  await advance(account, 8 * daySeconds)
  assert.deepEqual((await typesNow()).slice(before), [
    'checkout.session.expired',
    'charge.expired',
    'payment_intent.canceled',
  ])
  const onTime = await account.stripe.disputes.update(started.dispute, { evidence: { customer_name: 'Ana' } })
  assert.equal(onTime.evidence_details.past_due, false)
  const { pending } = await account.stripe.balance.retrieve()
  assert.equal(pending[0]?.amount, 0)
  // What is made later lives its whole life.
  const later = await account.stripe.checkout.sessions.create(terms())
  assert.equal(later.expires_at - later.created, daySeconds)
  await restart()
  const { sessions } = clientsOf(acquirer.apiUrl, account).stripe.checkout
  assert.equal((await sessions.retrieve(later.id)).status, 'open')
  assert.equal((await sessions.retrieve(started.open)).status, 'expired')
})

test('evidence after the end of its time is past due', async () => {
  const account = await acquirer.account()
  const { dispute } = await begin(account)
  await advance(account, 10 * daySeconds)
  const late = await account.stripe.disputes.update(dispute, { evidence: { customer_name: 'Ana' } })
  assert.equal(late.evidence_details.past_due, true)
})

test('a webhook that waits for its next attempt comes closer with its account', async () => {
  await using mine = await startReceiver()
  await using theirs = await startReceiver()
  const hear = async (account: TestAccount, { url, answers }: Receiver) => {
    answers.push(500)
    await acquirer.control(`accounts/${account.accountId}/webhook`, { url })
    const { id } = await account.stripe.checkout.sessions.create(terms())
    await account.stripe.checkout.sessions.expire(id)
  }
  const [first, second] = [await acquirer.account(), await acquirer.account()]
  await hear(first, mine)
  await hear(second, theirs)
  await eventually('both were refused', () => mine.answers.length + theirs.answers.length === 0)
  // The next attempt is scheduled when the refusal is booked, a moment after it was sent.
  await eventually('it comes again', async () => {
    await advance(first, 1_000)
    return mine.types().includes('checkout.session.expired')
  })
  assert.deepEqual(theirs.received, [])
})

test('an idempotency key is remembered for a day of the machine’s time', async () => {
  const create = (key: string) => shop.stripe.checkout.sessions.create(terms(), { idempotencyKey: key })
  const { id } = await create('yesterday')
  await advance(shop, 2 * daySeconds)
  assert.equal((await create('yesterday')).id, id)
  await acquirer.close()
  const journal = join(dataDir, 'journal.jsonl')
  const dayOlder = (_: string, at: string) => `"at":${Number(at) - daySeconds * 1000}}]`
  writeFileSync(journal, readFileSync(journal, 'utf8').replaceAll(/"at":(\d+)\}\]/g, dayOlder))
  await restart()
  assert.notEqual((await create('yesterday')).id, id)
})

test('the page brings what is ahead of an account closer, once for each press', async () => {
  const account = await acquirer.account({ name: 'Padaria' })
  const { expires_at: before, id } = await account.stripe.checkout.sessions.create(terms())
  const press = async () => {
    const live = await (await fetch(`${acquirer.apiUrl}/live`)).text()
    // The account that was made last comes first.
    const button = /"data-call":"\/_sim\/clock","data-body":"(\{.*?\})"/.exec(live)?.[1] ?? ''
    const body = JSON.parse(JSON.parse(`"${button}"`) as string) as Json
    assert.deepEqual([body['account'], body['advanceMs']], [account.accountId, 3_600_000])
    return body
  }
  const pressed = await press()
  for (let n = 0; n < 2; n++) await acquirer.control('clock', pressed)
  await acquirer.control('clock', await press())
  const { expires_at: after } = await account.stripe.checkout.sessions.retrieve(id)
  assert.equal(before - after, 2 * 3_600)
})

test('an invalid advance is refused, and moves nothing', async () => {
  const { accountId } = shop
  for (const body of [
    { account: accountId, id: 'x' },
    { account: accountId, advanceMs: 0, id: 'x' },
    { account: accountId, advanceMs: 1.5, id: 'x' },
    { account: accountId, advanceMs: 11 * 366 * daySeconds * 1000, id: 'x' },
    { account: accountId, advanceMs: 1 },
    { account: accountId, advanceMs: 1, id: '' },
  ])
    await assert.rejects(acquirer.control('clock', body), /400 invalid_request/)
  await assert.rejects(acquirer.control('clock', closer('acct_none', 1)), /404 not_found/)
})
