// The view of the bank's page: the last charges with their actions, the modes of webhooks, the log.
import type { Child, Markup } from '../../web/live/markup.ts'
import { icon, state } from '../../web/live/parts.ts'
import { iso, now } from '../kit/clock.ts'
import { logSection } from '../kit/log.ts'
import { action, actions, listSection, side, when } from '../kit/page-parts.ts'
import { controlPage } from '../kit/page.ts'
import type { Bank } from './bank.ts'
import { copyPasteOf, latestCharges } from './charges.ts'
import { brl } from './money.ts'
import { logOf } from './page-log.ts'
import { settingSections } from './page-settings.ts'
import { termsOf, type Charge, type Pix, type Refund } from './state.ts'

const shown = 30

export function page(bank: Bank): Markup {
  return controlPage({
    title: 'Pix bank simulator',
    brand: 'Pix bank',
    heading: 'You are the payer, and the bank',
    intro: 'Charges arrive by the API Pix. Pay them, give the money back, or let something go wrong.',
    live: live(bank),
  })
}

/** The part of the page that keeps itself current. */
export function live(bank: Bank): readonly Markup[] {
  const empty = 'No charge yet. Make a payment with PIX, and it appears here.'
  const rows = latestCharges(bank, shown).map((charge) => chargeRow(bank, charge))
  return [
    listSection({ key: 'charges', title: 'Charges', empty }, rows),
    side(...settingSections(bank), logSection(logOf(bank))),
  ]
}

function chargeRow(bank: Bank, charge: Charge): Markup {
  const { txid, account } = charge
  const { amount } = termsOf(charge)
  const copy: Markup = [
    'button',
    { class: 'plain', type: 'button', 'data-copy': copyPasteOf(bank, charge) },
    icon('copy'),
    'Copy code',
    ['span', { class: 'aside' }, ` of charge ${txid}`],
  ]
  return [
    'li',
    { 'data-key': `${account.pixKey} ${txid}` },
    ['div', { class: 'line' }, ['h3', { class: 'amount' }, brl(amount)], stateOf(charge)],
    ['div', { class: 'line soft' }, ['span', {}, account.name, ' · ', when(charge.createdAt)], copy],
    ['code', { class: 'id' }, txid],
    ...charge.pix.map(pixPart),
    ...payActions(charge, amount),
  ]
}

function stateOf(charge: Charge): Markup {
  if (charge.status === 'CONCLUIDA') return state('good', 'Paid')
  if (charge.status !== 'ATIVA') return state('over', 'Removed', 'bad')
  if (now() > charge.endsAt) return state('bad', 'Expired', 'wait')
  return state('wait', 'Waiting')
}

/** The usual payment as a button, all others behind "More ways". */
function payActions(charge: Charge, amount: string): readonly Child[] {
  const { txid } = charge
  const isOpen = charge.status === 'ATIVA' && now() <= charge.endsAt
  const isPaid = charge.status === 'CONCLUIDA'
  const late = { happenedAt: iso(Math.max(now(), charge.endsAt + 1000)) }
  const pay = (words: string, more: Readonly<Record<string, unknown>>, style = 'second') =>
    action(words, '/_sim/pay', { txid, ...more }, style)
  const usual = isOpen
    ? [pay(`Pay ${brl(amount)}`, {}, 'first')]
    : charge.status === 'ATIVA'
      ? [pay('Pay late', { force: true }, 'first')]
      : []
  const forced = isOpen ? {} : { force: true }
  const again =
    charge.status === 'ATIVA' ? [] : [pay(isPaid ? 'Pay again' : 'Pay all the same', { force: true })]
  const twice = charge.status === 'ATIVA' ? [pay('Pay twice', { ...forced, times: 2 })] : []
  const inTime = isOpen ? [pay('Pay late', { ...late, force: true })] : []
  const ways = [
    ...again,
    ...twice,
    ...inTime,
    pay('Pay, lose the webhook', { ...forced, webhook: 'lose' }),
    pay('Pay, webhook three times', { ...forced, webhook: 'repeat' }),
    pay('Pay, webhook late', { ...forced, webhook: 'late' }),
  ]
  return [
    ...actions(...usual),
    [
      'details',
      {},
      ['summary', {}, 'More ways to pay', ['span', { class: 'aside' }, ` charge ${txid}`]],
      ...actions(...ways),
      otherAmount(txid, forced),
    ],
  ]
}

function otherAmount(txid: string, forced: Readonly<Record<string, unknown>>): Markup {
  const id = `amount-${txid}`
  return [
    'form',
    { class: 'other', 'data-call': '/_sim/pay', 'data-body': JSON.stringify({ txid, ...forced }) },
    ['label', { for: id }, 'Another amount'],
    [
      'input',
      {
        id,
        name: 'amount',
        inputmode: 'decimal',
        autocomplete: 'off',
        placeholder: '12,34',
        pattern: '\\d{1,10}[.,]\\d{2}',
        title: 'An amount with two decimals, such as 12,34',
        required: '',
      },
    ],
    ['button', { class: 'second', type: 'submit' }, 'Pay this'],
  ]
}

function pixPart(pix: Pix): Markup {
  const { endToEndId, amount, settledAt } = pix
  const give = (words: string, natureza: string) => action(words, '/_sim/med', { endToEndId, natureza })
  return [
    'div',
    { class: 'pix', 'data-key': endToEndId },
    ['p', { class: 'line' }, ['strong', {}, `${brl(amount)} received`], when(settledAt)],
    ['code', { class: 'id' }, endToEndId],
    ...pix.refunds.map((refund) => refundPart(pix, refund)),
    ...actions(
      give('Refund', 'ORIGINAL'),
      give('Take back (MED)', 'MED_FRAUDE'),
      action('Webhook again', '/_sim/webhooks/resend', { endToEndId }),
    ),
  ]
}

function refundPart(pix: Pix, refund: Refund): Markup {
  const why = refund.natureza === 'ORIGINAL' ? 'refund' : refund.natureza
  const end = (words: string, status: string) =>
    action(words, `/_sim/refunds/${pix.endToEndId}/${refund.id}`, { status })
  const words = { EM_PROCESSAMENTO: 'under way', DEVOLVIDO: 'went back', NAO_REALIZADO: 'failed' }[
    refund.status
  ]
  const isOpen = refund.status === 'EM_PROCESSAMENTO'
  return [
    'div',
    { class: 'refund', 'data-key': refund.id },
    ['p', {}, `${brl(refund.amount)}, ${why}: ${words}`],
    ...(isOpen ? actions(end('Done', 'DEVOLVIDO'), end('Failed', 'NAO_REALIZADO')) : []),
  ]
}
