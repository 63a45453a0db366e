// Whose money may not leave, and by which rail.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MerchantId } from '#/kernel/id.ts'
import { bareId } from '../../test/bare-rows.ts'
import { isFrozen, isFrozenAltogether, type FreezeScope } from './freeze.ts'

const [ours, theirs] = [bareId(1) as MerchantId, bareId(2) as MerchantId]
const merchant = (merchantId: MerchantId): FreezeScope => ({ merchantId, rail: null })
const rail = (name: string): FreezeScope => ({ merchantId: null, rail: name })
const everything: FreezeScope = { merchantId: null, rail: null }

/** By what is frozen: whether our money may not leave by PIX, by SEPA payouts, and by any way. */
const cases: readonly (readonly [
  freezes: readonly FreezeScope[],
  pix: boolean,
  sepa: boolean,
  any: boolean,
])[] = [
  [[], false, false, false],
  [[everything], true, true, true],
  [[merchant(ours)], true, true, true],
  [[merchant(theirs)], false, false, false],
  [[rail('PIX')], true, false, false],
  [[rail('SEPA')], false, true, false],
  // The payment method of the accounts from which SEPA pays out.
  [[rail('SEPA_TRANSFER')], false, true, false],
  [[rail('CRYPTO')], false, false, false],
  [[{ merchantId: theirs, rail: 'CRYPTO' }], false, false, false],
  [[merchant(theirs), merchant(ours)], true, true, true],
  [[rail('CRYPTO'), rail('PIX')], true, false, false],
]

for (const [freezes, pix, sepa, any] of cases)
  test(`frozen: ${JSON.stringify(freezes)}`, () => {
    assert.equal(isFrozen(freezes, { merchantId: ours, rail: 'PIX' }), pix)
    assert.equal(isFrozen(freezes, { merchantId: ours, rail: 'SEPA' }), sepa)
    assert.equal(isFrozenAltogether(freezes, ours), any)
  })
