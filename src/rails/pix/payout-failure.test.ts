// The words that a merchant reads for a payout that was not carried out: ours, for any text of the PSP.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureOf, refusalOf } from './payout-failure.ts'

test('a code of the payment system stays, and other text in its place is not shown', () => {
  assert.deepEqual(failureOf('AC03'), { code: 'AC03', message: "The recipient's account does not exist." })
  assert.deepEqual(failureOf('AC99'), {
    code: 'AC99',
    message: 'The payment system refused it with AC99.',
  })
  for (const odd of [undefined, '', 'Erro interno 7', 'ac03', 'AC03: conta inexistente'])
    assert.deepEqual(failureOf(odd), {
      code: 'refused_by_bank',
      message: "The recipient's bank did not take it.",
    })
})

test('a PSP’s own name of a refusal becomes a code of ours, or the general one', () => {
  assert.equal(refusalOf('saldo_insuficiente').code, 'provider_funds')
  for (const odd of [undefined, 'constructor', 'Falha interna'])
    assert.deepEqual(refusalOf(odd), {
      code: 'refused_by_provider',
      message: 'The bank that pays did not take the payout.',
    })
})
