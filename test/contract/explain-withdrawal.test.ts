// Explanations of withdrawals over HTTP.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { newId } from '#/kernel/id.ts'
import { openForTests } from '../open-for-tests.ts'
import { done, openWorld, refused, type Row } from '../withdrawal-world.ts'
import type { Tenant } from './world.ts'

const office = openForTests(openWorld)

type Step = Row & { readonly cause: string; readonly text: string }

/** The causes of a text, with blanks between them. */
const each = (text: string): readonly string[] => text.split(' ')
const causesOf = ({ steps }: { readonly steps: readonly Step[] }) => steps.map(({ cause }) => cause)
const textOf = ({ steps }: { readonly steps: readonly Step[] }, cause: string) =>
  must(
    steps.find((step) => step.cause === cause),
    cause,
  ).text

const lifeOf = async (whose: Tenant, id: unknown) => {
  const { body } = await office.ask(whose, 'GET', '/v1/withdrawals/{id}/explain', { id: String(id) })
  return body as Row & { readonly steps: readonly Step[] }
}

test('a withdrawal that was held, approved, sent, paid, and returned', async () => {
  const owner = await office.funded()
  await office.limit(owner, { approvalAboveMinor: 100n })
  const { body } = await office.create(owner, { amount: 200 })
  const approver = await office.base.issue(owner.id, ['withdrawals:approve'])
  await office.act(approver, 'approve', body['id'])
  await office.work(done)
  const paid = await lifeOf(owner, body['id'])
  const life = [
    ...each('WITHDRAWAL_REQUESTED WITHDRAWAL_NEEDS_APPROVAL HELD_FOR_WITHDRAWAL'),
    'WITHDRAWAL_APPROVED',
    'WITHDRAWAL_SENT',
    ...each('PAYOUT_REPORTED WITHDRAWAL_DONE HELD_MONEY_LEFT'),
  ]
  assert.deepEqual(causesOf(paid), life)
  assert.deepEqual(
    [paid['kind'], paid['status'], paid['summary']],
    ['WITHDRAWAL', 'COMPLETED', 'The withdrawal of R$2.00 reached the recipient.'],
  )
  assert.equal(paid.steps[3]?.['keyId'], approver.id)
  assert.equal(paid.steps[5]?.['endToEndId'], 'E1')
})

test('a withdrawal that was returned after it was paid', async () => {
  const owner = await office.funded()
  const { body } = await office.create(owner, { amount: 200 })
  await office.work({ state: 'returned', returned: 150n, evidence: Buffer.from(`back ${newId()}`) })
  const found = await lifeOf(owner, body['id'])
  assert.deepEqual(causesOf(found).slice(-6), [
    ...each('PAYOUT_REPORTED PAYOUT_RETURN_REPORTED WITHDRAWAL_DONE WITHDRAWAL_RETURNED'),
    ...each('HELD_MONEY_LEFT WITHDRAWAL_MONEY_BACK'),
  ])
  assert.equal(textOf(found, 'WITHDRAWAL_RETURNED'), 'R$1.50 of the withdrawal of R$2.00 came back.')
})

test('withdrawals that a second person rejected, that was canceled, and that its provider refused', async () => {
  const owner = await office.funded()
  const requested = ['WITHDRAWAL_REQUESTED', 'HELD_FOR_WITHDRAWAL']
  const canceled = (await office.create(owner)).body['id']
  await office.act(owner, 'cancel', canceled)
  const [, ...afterIt] = causesOf(await lifeOf(owner, canceled))
  assert.deepEqual(afterIt, ['HELD_FOR_WITHDRAWAL', 'WITHDRAWAL_CANCELED', 'WITHDRAWAL_MONEY_BACK'])
  const turnedDown = (await office.create(owner)).body['id']
  await office.work(refused)
  const found = await lifeOf(owner, turnedDown)
  assert.deepEqual(causesOf(found), [
    ...requested,
    'WITHDRAWAL_SENT',
    ...each('PAYOUT_REFUSAL_REPORTED WITHDRAWAL_REFUSED WITHDRAWAL_MONEY_BACK'),
  ])
  assert.equal(textOf(found, 'WITHDRAWAL_REFUSED'), 'The withdrawal of R$1.00 failed: No.')
  await office.limit(owner, { approvalAboveMinor: 0n })
  const rejected = (await office.create(owner)).body['id']
  const approver = await office.base.issue(owner.id, ['withdrawals:approve'])
  await office.act(approver, 'reject', rejected)
  const last = await lifeOf(owner, rejected)
  assert.deepEqual(causesOf(last).slice(-2), ['WITHDRAWAL_REJECTED', 'WITHDRAWAL_MONEY_BACK'])
  assert.equal(last.steps.at(-2)?.['keyId'], approver.id)
})
