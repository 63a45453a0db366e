// The scenarios of `trigger`: what can be made to happen in the sandbox, by public calls and the simulators alone.
import { must } from '#/kernel/check.ts'
import { newId } from '#/kernel/id.ts'
import { member } from '#/sandbox/member.ts'
import { listIn, type Made, type Stage } from './trigger-stage.ts'

export type Scenario = {
  readonly meaning: string
  readonly play: (stage: Stage) => Promise<unknown>
}

// No amount is one of the bank's magic ones (50.01 to 50.14).
const reais = { amount: 4_990, currency: 'BRL' }
const usdt = { amount: 1_234, currency: 'USDT' }

const euros = { amount: 1_990, currency: 'EUR' }
const payerOfBoleto = {
  customerName: 'Ana Souza',
  customerEmail: 'ana@example.com',
  customerTaxId: '52998224725',
  customerAddress: {
    line1: 'Rua das Flores, 10',
    city: 'São Paulo',
    region: 'SP',
    postcode: '01310-100',
    country: 'BR',
  },
}

type Terms = { readonly amount: number; readonly currency: string; readonly [field: string]: unknown }

const pay = async (stage: Stage, method: string, terms: Terms, scenario: string): Promise<Made> => {
  const payment = await stage.post('/v1/payments', { ...terms, paymentMethods: [method] })
  await stage.post(`/v1/sandbox/payments/${payment.id}/pay`, { scenario })
  return payment
}

/** A payment that is paid by this method, and its completion. */
const paid = async (stage: Stage, method: string, terms: Terms, scenario: string): Promise<Made> => {
  const payment = await pay(stage, method, terms, scenario)
  await stage.event('payment.completed', payment.id)
  return payment
}

const pix = (stage: Stage, scenario = 'exact') => paid(stage, 'PIX', reais, scenario)
const card = (stage: Stage, scenario = 'success') => paid(stage, 'CREDIT_CARD', reais, scenario)

/** The acquirer's objects about the PaymentIntent of a payment. */
const atAcquirer = async (stage: Stage, kind: string, payment: Made): Promise<readonly unknown[]> => {
  const state = await stage.acquirer('GET', '/state')
  const intent = must(
    listIn(state, 'paymentIntents').find(
      (each) => member(member(each, 'metadata'), 'payment_id') === payment.id,
    ),
    'a paid card payment has a PaymentIntent',
  )
  const ofIntent = (each: unknown) => member(each, 'payment_intent') === member(intent, 'id')
  return kind === 'paymentIntents' ? [intent] : listIn(state, kind).filter(ofIntent)
}

const disputed = async (stage: Stage, outcome?: 'won' | 'lost'): Promise<void> => {
  const payment = await card(stage)
  const [intent] = await atAcquirer(stage, 'paymentIntents', payment)
  const opened = await stage.acquirer('POST', '/disputes', { paymentIntent: member(intent, 'id') })
  await stage.event('dispute.opened', payment.id)
  if (outcome === undefined) return
  await stage.acquirer('POST', `/disputes/${String(member(opened, 'id'))}`, { outcome })
  await stage.event(outcome === 'won' ? 'dispute.won' : 'dispute.lost', payment.id)
}

const withdrawn = async (stage: Stage, pixKey: string): Promise<Made> => {
  await pix(stage)
  const withdrawal = await stage.post('/v1/withdrawals', {
    type: 'PIX',
    amount: 1_000,
    currency: 'BRL',
    pixKey,
    pixKeyType: 'EMAIL',
  })
  await stage.event('withdrawal.created', withdrawal.id)
  return withdrawal
}

const refunded = async (stage: Stage, payment: Made): Promise<Made> => {
  const refund = await stage.post(`/v1/payments/${payment.id}/refunds`, {
    amount: 1_000,
    idempotencyKey: newId(),
  })
  await stage.event('refund.created', refund.id)
  await stage.event('refund.completed', refund.id)
  return refund
}

