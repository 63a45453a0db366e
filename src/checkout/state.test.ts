import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '#/kernel/given.ts'
import type { Locale } from '#/kernel/language.ts'
import type { Payment } from '#/payments/payment.ts'
import {
  address,
  coin,
  frame,
  framed,
  now,
  plain,
  stateOf,
  template,
  toAddress,
  token,
  usual,
} from '../../test/payer-page.ts'
import type { Means } from './means.ts'
import type { PageState } from './page-state.ts'
import { buildPageState, type StateInput } from './state.ts'

const said = (state: PageState) => [state.step, plain(state.headline), plain(state.message)]
const inAll = (changes: Partial<Payment>, more: Partial<StateInput> = {}) =>
  (['pt-BR', 'en', 'es'] as const).map((locale: Locale) =>
    plain(stateOf(changes, { ...more, locale }).message),
  )

test('a part of the money: the page shows how much arrived, how much is missing, where to send it and until when', () => {
  const changes = { receivedMinor: 800n, exceptions: ['UNDERPAID'] as const }
  assert.deepEqual(inAll(changes), [
    'Recebemos 8,00 USDT de 10,00. Envie mais 2,00 para este endereço até 15:40.',
    'We received 8.00 USDT of 10.00. Send 2.00 more to this address by 3:40 PM GMT-3.',
    'Recibimos 8,00 USDT de 10,00. Envíe 2,00 más a esta dirección hasta las 15:40 GMT-3.',
  ])
  const { step, panel } = stateOf(changes)
  assert.equal(step, 'underpaid')
  assert.ok(panel?.method === 'CRYPTO')
  assert.equal(panel.amount.value, '2.00')
})

test('an address is shown with the exact amount and a link that a wallet fills in (EIP-681)', () => {
  const state = stateOf()
  assert.deepEqual(said(state), [
    'waiting',
    'Envie 10,00 USDT',
    'Envie exatamente 10,00 USDT pela rede BNB Smart Chain (BEP20) para este endereço até 15:40.',
  ])
  assert.ok(state.panel?.method === 'CRYPTO')
  assert.equal(
    state.panel.uri,
    `ethereum:0x55d398326f99059fF775485246999027B3197955@56/transfer?address=${address}&uint256=10000000000000000000`,
  )
  assert.deepEqual(state.panel.amount.value, '10.00')
  assert.equal(state.expires?.at, '2026-11-21T18:40:00.000Z')
})

test('coins on the way are counted block by block, and each block is a newer version', () => {
  const at = (confirmations: number, final = false) =>
    stateOf(
      { seenMinor: 1_000n },
      {
        means: {
          fields: {
            ...toAddress.fields,
            deposits: [
              {
                txHash: '0xab',
                amount: '10000000000000000000',
                confirmations,
                final,
                at: '2026-11-21T18:00:00.000Z',
              },
            ],
          },
          coin,
        },
      },
    )
  const first = at(1)
  assert.equal(first.step, 'confirming')
  assert.equal(
    plain(first.message),
    'Identificamos 10,00 USDT na rede. A confirmação é automática e leva poucos minutos; você pode fechar esta página.',
  )
  assert.equal(first.expires, undefined)
  assert.ok(first.panel?.method === 'CRYPTO')
  const [deposit] = first.panel.deposits
  assert.deepEqual(
    [plain(deposit?.amount.text ?? ''), deposit?.confirmations, deposit?.needed, deposit?.isFinal],
    ['10,00 USDT', 1, 3, false],
  )
  const shown = (state: PageState) =>
    state.panel?.method === 'CRYPTO' ? state.panel.deposits[0]?.confirmations : undefined
  // "3 of 3" is shown only with "confirmed".
  assert.deepEqual([shown(at(2)), shown(at(9)), shown(at(9, true))], [2, 2, 3])
  assert.ok(at(2).version > first.version)
  assert.equal(at(9).version, at(3).version)
  assert.ok(stateOf({ version: 4 }).version > at(9).version)
})

