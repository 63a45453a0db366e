// What the states of the payer's page are made of, for the scenes of the gallery.
import { formatFor } from '#/checkout/format.ts'
import { shownAs } from '#/checkout/marks.ts'
import { checkoutMethods } from '#/checkout/methods/all.ts'
import type { CheckoutMethod } from '#/checkout/methods/method.ts'
import type { Panel } from '#/checkout/methods/panels.ts'
import type { PageState, PageStep } from '#/checkout/page-state.ts'
import { qrCodeOf } from '#/checkout/qr-path.ts'
import { speech } from '#/checkout/speech.ts'
import type { PageStyle } from '#/checkout/template.ts'
import { networkLabel } from '#/coins/networks.ts'
import { textIn } from '#/kernel/dictionary.ts'
import { languageNames, type Locale } from '#/kernel/language.ts'
import type { Currency } from '#/kernel/money.ts'
import type { Voucher } from '#/rails/method.ts'
import { descriptorOf, hasFlow, type FlowName, type PanelName } from '#/rails/methods.ts'
import type { Presentation } from '#/rails/rail.ts'
import { epcText } from '#/rails/sepa/epc.ts'
import { inGroups } from '#/rails/sepa/reference.ts'

export type Scene = { readonly name: string; readonly state: PageState; readonly style?: PageStyle }
type Method = Panel['method']

export const now = new Date('2026-11-21T18:10:19.000Z')
export const endsAt = new Date('2026-11-21T18:40:00.000Z')
const paymentId = '019aa4c1-7f3e-7c52-9d0b-52a1c7e04b05'
export const merchant = 'Café Serra Azul'
const pixCode =
  '00020126870014br.gov.bcb.pix2565pix.banco.example/qr/v2/019aa4c17f3e7c529d0b52a1c7e04b05' +
  '5204000053039865802BR5916Cafe Serra Azul6009SAO PAULO62070503***6304A1D7'
const address = '0x7A6b1c93E5aD4f2B8c0D1e9F3a5C7b2D4E6f8091'
const txHash = '0x9c1f4e2ab87d5360f1e8c2d7a94b6035e1f2c8d7b6a5943021fedcba98f677e2'
const token = '0x55d398326f99059fF775485246999027B3197955'

export function scene(name: string, state: PageState): Scene {
  return { name, state }
}

export function texts(locale: Locale) {
  return speech[locale].sentences
}

/** The page's texts for a method. */
export function wordsOf<M extends Method>(
  method: M,
  locale: Locale,
): (typeof checkoutMethods)[M]['words'][Locale] {
  return checkoutMethods[method].words[locale]
}

export function sums(received: string, amount: string) {
  return { received: `${received} USDT`, amount }
}

export function base(locale: Locale, currency: Currency): PageState {
  const words = speech[locale]
  return {
    version: 3,
    locale,
    step: 'choose',
    now: now.toISOString(),
    isSandbox: false,
    merchant: { name: merchant },
    theme: 'auto',
    amount: formatOf(locale).money(currency === 'BRL' ? 12_490n : 1_000n, currency),
    headline: words.sentences.choose.headline,
    message: words.sentences.choose.message,
    description: {
      'pt-BR': 'Pedido 2041, café em grãos',
      en: 'Order 2041, coffee beans',
      es: 'Pedido 2041, café en grano',
    }[locale],
    methods: methodsOf(locale, undefined, ['PIX', 'CREDIT_CARD', 'CRYPTO']),
    fields: [],
    receipt: [],
    support: { label: words.sentences.links.support(merchant), url: 'mailto:ajuda@loja.example' },
    back: { label: words.sentences.links.back(merchant), url: 'https://loja.example/carrinho' },
    legal: [
      { label: words.sentences.links.terms, url: 'https://loja.example/termos' },
      { label: words.sentences.links.privacy, url: 'https://loja.example/privacidade' },
    ],
    languages: (Object.keys(languageNames) as Locale[]).map((code) => ({
      code,
      name: languageNames[code],
      url: `/c/example?lang=${code}`,
      isCurrent: code === locale,
    })),
    links: {
      page: '/c/example',
      state: '/c/example/state',
      events: '/c/example/events',
      choose: '/c/example/choose',
    },
    texts: words.labels,
    isFinal: false,
  }
}

