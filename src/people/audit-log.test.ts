// The audit log: entries are stored whole and never change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '#/db/client.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { testDatabase } from '../../test/postgres.ts'
import type { AuditEntry } from './audit-entry.ts'
import { writeAudit } from './audit-log.ts'

const database = openForTests(testDatabase)
const app = openForTests(() => connect(database.appUrl, { max: 2 }))
const owner = openForTests(() => connect(database.ownerUrl, { max: 2 }))

const entry: AuditEntry = {
  actor: { kind: 'OPERATOR', id: 'ana@office' },
  action: 'fee.set',
  subject: 'fee:PIX/BRL',
  before: { fixed: 0 },
  after: { fixed: 50, note: 'it’s "quoted", {braced} and \\escaped' },
  reason: 'contract of 2026-11-01',
}

test('an entry is stored whole, with the time of the database', async () => {
  await writeAudit(app, [entry, { actor: { kind: 'SYSTEM', id: 'expiry' }, action: 'a.b', subject: 'c:d' }])
  const rows = await app<Readonly<Record<string, unknown>>[]>`
    select actor_kind, actor_id, action, subject, merchant_id, before, after, reason,
           abs(extract(epoch from clock_timestamp() - at)) < 60 as is_now
      from audit_log order by action desc`
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [
      {
        actor_kind: 'OPERATOR',
        actor_id: 'ana@office',
        action: 'fee.set',
        subject: 'fee:PIX/BRL',
        merchant_id: null,
        before: entry.before,
        after: entry.after,
        reason: entry.reason,
        is_now: true,
      },
      {
        actor_kind: 'SYSTEM',
        actor_id: 'expiry',
        action: 'a.b',
        subject: 'c:d',
        merchant_id: null,
        before: null,
        after: null,
        reason: null,
        is_now: true,
      },
    ],
  )
})

test('neither the application nor the owner can change or delete an entry', async () => {
  await writeAudit(app, [entry])
  await assert.rejects(app`update audit_log set reason = 'another'`, { code: '42501' })
  await assert.rejects(app`delete from audit_log`, { code: '42501' })
  await assert.rejects(owner`update audit_log set reason = 'another'`, { code: '23001' })
  await assert.rejects(owner`delete from audit_log`, { code: '23001' })
})

test('an entry is rolled back together with its change', async () => {
  const subject = 'fee:rolled/back'
  const failed = app.begin(async (tx) => {
    await writeAudit(tx, [{ ...entry, subject }])
    throw new Error('the change failed')
  })
  await assert.rejects(failed, /the change failed/)
  const rows = await app`select 1 from audit_log where subject = ${subject}`
  assert.equal(rows.length, 0)
})