test('every end says what it means for the money', () => {
  const paid = {
    status: 'PAID',
    receivedMinor: 1_000n,
    paidAt: now,
    completingTx: `0x${'ab'.repeat(32)}`,
  } as const
  assert.deepEqual(said(stateOf(paid)), [
    'paid',
    'Pagamento confirmado',
    'Loja da Ana recebeu seu pagamento. Obrigado!',
  ])
  assert.deepEqual(said(stateOf({ ...paid, receivedMinor: 1_200n, exceptions: ['OVERPAID'] })), [
    'overpaid',
    'Pago com valor a mais',
    'Recebemos 12,00 USDT por uma cobrança de 10,00. A loja já foi avisada. Fale com a loja para receber 2,00 USDT de volta.',
  ])
  assert.equal(stateOf({ ...paid, exceptions: ['LATE'] }).step, 'late')
  // The excess was refunded: the payer need not ask for it.
  assert.equal(
    stateOf({ ...paid, receivedMinor: 1_200n, refundedMinor: 200n, exceptions: ['OVERPAID'] }).step,
    'paid',
  )
  assert.deepEqual(said(stateOf({ status: 'EXPIRED', receivedMinor: 800n })), [
    'expired',
    'O prazo para pagar terminou',
    'Recebemos 8,00 USDT de 10,00, mas o prazo terminou. Seu dinheiro está seguro. Fale com a loja para receber o valor de volta ou pagar o restante.',
  ])
  assert.match(stateOf({ status: 'EXPIRED' }).message, /nada foi cobrado/)
  assert.match(stateOf({ status: 'CANCELED', receivedMinor: 800n }).message, /Seu dinheiro está seguro/)
  assert.match(stateOf({ status: 'CANCELED' }).message, /Nada foi cobrado/)
  assert.match(stateOf({ status: 'FAILED' }).message, /Nada foi cobrado/)
})

test('a receipt names the merchant only when something was paid', () => {
  const labels = (changes: Partial<Payment>) => stateOf(changes).receipt.map(({ label }) => label)
  for (const status of ['EXPIRED', 'CANCELED', 'FAILED', 'APPROVED'] as const)
    assert.deepEqual(labels({ status }), ['Valor', 'ID do pagamento'], status)
  assert.equal(labels({ status: 'PAID', receivedMinor: 1_000n })[0], 'Pago para')
  assert.equal(labels({ status: 'CANCELED', receivedMinor: 800n, refundedMinor: 800n })[0], 'Pago para')
})

test('a template’s thanks are shown only to payers who paid', () => {
  const polite = { ...template, texts: { 'pt-BR': { title: 'Pedido', thanks: 'Até logo!' } } }
  const thanks = (changes: Partial<Payment>) => stateOf(changes, { template: polite }).thanks
  assert.equal(thanks({ status: 'PAID', receivedMinor: 1_000n }), 'Até logo!')
  assert.equal(thanks({ status: 'APPROVED' }), 'Até logo!')
  for (const status of ['CANCELED', 'EXPIRED', 'FAILED'] as const) assert.equal(thanks({ status }), undefined)
})

test('money that arrives after the end is shown, and the page waits for it', () => {
  const late = stateOf({ status: 'EXPIRED', seenMinor: 1_000n })
  assert.equal(late.step, 'confirming')
  assert.match(plain(late.message), /^Identificamos 10,00 USDT na rede, enviados depois do prazo/)
  assert.equal(late.isFinal, false)
  const expired: Partial<Payment> = { status: 'EXPIRED', expiresAt: now }
  for (const method of ['CRYPTO', 'PIX', 'PARTNER_PAY'] as const) {
    assert.equal(stateOf({ ...expired, method }).isFinal, false, `${method} may have been paid in time`)
    const later = { now: new Date('2026-11-21T16:00:00.000Z') }
    assert.equal(stateOf({ ...expired, method }, later).isFinal, true, method)
  }
  assert.equal(stateOf({ ...expired, method: 'CREDIT_CARD' }).isFinal, true)
})