function formatOf(locale: Locale) {
  return formatFor(locale, 'America/Sao_Paulo')
}

export function methodsOf(
  locale: Locale,
  chosen: Method | undefined,
  methods: readonly Method[],
): PageState['methods'] {
  return methods.map((method, index) => {
    const { accepts }: CheckoutMethod = checkoutMethods[method]
    const { label, hint, mark } = descriptorOf[method]
    return {
      method,
      label: textIn(locale, label),
      hint: textIn(locale, hint),
      mark,
      accepts: accepts?.('BRL') ?? [],
      isHighlighted: index === 0,
      isChosen: method === chosen,
    }
  })
}

type Choosing = {
  readonly locale?: Locale
  readonly fields?: PageState['fields']
  readonly name?: string
  readonly email?: string
}

/** Names come from strangers and may contain markup. */
export function chosen({
  locale = 'pt-BR',
  fields,
  name = 'Ana <b>Souza</b>',
  email = '',
}: Choosing): PageState {
  const { fields: labels, faults } = texts(locale)
  return {
    ...base(locale, 'BRL'),
    isSandbox: fields === undefined,
    fields: fields ?? [
      {
        name: 'name',
        label: labels.name,
        kind: 'text',
        autocomplete: 'name',
        isRequired: true,
        value: name,
      },
      {
        name: 'email',
        label: labels.email,
        kind: 'email',
        autocomplete: 'email',
        isRequired: true,
        value: email,
        ...(email === '' ? {} : { error: faults.email }),
      },
      { name: 'taxId', label: labels.taxId, kind: 'text', autocomplete: 'off', isRequired: false, value: '' },
      {
        name: 'country',
        label: labels.country,
        kind: 'select',
        autocomplete: 'country',
        isRequired: true,
        value: 'BR',
        options: [
          { value: 'BR', label: 'Brasil' },
          { value: 'PT', label: 'Portugal' },
        ],
      },
    ],
  }
}

export function preparing(): PageState {
  const { panel: _, expires: __, ...state } = waiting('PIX', 'BRL')
  return { ...state, ...texts('pt-BR').preparing, step: 'preparing' }
}

/** The IBAN of the national bank's own example, and the reference of ISO 11649's. */
const sepaAccount = {
  iban: 'PT50000201231234567890154',
  bic: 'BCOMPTPL',
  beneficiary: 'Cafe Serra Azul',
  reference: 'RF18539007547034',
}

export function waiting(method: Method, currency: Currency, locale: Locale = 'pt-BR'): PageState {
  const expires = formatOf(locale).instant(endsAt, now)
  const until = texts(locale).until(expires.text, true)
  const amount = formatOf(locale).money(1_000n, 'USDT').text
  const panel = panelOf(method, locale, 1_000n)
  const [pix, card] = [wordsOf('PIX', locale).waiting, wordsOf('CREDIT_CARD', locale).waiting]
  const [crypto, partner] = [wordsOf('CRYPTO', locale).waiting, wordsOf('PARTNER_PAY', locale).waiting]
  const sepa = wordsOf('SEPA_TRANSFER', locale).waiting
  const ownSpoken: Readonly<Record<PanelName, { readonly headline: string; readonly message: string }>> = {
    PIX: { ...pix, message: pix.message(until) },
    CREDIT_CARD: { headline: card.headline, message: card.message },
    CRYPTO: {
      headline: crypto.headline(amount),
      message: crypto.message(amount, networkLabel('BSC'), until),
    },
    PARTNER_PAY: { ...partner, message: partner.message(until) },
    SEPA_TRANSFER: {
      headline: sepa.headline(formatOf(locale).money(1_000n, 'EUR').text),
      message: sepa.message(until),
    },
  }
  const spoken = hasFlow(method) ? pageOf(method, locale, until) : ownSpoken[method]
  return {
    ...base(locale, currency),
    ...spoken,
    step: 'waiting',
    methods:
      method === 'PARTNER_PAY' || method === 'SEPA_TRANSFER' || hasFlow(method)
        ? methodsOf(locale, method, [method])
        : methodsOf(locale, method, ['PIX', 'CREDIT_CARD', 'CRYPTO']),
    expires: { ...expires, text: until },
    panel,
    ...('kind' in panel && panel.kind === 'VOUCHER' ? { amount: panel.amount } : {}),
  }
}

