// Incoming money: a payer pays a charge, or sends to a key.
import { now } from '../kit/clock.ts'
import { present } from '../kit/event-store.ts'
import { given } from '../kit/given.ts'
import { controlProblem } from '../kit/refusal.ts'
import { span, type Bank } from './bank.ts'
import type { WebhookWay } from './dispatch.ts'
import type { Payer } from './events.ts'
import { endToEndId } from './ids.ts'
import { pixView } from './pix-view.ts'
import { termsOf, type Account, type Charge, type Pix } from './state.ts'

export type Receiving = {
  readonly amount: string
  readonly txid?: string
  /** When it was settled. Default: now. */
  readonly settledAt?: number
  readonly payer?: Payer
  readonly info?: string
  /** Default: by the modes. False: no webhook. */
  readonly webhook?: WebhookWay | false
  /** Lists show it this many seconds later. */
  readonly listedAfterSeconds?: number
}

/** Books a Pix to a key and notifies its holder, if the Pix has a txid: others have no webhook (API Pix, /webhook). */
export function receive(bank: Bank, account: Account, receiving: Receiving): Pix {
  const { eventStore, options } = bank
  const { amount, txid, payer, info, webhook, listedAfterSeconds } = receiving
  return eventStore.together(() => {
    const at = now()
    const settledAt = receiving.settledAt ?? at
    const e2e = endToEndId(eventStore.seed, 'in', eventStore.state.counts.in + 1, settledAt)
    eventStore.record({
      type: 'pix.received',
      at,
      pixKey: account.pixKey,
      endToEndId: e2e,
      ...given({ txid }),
      amount,
      settledAt,
      ...(listedAfterSeconds === undefined ? {} : { listedAt: at + span(options, listedAfterSeconds) }),
      ...given({ payer, info }),
    })
    const pix = present(eventStore.state.pix.get(e2e))
    if (txid !== undefined && webhook !== false) bank.dispatch.notify(account, [pixView(pix)], webhook)
    return pix
  })
}

export type Paying = Omit<Receiving, 'amount' | 'txid'> & {
  /** Default: the amount of the charge. */
  readonly amount?: string
  /** How many Pix, each of the amount. */
  readonly times: number
  /** Also pays a charge that must not be paid any more. */
  readonly force: boolean
}

/** Pays a charge, as far as both banks would permit it. */
export function pay(bank: Bank, charge: Charge, paying: Paying): readonly Pix[] {
  const { amount = termsOf(charge).amount, times, force, ...rest } = paying
  const at = paying.settledAt ?? now()
  if (!force && charge.status === 'CONCLUIDA')
    throw controlProblem(409, 'already_paid', 'The charge is CONCLUIDA; force pays it again')
  if (!force && charge.status !== 'ATIVA')
    throw controlProblem(409, 'removed', 'The charge was removed; force pays it all the same')
  if (!force && at > charge.endsAt)
    throw controlProblem(409, 'expired', 'The charge has expired; force pays it all the same')
  return bank.eventStore.together(() =>
    Array.from({ length: times }, () =>
      receive(bank, charge.account, { ...rest, amount, txid: charge.txid }),
    ),
  )
}
