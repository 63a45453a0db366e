// Payments that follow from the amount of a charge.
import { span, type Bank } from './bank.ts'
import { amountOf, centsOf } from './money.ts'
import { receive, type Receiving } from './payments.ts'
import { pixView } from './pix-view.ts'
import { takeBack } from './refunds.ts'
import type { Charge } from './state.ts'
import { termsOf } from './state.ts'

const payAfterSeconds = 2
const takeBackAfterSeconds = 20
const inert: readonly (string | undefined)[] = [undefined, '08', '10', '11', '12']

/** Schedules the payment of a new charge, if its amount is magic. */
export function arrange(bank: Bank, charge: Charge): void {
  const { scenario, txid, account } = charge
  if (scenario === undefined || inert.includes(scenario)) return
  const delayMs = span(bank.options, payAfterSeconds)
  bank.eventStore.schedule(delayMs, { do: 'autopay', pixKey: account.pixKey, txid, scenario })
}

/** Pays the charge, unless it was paid meanwhile. */
export function autopay(bank: Bank, charge: Charge, scenario: string): void {
  if (charge.status !== 'ATIVA') return
  const { eventStore, dispatch, options } = bank
  const { account } = charge
  const due = centsOf(termsOf(charge).amount)
  const pay = (how: Partial<Receiving> = {}) =>
    receive(bank, account, { amount: termsOf(charge).amount, txid: charge.txid, webhook: 'send', ...how })
  if (scenario === '02') pay({ webhook: 'lose' })
  else if (scenario === '03') pay({ webhook: 'repeat' })
  else if (scenario === '04') pay({ webhook: 'late' })
  else if (scenario === '06') pay({ amount: amountOf(due + 100n) })
  else if (scenario === '07') pay({ amount: amountOf(due > 100n ? due - 100n : 1n) })
  else if (scenario === '14') pay({ listedAfterSeconds: 90 })
  else if (scenario === '05') for (let n = 0; n < 2; n++) pay()
  else if (scenario === '09') {
    const { endToEndId } = pay()
    const delayMs = span(options, takeBackAfterSeconds)
    eventStore.schedule(delayMs, { do: 'med', endToEndId, natureza: 'MED_FRAUDE' })
  } else if (scenario === '13') {
    const pix = pay({ webhook: false })
    const receipt = pixView(pix)
    takeBack(bank, pix, { natureza: 'MED_OPERACIONAL', status: 'DEVOLVIDO', webhook: 'send' })
    dispatch.notify(account, [receipt], { afterSeconds: 3 })
  } else pay()
}

/** Pays at once, and sends the webhook before anything else is answered. */
export async function payBeforeAnswer(bank: Bank, charge: Charge): Promise<void> {
  const { txid, account } = charge
  const pix = receive(bank, account, { amount: termsOf(charge).amount, txid, webhook: false })
  if (account.webhook !== undefined) await bank.dispatch.deliverNow(account, [pixView(pix)])
}