function pageOf(method: FlowName, locale: Locale, until: string) {
  const { page } = descriptorOf[method]
  if (page === undefined) throw new Error(`${method} has sentences of its own`)
  const { headline, message } = page
  return {
    headline: textIn(locale, headline),
    message: textIn(locale, typeof message === 'function' ? message(until, '678') : message),
  }
}

/** As the server builds it, of published vouchers. */
function localPanel(method: FlowName, locale: Locale): Panel {
  const { flow } = descriptorOf[method]
  const voucher: Voucher =
    method === 'BOLETO'
      ? {
          line: '10492006506100010004200997263900989810000021403',
          barcode: '10499898100000214032006561000100040099726390',
          pdfUrl: 'https://pay.example/boleto.pdf',
        }
      : { entity: '90150', reference: '123123451' }
  const presentation: Presentation =
    flow === 'VOUCHER'
      ? { kind: 'VOUCHER', voucher }
      : flow === 'PUSH'
        ? { kind: 'PUSH', phoneEnd: '678' }
        : { kind: 'HOSTED', url: 'https://bank.example/' }
  const found: CheckoutMethod = checkoutMethods[method]
  const ready = found.ready({
    means: { fields: {}, presentation },
    locale,
    format: formatOf(locale),
    page: '/c/example',
    until: '',
    openMinor: method === 'BOLETO' ? 21_403n : 43_211n,
    exact: undefined,
    shown: { value: method, mark: 'card' },
  })
  if (ready === undefined) throw new Error(`${method} has a panel`)
  return ready.panel
}

/** What the payer of `minor` sees of a method. */
export function panelOf(method: Method, locale: Locale, minor: bigint): Panel {
  const units = minor * 10n ** 16n
  const uri = `ethereum:${token}@56/transfer?address=${address}&uint256=${units}`
  if (hasFlow(method)) return localPanel(method, locale)
  switch (method) {
    case 'PIX':
      return {
        method,
        code: pixCode,
        qr: qrCodeOf(pixCode, wordsOf(method, locale).qr),
        receiver: 'Cafe Serra Azul',
      }
    case 'CRYPTO': {
      const { qr } = wordsOf(method, locale)
      return {
        method,
        address,
        addressQr: qrCodeOf(address, qr.address),
        uri,
        uriQr: qrCodeOf(uri, qr.wallet),
        amount: formatOf(locale).money(minor, 'USDT'),
        network: networkLabel('BSC'),
        token: 'USDT',
        deposits: [],
      }
    }
    case 'CREDIT_CARD':
      return { method, frameUrl: '/c/example/frame', hostedUrl: '/c/example/provider' }
    case 'PARTNER_PAY': {
      const appUrl = 'https://app.wallet.example/pay/98731200450217'
      const { value: name, mark } = shownAs(method, { locale, brands: { PARTNER_PAY: 'Binance Pay' } })
      return { method, qr: qrCodeOf(appUrl, wordsOf(method, locale).qr), appUrl, name, mark }
    }
    case 'SEPA_TRANSFER':
      return {
        method,
        qr: qrCodeOf(epcText({ ...sepaAccount, amountMinor: minor }), wordsOf(method, locale).qr),
        amount: formatOf(locale).money(minor, 'EUR'),
        beneficiary: sepaAccount.beneficiary,
        iban: { text: inGroups(sepaAccount.iban), value: sepaAccount.iban },
        bic: sepaAccount.bic,
        reference: { text: inGroups(sepaAccount.reference), value: sepaAccount.reference },
      }
  }
}

