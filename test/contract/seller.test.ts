// Who the merchant is before the law: what the setting accepts, and where payers read it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageTemplateOf } from '#/checkout/template.ts'
import { receiptText } from '#/mail/words.ts'
import { methods } from '#/rails/methods.ts'
import { defaultRevision } from '#/templates/template.ts'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { now, stateOf } from '../payer-page.ts'
import { assertDocumented } from './document.ts'
import { openApiWorld } from './world.ts'

const world = openForTests(openApiWorld)
const api = makeForTests(() => world.openApi())

const put = async (key: string, body: object) => {
  const answer = await api.ask('PUT', '/v1/settings', { key, body })
  assertDocumented('PUT', '/v1/settings', answer)
  return answer
}

test('a merchant sets its legal name and its tax id, of its own country: what comes back has no mask', async () => {
  const { key } = await world.openTenant()
  for (const [sent, kept] of [
    [
      { legalName: ' Livraria da Ana Ltda. ', taxId: '11.222.333/0001-81' },
      { legalName: 'Livraria da Ana Ltda.', taxId: '11222333000181' },
    ],
    [
      { taxId: '12.abc.345/01de-35', country: 'BR' },
      { taxId: '12ABC34501DE35', country: 'BR' },
    ],
    [{ taxId: '529.982.247-25' }, { taxId: '52998224725' }],
    [
      { taxId: 'PT 501 964 843', country: 'PT' },
      { taxId: '501964843', country: 'PT' },
    ],
    [{ legalName: '', taxId: '', country: '', returnUrl: '' }, {}],
    [{ legalName: null, taxId: null }, {}],
  ] as const) {
    const answer = await put(key, sent)
    assert.deepEqual([answer.status, answer.body], [200, kept])
    assert.deepEqual((await api.ask('GET', '/v1/settings', { key })).body, kept)
  }
})

test('what is no tax id of the country, no country, and a blank name are refused by name, and change nothing', async () => {
  const { key } = await world.openTenant()
  const kept = { legalName: 'Livraria da Ana Ltda.', taxId: '11222333000181' }
  await put(key, kept)
  for (const [sent, pointer] of [
    [{ taxId: '11.222.333/0001-82' }, '/taxId'],
    [{ taxId: '11222333000181', country: 'PT' }, '/taxId'],
    [{ taxId: '501964843' }, '/taxId'],
    [{ taxId: '501964843', country: 'XX' }, '/country'],
    [{ country: 'pt' }, '/country'],
    [{ legalName: '   ' }, '/legalName'],
    [{ legalName: 'x'.repeat(201) }, '/legalName'],
  ] as const) {
    const { status, body } = await put(key, sent)
    const faults = body['errors'] as readonly { readonly pointer: string }[]
    assert.deepEqual([status, faults.map((fault) => fault.pointer)], [400, [pointer]], JSON.stringify(sent))
  }
  assert.deepEqual((await api.ask('GET', '/v1/settings', { key })).body, kept)
})

const seller = { legalName: 'Livraria da Ana Ltda.', taxId: '11222333000181' }

test('the receipt of every method says who sold: the shop, its legal name, and its CNPJ with its mask', () => {
  const template = pageTemplateOf(defaultRevision, { name: 'Loja da Ana', ...seller })
  const paid = { status: 'PAID', receivedMinor: 1_000n, paidAt: now } as const
  for (const method of methods) {
    const { receipt } = stateOf({ ...paid, method, methods: [method] }, { template })
    assert.deepEqual(
      receipt.slice(0, 3).map(({ label, value }) => [label, value]),
      [
        ['Pago para', 'Loja da Ana'],
        ['Razão social', 'Livraria da Ana Ltda.'],
        ['CNPJ', '11.222.333/0001-81'],
      ],
      method,
    )
  }
})

test('a seller of another country has a tax id by its general name; nobody who paid nothing is shown a seller', () => {
  const template = pageTemplateOf(defaultRevision, { name: 'Loja', taxId: '501964843', country: 'PT' })
  const paid = { status: 'PAID', receivedMinor: 1_000n, paidAt: now } as const
  const rows = stateOf(paid, { template, locale: 'en' }).receipt
  assert.deepEqual([rows[1]?.label, rows[1]?.value], ['Tax ID', '501964843'])
  const nothing = stateOf({ status: 'EXPIRED' }, { template }).receipt
  assert.ok(nothing.every(({ value }) => value !== '501964843'))
})

test('a payer’s tax id is called after its country', () => {
  const paid = { status: 'PAID', receivedMinor: 1_000n, paidAt: now } as const
  const rowsOf = (taxId: string) =>
    stateOf({ ...paid, payer: { taxId } }).receipt.map(({ label, value }) => `${label}: ${value}`)
  assert.ok(rowsOf('501964843').includes('Identificação fiscal do pagador: ***843'))
  assert.ok(rowsOf('52998224725').includes('CPF ou CNPJ do pagador: ***.982.247-**'))
})

test('a receipt by mail says it too', () => {
  const of = {
    merchantName: 'Loja da Ana',
    mode: 'LIVE',
    amount: '5.00 BRL',
    isRefund: false,
    paymentId: '1',
  } as const
  const { text } = receiptText('pt-BR', {
    ...of,
    merchantLegalName: seller.legalName,
    merchantTaxId: seller.taxId,
  })
  assert.match(text, /^Razão social: Livraria da Ana Ltda\.$/m)
  assert.match(text, /^CNPJ: 11\.222\.333\/0001-81$/m)
  assert.doesNotMatch(receiptText('pt-BR', of).text, /CNPJ|Razão/)
})
