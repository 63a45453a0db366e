// Installations in which everything has happened once: every payment that has ended is erased, and verify finds no fault.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { Report } from '#/db/inspection.ts'
import { erasePayer } from '#/erasure/erase.ts'
import type { MerchantId, PaymentId } from '#/kernel/id.ts'
import { openFilledPixWorld } from '../filled-pix-world.ts'
import { openFilledSepaWorld } from '../filled-sepa-world.ts'
import { openFilledWorld } from '../tampering.ts'

const by = { kind: 'OPERATOR', id: 'ana@host' } as const

/** Erases the payers of all payments, twice. Returns how many payments were erased, and how many were left because they are open. */
async function eraseAll(owner: Sql): Promise<{ readonly erased: number; readonly open: number }> {
  const [head] = await owner<{ cell: string }[]>`select cell from head`
  const payments = await owner<{ merchantId: MerchantId; paymentId: PaymentId }[]>`
    select merchant_id as "merchantId", id as "paymentId" from payment order by id`
  const count = { erased: 0, open: 0 }
  for (const payment of payments) {
    const order = { ...payment, by, reason: 'request 17' }
    const { kind } = await erasePayer({ sql: owner, cell: head?.cell ?? '' }, order)
    count[kind] += 1
  }
  return count
}

function counted({ checked }: Report, what: string): number {
  return checked.find((each) => each.inspection === 'erasures' && each.what === what)?.count ?? 0
}

const scenes = [
  ['deposits', openFilledWorld],
  ['PIX', openFilledPixWorld],
  ['bank transfers', openFilledSepaWorld],
] as const

for (const [name, open] of scenes) {
  test(`${name}: what is erased leaves sound books, and every erased text is counted`, async () => {
    await using world = await open()
    const before = await world.verify()
    assert.deepEqual(before.faults, [])
    const { erased, open: left } = await eraseAll(world.owner)
    assert.ok(erased >= 2 && left >= 1, `${erased} erased, ${left} open`)
    const after = await world.verify()
    assert.deepEqual(after.faults, [])
    assert.ok(counted(after, 'erasures') > 0)
    // Deposits are public on their chain.
    assert.equal(counted(after, 'erased evidence') > 0, name !== 'deposits')
    // The amounts of each currency are explained as before.
    assert.deepEqual(after.unexplained, before.unexplained)
    const again = await eraseAll(world.owner)
    assert.equal(again.erased, erased)
    const last = await world.verify()
    assert.equal(counted(last, 'erasures'), counted(after, 'erasures'))
  })
}
