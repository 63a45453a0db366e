// Each method of the table is seen in every room that shows methods. Two tests run this in a copy of the tree, to which they have added a
// method (voucher.test.ts, sepa-debit.test.ts).
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { railAudits } from '#/audit/rails/all.ts'
import { exampleMethod } from '#/dashboard/preview/means.ts'
import { sentenceOf } from '#/explain/sentences.ts'
import { tell } from '#/explain/step.ts'
import { describeApi } from '#/http/openapi.ts'
import { routes } from '#/http/routes.ts'
import { textIn } from '#/kernel/dictionary.ts'
import { locales } from '#/kernel/language.ts'
import { descriptors, methods } from '#/rails/methods.ts'
import { railModules } from '#/rails/registry.ts'
import { createPayers, sandboxProviders } from '#/sandbox/methods/all.ts'
import type { PayerDeps } from '#/sandbox/methods/method.ts'
import type { RunningProvider } from '#/sandbox/methods/provider.ts'
import { operatorWords } from '../../web/dashboard/words/operator.ts'
import { paymentActionWords } from '../../web/dashboard/words/payment-actions.ts'
import { stateWords } from '../../web/dashboard/words/states.ts'
import { partly } from '../partly.ts'
import { now, plain, stateOf } from '../payer-page.ts'

const { schemas } = describeApi(routes).components as {
  readonly schemas: Readonly<
    Record<string, { readonly enum?: readonly string[]; readonly description?: string }>
  >
}

const running = new Map(sandboxProviders.map((each) => [each, partly<RunningProvider>({})]))
const payers = createPayers(partly<PayerDeps>({}), running)

test('the API takes every method, and a rail opens each', () => {
  assert.deepEqual(schemas['PaymentMethod']?.enum, methods)
  assert.deepEqual(railModules.flatMap((module) => module.methods).toSorted(), methods.toSorted())
})

for (const { method, currencies, label, hint, sandbox, mark, docs, ...names } of descriptors) {
  const { merchantLabel = label, operatorLabel = merchantLabel, by = label, who } = names
  test(`${method}: a checkout offers it by its name and logo, and shows what to pay with`, () => {
    const [currency] = currencies
    for (const locale of locales) {
      const request = { amount: 1_000, checkout: 'default' }
      const payment = { method, methods: [method], currency, request }
      const state = stateOf(payment, { means: exampleMethod(method).means(undefined), locale })
      const [choice] = state.methods
      assert.deepEqual(
        [choice?.label, choice?.hint, choice?.mark],
        [textIn(locale, label), textIn(locale, hint), mark],
      )
      assert.deepEqual([state.step, state.panel?.method], ['waiting', method])
      assert.ok(plain(state.headline) !== '' && state.message !== '')
    }
  })

  test(`${method}: the dashboard and the console name it, and its scenarios`, () => {
    for (const locale of locales) {
      assert.equal(stateWords[locale].method[method], textIn(locale, merchantLabel))
      assert.equal(operatorWords[locale].methods[method], textIn(locale, operatorLabel))
      const scenarios: Readonly<Record<string, string>> = paymentActionWords[locale].scenario
      for (const scenario of sandbox?.scenarios ?? []) assert.ok(scenarios[scenario], scenario)
    }
  })

  test(`${method}: the sandbox's payer has the scenarios that the API's documents list`, () => {
    assert.deepEqual(payers.get(method)?.scenarios, sandbox?.scenarios)
    const { enum: listed = [], description = '' } = schemas['SandboxScenario'] ?? {}
    for (const scenario of sandbox?.scenarios ?? []) assert.ok(listed.includes(scenario), scenario)
    if (sandbox !== undefined) assert.ok(description.includes(`${method}: ${sandbox.meaning}`))
  })

  test(`${method}: an explanation names it and who reports, and its artifacts are inspected`, () => {
    const amount = { minor: 1_000n, currency: currencies[0] }
    for (const locale of locales) {
      const sentence = sentenceOf(locale, tell('STATE_CHANGE', 'METHOD_CHOSEN', { amount, method }))
      assert.ok(sentence.includes(textIn(locale, by)), sentence)
      const report = { amount, method, providerRef: 'R-1', happenedAt: now }
      const reported = sentenceOf(locale, tell('PROVIDER_ANSWER', 'MONEY_REPORTED', report))
      assert.ok(reported.startsWith(`${textIn(locale, who)} `), reported)
    }
    assert.ok(railAudits.has(method))
  })

  test(`${method}: its page in the documents creates one and pays it`, () => {
    const file = path.join(import.meta.dirname, '../../docs/methods', docs)
    assert.ok(existsSync(file), file)
    const page = readFileSync(file, 'utf8')
    assert.match(page, new RegExp(`^\\| \`paymentMethods\` \\| \`\\["${method}"\\]\` \\|$`, 'm'))
    assert.match(page, new RegExp(`"paymentMethods": \\["${method}"\\]`))
    assert.match(page, /\/v1\/sandbox\/payments\/\$ID\/pay/)
  })
}