test('a canceled or failed payment shows money on its way, and its page waits for it as an expired one does', () => {
  for (const status of ['CANCELED', 'FAILED'] as const) {
    assert.deepEqual(inAll({ status, seenMinor: 1_000n }), [
      'Identificamos 10,00 USDT, enviados para um pagamento já encerrado. Seu dinheiro está seguro; não pague de novo. Esta página mostrará quando ele chegar. Depois, fale com a loja.',
      'We found 10.00 USDT, sent for a payment that is already closed. Your money is safe; please don’t pay again. This page shows when it arrives. Then contact Loja da Ana.',
      'Encontramos 10,00 USDT, enviados para un pago que ya está cerrado. Su dinero está seguro; no pague de nuevo. Esta página mostrará cuando llegue. Luego comuníquese con la tienda.',
    ])
    const seen = stateOf({ status, seenMinor: 1_000n })
    assert.deepEqual([seen.step, seen.isFinal], ['confirming', false])
    const over = { now: new Date('2026-11-21T20:00:00.000Z') }
    const ended: Partial<Payment> = { status, expiresAt: now }
    assert.equal(stateOf(ended).isFinal, false, status)
    assert.equal(stateOf(ended, over).isFinal, true, status)
    assert.equal(stateOf({ ...ended, seenMinor: 1n }, over).isFinal, false, status)
    assert.equal(stateOf({ ...ended, method: 'CREDIT_CARD' }).isFinal, true, status)
  }
})

test('a second transfer to a paid payment is shown while it is on its way, and the page waits for it', () => {
  const paid: Partial<Payment> = { status: 'PAID', receivedMinor: 1_000n, paidAt: now }
  assert.deepEqual(inAll({ ...paid, seenMinor: 500n }), [
    'Loja da Ana recebeu seu pagamento. Obrigado! Mais 5,00 USDT estão a caminho. Este pagamento já foi feito: fale com a loja sobre o segundo.',
    'Loja da Ana has received your payment. Thank you! Another 5.00 USDT is on its way. This payment is already paid: contact Loja da Ana about the second one.',
    'Loja da Ana recibió su pago. ¡Gracias! Otros 5,00 USDT están en camino. Este pago ya está hecho: comuníquese con la tienda por el segundo.',
  ])
  const over = { now: new Date('2026-11-21T20:00:00.000Z') }
  assert.deepEqual([stateOf(paid).isFinal, stateOf(paid, over).isFinal], [false, true])
  assert.equal(stateOf({ ...paid, seenMinor: 500n }, over).isFinal, false)
  assert.equal(stateOf({ ...paid, method: 'CREDIT_CARD' }).isFinal, true)
})

test('a card that was declined can be tried again, and the reason is given in plain words', () => {
  const lastError = { code: 'insufficient_funds', message: 'The card does not have enough money for this.' }
  const card = { method: 'CREDIT_CARD', currency: 'BRL', lastError } as const
  const state = stateOf(card, { means: frame })
  assert.equal(state.step, 'waiting')
  assert.equal(state.problem, 'Cartão sem saldo ou limite para este valor. Tente outro cartão.')
  assert.ok(state.panel?.method === 'CREDIT_CARD' && state.panel.frameUrl !== undefined)
  assert.equal(state.panel.frameUrl.split('?')[0], `/c/${token}/frame`)
  assert.equal(state.panel.hostedUrl, `/c/${token}/provider`)
  const unknown = { ...card, lastError: { code: 'toString', message: '' } }
  assert.equal(
    stateOf(unknown, { means: frame, locale: 'en' }).problem,
    'The payment was declined. Try again; if that doesn’t work, contact the store.',
  )
  assert.equal(stateOf(card, { means: { fields: {} } }).step, 'preparing')
})

