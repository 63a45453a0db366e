// The panels of the acquirer's local methods, as far as their tables decide them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { locales } from '#/kernel/language.ts'
import { localMethods } from '#/rails/acquirer/methods/all.ts'
import type { Presentation } from '#/rails/rail.ts'
import { stateOf } from '../../../test/payer-page.ts'
import { flowWords } from './flow-words.ts'

const presentations: Readonly<Record<string, Presentation>> = {
  REDIRECT: { kind: 'HOSTED', url: 'https://bank.example/' },
  PUSH: { kind: 'PUSH', phoneEnd: '678' },
  VOUCHER: { kind: 'VOUCHER', voucher: { entity: '90150', reference: '123123451' } },
  DEBIT: { kind: 'DEBIT', ibanEnd: '0154' },
}

test('a payer whose money is reported days later reads that the store is notified then, and no other payer does', () => {
  for (const locale of locales) {
    const delayed = localMethods.filter(({ method, currency, flow }) => {
      const means = { fields: {}, ...of(presentations[flow]) }
      const { message, step } = stateOf({ method, methods: [method], currency }, { means, locale })
      assert.equal(step, 'waiting')
      return message.endsWith(flowWords[locale].delayed)
    })
    assert.deepEqual(
      delayed.map(({ method }) => method),
      ['MULTIBANCO', 'BOLETO'],
      locale,
    )
  }
})

test('the sandbox plays money that takes long for these methods, and for no other', () => {
  for (const { method, isDelayed, sandbox } of localMethods)
    assert.equal(sandbox.scenarios.includes('slow'), isDelayed, method)
})

function of(presentation: Presentation | undefined) {
  return presentation === undefined ? {} : { presentation }
}
