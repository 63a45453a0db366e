// What the page for integrators who know Stripe says of Vintem: its calls, statuses, events and codes are those of the contract.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { disputeStatuses } from '#/contract/disputes.ts'
import { eventTypes } from '#/contract/events.ts'
import { paymentStatuses } from '#/contract/payments.ts'
import { problemCodes } from '#/contract/problems.ts'
import { refundStatuses } from '#/contract/refunds.ts'
import { withdrawalStatuses } from '#/contract/withdrawals.ts'
import { root } from './page.ts'

const page = readFileSync(join(root, 'docs/stripe.md'), 'utf8')

type Contract = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}
const contract = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as Contract

test('every call that the page names is a call of the API', () => {
  const calls = [...page.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/v1\/[^`?\s]+)/g)]
  assert.ok(calls.length >= 12, `${calls.length} calls`)
  for (const [, method = '', path = ''] of calls)
    assert.ok(contract.paths[path]?.[method.toLowerCase()] !== undefined, `${method} ${path}`)
})

test('each table of statuses has every status of the record, and no other', () => {
  const statuses: Readonly<Record<string, readonly string[]>> = {
    payment: paymentStatuses,
    refund: refundStatuses,
    dispute: disputeStatuses,
    withdrawal: withdrawalStatuses,
  }
  for (const [record, expected] of Object.entries(statuses)) {
    const [, table = ''] = page.split(`\`status\` of a ${record} |`)
    const rows = table.split('\n\n')[0]?.split('\n').slice(2) ?? []
    const shown = rows.map((row) => row.split('|')[2]?.trim() ?? '')
    assert.deepEqual(shown.toSorted(), expected.toSorted(), record)
  }
})

test('every event and every code of an error that the page says to be ours exists', () => {
  const events = page.split("| Stripe's event | Vintem's |")[1]?.split('\n\n')[0]?.split('\n').slice(2) ?? []
  const ours = events.flatMap((row) =>
    [...(row.split('|')[2] ?? '').matchAll(/`([a-z_.]+)`/g)].map(([, name = '']) => name),
  )
  assert.ok(ours.length >= 14, `${ours.length} events`)
  for (const name of ours) assert.ok((eventTypes as readonly string[]).includes(name), name)
  // These are worth a row for who comes from Stripe, which has nothing like them.
  for (const name of ['payment.underpaid', 'payment.received_after_close', 'service.restored'])
    assert.ok(ours.includes(name), name)
  const codes = [...page.matchAll(/(?:[45]\d\d |: )`([a-z_]+)`/g)].map(([, code = '']) => code)
  assert.deepEqual(codes.toSorted(), ['idempotency_conflict', 'insufficient_funds'])
  for (const code of codes) assert.ok((problemCodes as readonly string[]).includes(code), code)
})
