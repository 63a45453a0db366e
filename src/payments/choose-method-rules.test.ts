// What the page of a checkout must ask its payer for, what of the answer is kept, and what cannot be.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#/kernel/error.ts'
import type { PayerNeed } from '#/rails/descriptor.ts'
import type { Revision, TemplateDocument } from '#/templates/template.ts'
import { ours } from '../../test/bare-attempts.ts'
import { partly } from '../../test/partly.ts'
import { createChooser, type PayerChoice } from './choose-method.ts'
import type { Choice, PageChoice } from './payer-choice.ts'
import type { Payer, Payment, PaymentRequest } from './payment.ts'

type Template = Partial<Pick<TemplateDocument, 'address' | 'expiry'>> & {
  readonly fields?: Partial<TemplateDocument['fields']>
}
const hidden = { name: 'hidden', email: 'hidden', phone: 'hidden', taxId: 'hidden' } as const

type Asked = {
  readonly template?: Template
  readonly request?: Partial<PaymentRequest>
  readonly payment?: Partial<Payment>
  readonly choice?: Partial<PayerChoice>
  /** Whether the payment has pinned a revision of its template. */
  readonly isPinned?: boolean
}

/** What is opened, or the code of the error and where its faults are. */
async function choose({ template = {}, request, payment = {}, choice, isPinned = true }: Asked) {
  const { fields, address = 'none', expiry = {} } = template
  const document = partly<TemplateDocument>({ fields: { ...hidden, ...fields }, address, expiry })
  const opened: { readonly page: PageChoice; readonly choice: Choice }[] = []
  const chooser = createChooser({
    opener: {
      async openChosen(chosen, page, by) {
        opened.push({ page, choice: by })
        return { payment: chosen }
      },
      openPage: () => assert.fail('a page'),
      openRest: () => assert.fail('the rest'),
    },
    templates: { revisionOf: async () => partly<Revision>({ document }) },
  })
  const chosen = partly<Payment>({
    merchantId: ours,
    request: { amount: 100, checkout: 'shop', ...request },
    ...(isPinned ? { templateRevision: 1 } : {}),
    ...payment,
  })
  try {
    await chooser.choose(chosen, { method: 'PIX', ...choice })
  } catch (error) {
    assert.ok(error instanceof AppError, String(error))
    const faults = (error.faults ?? []).map(({ pointer, code }) => `${pointer} ${code}`)
    return { code: error.code, faults }
  }
  return opened[0] ?? assert.fail('nothing was opened')
}

/** What is kept of the payer's answer, or why none is. */
async function kept(customer: Payer, template: Template = {}, needs: readonly PayerNeed[] = []) {
  const answer = await choose({ template, choice: { customer, needs } })
  return 'choice' in answer ? answer.choice.payer : answer.faults
}

async function faultsOf(asked: Asked): Promise<readonly string[]> {
  const answer = await choose(asked)
  return 'faults' in answer ? answer.faults : []
}

const address = { line1: 'Rua A', city: 'Lisboa', country: 'PT' }

test('there is nothing to choose without a checkout', async () => {
  const nothing = { code: 'invalid_state', faults: [] }
  assert.deepEqual(await choose({ payment: { request: { amount: 100 } } }), nothing)
  assert.deepEqual(await choose({ isPinned: false }), nothing)
})

test('the method is opened in the payer’s language, for as long as the template gives it', async () => {
  const template = { expiry: { PIX: 90 } }
  assert.deepEqual(await choose({ template, choice: { locale: 'pt-BR' } }), {
    page: { method: 'PIX', locale: 'pt-BR' },
    choice: { expiryMs: 90_000 },
  })
  assert.deepEqual(await choose({}), { page: { method: 'PIX' }, choice: {} })
})

test('of the payer’s data only what the template asks for, or the method needs, is kept', async () => {
  const name = { name: 'Zélia' }
  assert.deepEqual(await kept(name), {})
  assert.deepEqual(await kept(name, { fields: { name: 'optional' } }), name)
  assert.deepEqual(await kept(name, {}, ['name']), name)
  assert.deepEqual(await kept(name, {}, ['email']), {})
  assert.deepEqual(await kept({ name: '' }, { fields: { name: 'optional' } }), {})
  assert.deepEqual(await kept({}, { fields: { name: 'optional' } }), {})
})

test('an address is kept where the template asks for it or the method needs it', async () => {
  assert.deepEqual(await kept({ address }), {})
  assert.deepEqual(await kept({ address }, { address: 'billing' }), { address })
  assert.deepEqual(await kept({ address }, {}, ['address']), { address })
  assert.deepEqual(await kept({}, {}, ['address']), {})
})

test('an account is kept with its mandate, where the method needs both', async () => {
  const debit = {
    iban: 'PT50000201231234567890154',
    mandate: { acceptedAt: '2026-11-21T12:00:00.000Z', ip: '192.0.2.1', userAgent: 'x' },
  }
  assert.deepEqual(await kept(debit), {})
  assert.deepEqual(await kept(debit, {}, ['iban']), debit)
  assert.deepEqual(await kept({ iban: debit.iban }, {}, ['iban']), {})
  assert.deepEqual(await kept({ mandate: debit.mandate }, {}, ['iban']), {})
})

test('what the template requires comes from the merchant, from now, or from before', async () => {
  const required = { name: 'required', email: 'required', phone: 'required', taxId: 'required' } as const
  const template = { fields: required, address: 'shipping' } as const
  const all = ['name', 'email', 'phone', 'taxId', 'address'].map((name) => `/customer/${name} required`)
  assert.deepEqual(await faultsOf({ template }), all)
  assert.deepEqual(await choose({ template }), { code: 'invalid_request', faults: all })
  const payer = { name: 'Zélia', email: 'z@example.com', phone: '+351910000000', taxId: '123456789', address }
  assert.deepEqual(await faultsOf({ template, choice: { customer: payer } }), [])
  assert.deepEqual(await faultsOf({ template, payment: { payer } }), [])
  const request = {
    customerName: payer.name,
    customerEmail: payer.email,
    customerPhone: payer.phone,
    customerTaxId: payer.taxId,
    customerAddress: address,
  }
  assert.deepEqual(await faultsOf({ template, request }), [])
  const { name: _none, ...others } = payer
  assert.deepEqual(await faultsOf({ template, payment: { payer }, choice: { customer: others } }), [
    '/customer/name required',
  ])
  const optional = { fields: { name: 'optional' } } as const
  assert.deepEqual(await faultsOf({ template: optional }), [])
})

test('a text of the payer has at most 254 characters, and nothing that cannot be stored', async () => {
  const template = { fields: { name: 'optional' }, address: 'billing' } as const
  const faults = (customer: Payer) => faultsOf({ template, choice: { customer: { address, ...customer } } })
  const long = 'a'.repeat(255)
  assert.deepEqual(await faults({ name: 'a'.repeat(254) }), [])
  assert.deepEqual(await faults({ name: long }), ['/customer/name too_long'])
  assert.deepEqual(await faults({ address: { ...address, line1: long } }), ['/customer/line1 too_long'])
  assert.deepEqual(await faults({ name: 'a\0' }), ['/customer/name unclean_text'])
})