test('the frame stays the same through a decline, and changes when the provider has another session', () => {
  const card = { method: 'CREDIT_CARD', currency: 'BRL' } as const
  const frameOf = (clientSecret: string, more: Partial<Payment> = {}) => {
    const { panel } = stateOf({ ...card, ...more }, { means: framed(clientSecret) })
    return panel?.method === 'CREDIT_CARD' ? panel.frameUrl : undefined
  }
  const lastError = { code: 'card_declined', message: 'No.' }
  assert.notEqual(frameOf('one'), undefined)
  assert.equal(frameOf('one'), frameOf('one', { lastError, version: 7 }))
  assert.notEqual(frameOf('one'), frameOf('another'))
  assert.doesNotMatch(String(frameOf('cs_secret')), /cs_secret/)
})

test('a payer who now pays another way does not see why the card was declined', () => {
  const lastError = { code: 'insufficient_funds', message: 'No.', method: 'CREDIT_CARD' } as const
  const card = { method: 'CREDIT_CARD', currency: 'BRL', lastError } as const
  assert.match(stateOf(card, { means: frame }).problem ?? '', /^Cartão sem saldo/)
  const pix = stateOf({ ...card, method: 'PIX' }, { means: { fields: { pixCopyPaste: '00020101' } } })
  assert.deepEqual([pix.step, pix.problem], ['waiting', undefined])
})

test('every reason for a refusal in our documentation has a text of its own, in every language', () => {
  const codes = [
    'card_declined',
    'insufficient_funds',
    'expired_card',
    'incorrect_cvc',
    'incorrect_number',
    'card_not_supported',
    'limit_exceeded',
    'authentication_failed',
    'processing_error',
    'order_canceled',
    'order_failed',
    'amount_too_small',
    'amount_too_large',
    'payer_refused',
    'refused_by_provider',
  ]
  const problemOf = (locale: Locale, code: string) => {
    const refused = { method: 'CREDIT_CARD', currency: 'BRL', lastError: { code, message: '' } } as const
    return stateOf(refused, { means: frame, locale }).problem
  }
  for (const locale of ['pt-BR', 'en', 'es'] as const) {
    const said = [...codes, 'never_heard_of'].map((code) => problemOf(locale, code))
    assert.equal(new Set(said).size, codes.length + 1, locale)
  }
})

test('a reserved amount is as good as paid for the payer', () => {
  const request = { amount: 1_000, returnUrl: 'https://shop.example/done?order=7' }
  const state = stateOf(
    { method: 'CREDIT_CARD', currency: 'BRL', status: 'APPROVED', request },
    { means: frame },
  )
  assert.equal(state.step, 'confirming')
  assert.match(state.message, /reservado no seu cartão/)
  assert.equal(state.back?.url, `https://shop.example/done?order=7&paymentId=${usual.id}`)
  assert.equal(state.isFinal, false)
})

test('the link back leads only to the merchant’s URL, within the hosts of its template', () => {
  const paid = { status: 'PAID', receivedMinor: 1_000n } as const
  const backTo = (returnUrl: string, allowedHosts?: readonly string[]) =>
    stateOf(
      { ...paid, request: { amount: 1_000, returnUrl } },
      {
        template: {
          ...template,
          returns: { automaticSeconds: 5, ...given({ allowedHosts }) },
        },
      },
    ).back
  assert.deepEqual(backTo('https://shop.example/a?paymentId=fake#x'), {
    label: 'Voltar para Loja da Ana',
    url: `https://shop.example/a?paymentId=${usual.id}#x`,
    afterSeconds: 5,
  })
  assert.ok(backTo('https://a.shop.example/', ['*.shop.example']) !== undefined)
  for (const url of ['javascript:alert(1)', 'data:text/html,x', '//evil.example', 'https://a@evil.example/'])
    assert.equal(backTo(url), undefined, url)
  for (const url of [
    'https://evil.example/',
    'https://shop.example.evil.example/',
    'https://evilshop.example',
  ])
    assert.equal(backTo(url, ['shop.example', '*.shop.example']), undefined, url)
})