export const scenarios: Readonly<Record<string, Scenario>> = {
  'pix-paid': { meaning: 'A payment is paid by Pix', play: (stage) => pix(stage) },
  'pix-underpaid': {
    meaning: 'A Pix of half the amount: the payment still waits',
    play: async (stage) => stage.event('payment.underpaid', (await pay(stage, 'PIX', reais, 'under')).id),
  },
  'pix-overpaid': { meaning: 'A Pix of more than the amount', play: (stage) => pix(stage, 'over') },
  'pix-twice': {
    meaning: 'Two Pix for one payment',
    play: async (stage) => {
      const { id } = await pay(stage, 'PIX', reais, 'twice')
      await stage.event('payment.completed', id)
    },
  },
  'pix-late': {
    meaning: 'The payment expires, and the Pix comes afterwards',
    play: async (stage) => {
      const { id } = await pay(stage, 'PIX', reais, 'late')
      await stage.event('payment.expired', id)
      await stage.event('payment.completed', id)
    },
  },
  'pix-lost-callback': {
    meaning: 'The bank’s callback is lost: reconciliation finds the money, a while later',
    play: (stage) => pay(stage, 'PIX', reais, 'lost_webhook'),
  },
  'pix-med': {
    meaning: 'The payer’s bank takes the money back (MED): a dispute',
    play: async (stage) => {
      const { id } = await pix(stage, 'med')
      await stage.event('dispute.opened', id)
    },
  },
  'usdt-paid': {
    meaning: 'A payment is paid in USDT on the sandbox’s chain',
    play: (stage) => paid(stage, 'CRYPTO', usdt, 'exact'),
  },
  'usdt-underpaid': {
    meaning: 'Too little USDT comes',
    play: async (stage) => stage.event('payment.underpaid', (await pay(stage, 'CRYPTO', usdt, 'under')).id),
  },
  'card-paid': { meaning: 'A card pays', play: (stage) => card(stage) },
  'card-challenged': { meaning: 'A card pays after 3-D Secure', play: (stage) => card(stage, 'challenge') },
  'card-declined': {
    meaning: 'A card is declined: no event; the payment waits, with lastError',
    play: async (stage) => {
      const { id } = await pay(stage, 'CREDIT_CARD', reais, 'decline')
      await stage.until(`/v1/payments/${id}`, (payment) => member(payment, 'lastError') !== undefined)
    },
  },
  'card-authorised': {
    meaning: 'A card is authorised, and you have not captured it',
    play: async (stage) => {
      const terms = { ...reais, paymentMethods: ['CREDIT_CARD'], captureMode: 'MANUAL' }
      const { id } = await stage.post('/v1/payments', terms)
      await stage.post(`/v1/sandbox/payments/${id}/pay`, { scenario: 'success' })
      await stage.event('payment.approved', id)
    },
  },
  'wallet-app-paid': {
    meaning: 'A payment is paid by the wallet app',
    play: (stage) => paid(stage, 'PARTNER_PAY', usdt, 'confirm'),
  },
  'multibanco-paid': {
    meaning: 'A Multibanco reference is paid, and its money arrives',
    play: (stage) => paid(stage, 'MULTIBANCO', { ...euros, customerEmail: 'ana@example.com' }, 'approve'),
  },
  'mb-way-declined': {
    meaning: 'The payer declines in the MB WAY app: no event; the payment waits, with lastError',
    play: async (stage) => {
      const { id } = await pay(stage, 'MB_WAY', { ...euros, customerPhone: '+351912345678' }, 'decline')
      await stage.until(`/v1/payments/${id}`, (payment) => member(payment, 'lastError') !== undefined)
    },
  },
  'ideal-paid': {
    meaning: 'A payment is paid by iDEAL',
    play: (stage) => paid(stage, 'IDEAL', euros, 'approve'),
  },
  'boleto-paid': {
    meaning: 'A boleto is paid, and its money arrives',
    play: (stage) => paid(stage, 'BOLETO', { ...reais, ...payerOfBoleto }, 'approve'),
  },
  'sepa-paid': {
    meaning: 'A bank transfer in euro, which the bank reports at once',
    play: (stage) => paid(stage, 'SEPA_TRANSFER', euros, 'exact'),
  },
  'sepa-typo': {
    meaning: 'A bank transfer with a mistyped reference: no event; it waits for ./vintem statement accept',
    play: (stage) => pay(stage, 'SEPA_TRANSFER', euros, 'typo'),
  },
  'sepa-twice': {
    meaning: 'Two bank transfers for one payment',
    play: async (stage) => {
      const { id } = await pay(stage, 'SEPA_TRANSFER', euros, 'twice')
      await stage.event('payment.completed', id)
      await stage.event('payment.received_after_close', id)
    },
  },
  'sepa-withdrawn': {
    meaning: 'A withdrawal by bank transfer: a file of payments, which the bank carries out',
    play: async (stage) => {
      await paid(stage, 'SEPA_TRANSFER', euros, 'exact')
      const { id } = await stage.post('/v1/withdrawals', {
        type: 'SEPA',
        amount: 1_000,
        currency: 'EUR',
        iban: 'DE89370400440532013000',
        beneficiary: 'Ana Müller',
      })
      await stage.event('withdrawal.completed', id)
    },
  },
  'payment-canceled': {
    meaning: 'You cancel a payment that nobody paid',
    play: async (stage) => {
      const { id } = await stage.post('/v1/payments', { ...reais, paymentMethods: ['PIX'] })
      await stage.post(`/v1/payments/${id}/cancel`)
      await stage.event('payment.canceled', id)
    },
  },
  'refund-completed': {
    meaning: 'A part of a Pix goes back',
    play: async (stage) => refunded(stage, await pix(stage)),
  },
  'refund-failed': {
    meaning: 'A card’s refund fails after it was completed',
    play: async (stage) => {
      const payment = await card(stage)
      const { id } = await refunded(stage, payment)
      const [refund] = await atAcquirer(stage, 'refunds', payment)
      await stage.acquirer('POST', `/refunds/${String(member(refund, 'id'))}`, { outcome: 'fail' })
      await stage.event('refund.failed', id)
    },
  },
  'dispute-opened': { meaning: 'A card’s holder disputes a payment', play: (stage) => disputed(stage) },
  'dispute-won': { meaning: 'The same, and you keep the money', play: (stage) => disputed(stage, 'won') },
  'dispute-lost': { meaning: 'The same, and it goes back', play: (stage) => disputed(stage, 'lost') },
  'withdrawal-completed': {
    meaning: 'A withdrawal by Pix arrives',
    play: async (stage) => stage.event('withdrawal.completed', (await withdrawn(stage, 'ok@sim.pix')).id),
  },
  'withdrawal-failed': {
    meaning: 'The recipient’s bank refuses it',
    play: async (stage) => stage.event('withdrawal.failed', (await withdrawn(stage, 'ac03@sim.pix')).id),
  },
  'withdrawal-returned': {
    meaning: 'It arrives, and the recipient sends it back',
    play: async (stage) => {
      const { id } = await withdrawn(stage, 'returned@sim.pix')
      await stage.event('withdrawal.completed', id)
      await stage.event('withdrawal.returned', id)
    },
  },
}