function cryptoWith(minor: bigint, deposit: bigint, confirmations: number, locale: Locale = 'pt-BR'): Panel {
  const panel = panelOf('CRYPTO', locale, minor)
  if (panel.method !== 'CRYPTO') throw new Error('another panel')
  return {
    ...panel,
    deposits: [
      {
        txHash,
        amount: formatOf(locale).money(deposit, 'USDT'),
        confirmations,
        needed: 3,
        isFinal: confirmations >= 3,
      },
    ],
  }
}

export function confirming(): PageState {
  const { headline } = texts('pt-BR').confirming
  const { inTime } = wordsOf('CRYPTO', 'pt-BR').confirming
  const { back: _, ...state } = over('confirming', 'CRYPTO', 'USDT', inTime(sums('10,00', '10,00')))
  return { ...state, headline, isFinal: false, receipt: [], panel: cryptoWith(1_000n, 1_000n, 2) }
}

export function underpaid(): PageState {
  const { headline } = texts('pt-BR').underpaid
  const { topUp } = wordsOf('CRYPTO', 'pt-BR')
  return {
    ...waiting('CRYPTO', 'USDT'),
    step: 'underpaid',
    headline,
    message: topUp(sums('8,00', '10,00'), '2,00', texts('pt-BR').until('15:40', true)),
    panel: cryptoWith(200n, 800n, 3),
  }
}

/** The means of payment as the receipt shows it. */
function paidBy(method: Method): Omit<PageState['receipt'][number], 'label'> {
  if (method === 'CREDIT_CARD') return { value: 'Visa\u00a0•••• 4242', mark: 'visa' }
  if (method === 'PARTNER_PAY') return { value: 'Binance Pay', mark: 'binance' }
  return shownAs(method, { locale: 'pt-BR', brands: {} })
}

const endToEndId = 'E60701190202611211840aB3dE5fG7h'

/** An ended payment, with its receipt and the link back. */
export function over(step: PageStep, method: Method, currency: Currency, message: string): PageState {
  const { receipt, links } = texts('pt-BR')
  const state = base('pt-BR', currency)
  return {
    ...state,
    step,
    headline:
      texts('pt-BR')[step === 'choose' || step === 'preparing' || step === 'waiting' ? 'paid' : step]
        .headline,
    message,
    methods: methodsOf('pt-BR', method, [method]),
    receipt: [
      { label: receipt.to, value: merchant },
      { label: receipt.payer, value: 'Ana Souza' },
      { label: receipt.payerTaxId, value: '***.456.789-**' },
      { label: receipt.amount, value: state.amount.text },
      { label: receipt.method, ...paidBy(method) },
      ...(['paid', 'overpaid', 'late'].includes(step)
        ? [{ label: receipt.paidAt, value: formatOf('pt-BR').moment(now).text }]
        : []),
      ...(method === 'CRYPTO'
        ? [{ label: receipt.transaction, value: `${txHash.slice(0, 10)}…${txHash.slice(-8)}`, copy: txHash }]
        : []),
      ...(method === 'PIX'
        ? [
            {
              label: receipt.endToEndId,
              value: `${endToEndId.slice(0, 10)}…${endToEndId.slice(-8)}`,
              copy: endToEndId,
            },
          ]
        : []),
      { label: receipt.number, value: paymentId, copy: paymentId },
    ],
    back: { label: links.back(merchant), url: 'https://loja.example/pedido' },
    isFinal: true,
  }
}
