// The bank's page for people, at the control port: the last charges with their actions, the modes of webhooks, the log.
import type { Child, Markup } from '../../web/live/markup.ts'
import { icon, state } from '../../web/live/parts.ts'
import { clockSections } from '../kit/account-clock.ts'
import { now } from '../kit/clock.ts'
import type { Route } from '../kit/http.ts'
import { actions, listSection, part, row, switches, when } from '../kit/page-parts.ts'
import { pageRoutes } from '../kit/page.ts'
import type { Bank } from './bank.ts'
import { copyPasteOf, latestCharges } from './charges.ts'
import type { Controls } from './control.ts'
import { holdersOf } from './holder-time.ts'
import { brl } from './money.ts'
import { logOf } from './page-log.ts'
import { termsOf, type Charge, type Pix, type Refund } from './state.ts'

const shown = 30

export function bankPage(bank: Bank, controls: Controls): readonly Route[] {
  const { eventStore, passing } = bank
  const empty = 'No charge yet. Make a payment with PIX, and it appears here.'
  const { down, webhooks, refunds, clock } = controls
  return pageRoutes({
    folder: import.meta.dirname,
    brand: 'Pix bank',
    heading: 'You are the payer, and the bank',
    intro: 'Charges arrive by the API Pix. Pay them, give the money back, or let something go wrong.',
    lists: () => {
      const rows = latestCharges(bank, shown).map((charge) => chargeRow(bank, controls, charge))
      return [listSection({ key: 'charges', title: 'Charges', empty }, rows)]
    },
    side: () => [
      switches(
        'The bank',
        down.buttons(undefined),
        passing.down ? state('bad', 'Down') : state('good', 'Up'),
      ),
      switches('Webhooks', webhooks.buttons(undefined)),
      refunds.section(),
      ...clockSections(clock, holdersOf(eventStore.state)),
    ],
    log: () => logOf(bank),
    recent: eventStore.recent,
  })
}

function chargeRow(bank: Bank, controls: Controls, charge: Charge): Markup {
  const { txid, account } = charge
  return row({
    key: `${account.pixKey} ${txid}`,
    amount: brl(termsOf(charge).amount),
    beside: stateOf(charge),
    about: [account.name, ' · ', when(charge.createdAt)],
    link: [
      'button',
      { class: 'plain', type: 'button', 'data-copy': copyPasteOf(bank, charge) },
      icon('copy'),
      'Copy code',
      ['span', { class: 'aside' }, ` of charge ${txid}`],
    ],
    id: txid,
    parts: [...charge.pix.map((pix) => pixPart(controls, pix)), ...payParts(controls, charge)],
  })
}

function stateOf(charge: Charge): Markup {
  if (charge.status === 'CONCLUIDA') return state('good', 'Paid')
  if (charge.status !== 'ATIVA') return state('over', 'Removed', 'bad')
  return now() > charge.endsAt ? state('bad', 'Expired', 'wait') : state('wait', 'Waiting')
}

/** The usual payment as a button, all others behind "More ways". */
function payParts({ pay }: Controls, charge: Charge): readonly Child[] {
  const more = 'More ways to pay'
  return [
    ...actions(pay.buttons(charge)),
    [
      'details',
      {},
      ['summary', {}, more, ['span', { class: 'aside' }, ` charge ${charge.txid}`]],
      ...actions(pay.more(charge)),
      pay.form(charge),
    ],
  ]
}

function pixPart(controls: Controls, pix: Pix): Markup {
  const { endToEndId: id, amount, settledAt: at, refunds } = pix
  return part({
    key: id,
    words: `${brl(amount)} received`,
    at,
    id,
    parts: [
      ...refunds.map((refund) => refundPart(controls, pix, refund)),
      ...actions([...controls.med.buttons(pix), ...controls.resend.buttons(pix)]),
    ],
  })
}

const refundWords = {
  EM_PROCESSAMENTO: 'under way',
  DEVOLVIDO: 'went back',
  NAO_REALIZADO: 'failed',
} as const

function refundPart(controls: Controls, pix: Pix, refund: Refund): Markup {
  const why = refund.natureza === 'ORIGINAL' ? 'refund' : refund.natureza
  return [
    'div',
    { class: 'refund', 'data-key': refund.id },
    ['p', {}, `${brl(refund.amount)}, ${why}: ${refundWords[refund.status]}`],
    ...actions(controls.refund.buttons({ pix, refund })),
  ]
}