test('methods of a checkout are offered in their order until money has arrived', () => {
  const checkout = {
    request: { amount: 1_000, checkout: 'default', customerName: 'Ana <b>', customerTaxId: '39053344705' },
    methods: ['PIX', 'CREDIT_CARD'] as const,
    currency: 'BRL' as const,
  }
  const { method: _, ...unchosen } = { ...usual, ...checkout }
  const state = buildPageState({
    payment: { ...unchosen, status: 'PENDING' },
    means: { fields: {} },
    opened: 0,
    template: {
      ...template,
      methods: [{ method: 'PIX', isHighlighted: true }],
      fields: { ...template.fields, name: 'required', email: 'optional' },
    },
    locale: 'es',
    now,
    token,
  })
  assert.equal(state.step, 'choose')
  assert.deepEqual(
    state.methods.map(({ method, isHighlighted, isChosen }) => [method, isHighlighted, isChosen]),
    [
      ['PIX', true, false],
      ['CREDIT_CARD', false, false],
    ],
  )
  assert.deepEqual(
    state.fields.map(({ name, value }) => [name, value]),
    [
      ['name', 'Ana <b>'],
      ['email', ''],
    ],
  )
  assert.ok(!JSON.stringify(state).includes('39053344705'))
  const changed = stateOf({ ...checkout, method: 'CREDIT_CARD' }, { means: frame })
  assert.deepEqual(
    changed.methods.map(({ isChosen }) => isChosen),
    [false, true],
  )
  assert.deepEqual(stateOf({ ...checkout, method: 'PIX', receivedMinor: 500n }).methods, [])
})

test('a code for the whole amount is not shown again to a payer who paid a part of it', () => {
  const pix = { method: 'PIX', currency: 'BRL' } as const
  const means: Means = { fields: { pixCopyPaste: '00020101' } }
  const waiting = stateOf(pix, { means })
  assert.deepEqual(waiting.panel?.method, 'PIX')
  assert.equal(
    waiting.message,
    'Escaneie o QR Code com o app do seu banco ou copie o código. Válido até 15:40.',
  )
  const part = stateOf({ ...pix, receivedMinor: 400n }, { means })
  assert.deepEqual(
    [part.step, plain(part.message), part.panel],
    ['underpaid', 'Recebemos R$ 4,00 de 10,00. Fale com a loja para pagar o restante.', undefined],
  )
  // Nothing here runs out for them, and they have a number to ask the merchant with.
  assert.equal(part.expires, undefined)
  assert.equal(part.receipt.at(-1)?.copy, usual.id)
  assert.deepEqual(stateOf({ receivedMinor: 400n }).receipt, [])
})

test('a form with faults is newer than the stream’s state of the same payment, and older than any change', () => {
  const unchosen = { status: 'PENDING', request: { amount: 1_000, checkout: 'default' } } as const
  const { method: _, ...payment } = { ...usual, ...unchosen, methods: ['PIX', 'CRYPTO'] as const }
  const input = { payment, means: { fields: {} }, opened: 0, template, locale: 'en', now, token } as const
  const form = { typed: { method: 'CRYPTO' }, faults: { email: 'No.' } }
  const wrong = buildPageState({ ...input, form })
  assert.ok(wrong.version > buildPageState(input).version)
  assert.ok(wrong.version < stateOf({ ...unchosen, version: payment.version + 1 }).version)
  assert.ok(wrong.version < buildPageState({ ...input, opened: 1 }).version)
  assert.deepEqual(
    wrong.methods.map(({ method, isChosen }) => [method, isChosen]),
    [
      ['PIX', false],
      ['CRYPTO', true],
    ],
  )
})
