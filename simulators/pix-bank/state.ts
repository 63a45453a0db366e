// The bank's memory, and the one function that changes it.
import { present } from '../kit/event-store.ts'
import type { EventOf, Facts, Happening, Modes, PayoutStatus, RefundStatus, Terms } from './events.ts'
import { centsOf } from './money.ts'

export type Application = EventOf<'application.created'>

/** The holder of a Pix key here; several applications may act for it. */
export type Account = {
  readonly pixKey: string
  readonly name: string
  readonly city: string
  webhook?: { readonly url: string; readonly createdAt: number }
  readonly charges: Charge[]
  /** By settlement, oldest first. */
  readonly received: Pix[]
  readonly payouts: Payout[]
  /** In cents: what has come and gone, and what is on its way out. */
  moved: bigint
  leaving: bigint
}

export type ChargeStatus = 'ATIVA' | 'CONCLUIDA' | 'REMOVIDA_PELO_USUARIO_RECEBEDOR'

export type Charge = Readonly<Omit<Facts['charge.created'], 'pixKey' | 'terms'>> & {
  readonly account: Account
  readonly locationId: number
  readonly createdAt: number
  /** Of every revision; the last one holds. */
  readonly revisions: Terms[]
  /** The last instant at which it can be paid. */
  endsAt: number
  status: ChargeStatus
  readonly pix: Pix[]
}

export type Refund = Readonly<Omit<Facts['refund.requested'], 'endToEndId'>> & {
  readonly requestedAt: number
  endedAt?: number
  status: RefundStatus
  motivo?: string
}

export type Pix = Readonly<Omit<Facts['pix.received'], 'pixKey' | 'listedAt'>> & {
  readonly account: Account
  /** When lists begin to show it. */
  listedAt: number
  /** The last instant at which its receiver can return it. */
  refundableUntil: number
  readonly refunds: Refund[]
}

export type Payout = Readonly<Omit<Facts['payout.accepted'], 'pixKey' | 'silent'>> & {
  readonly account: Account
  readonly silent: boolean
  readonly requestedAt: number
  endedAt?: number
  status: PayoutStatus
  code?: string
  readonly returns: { readonly rtrId: string; readonly amount: string; readonly at: number }[]
}

export type State = {
  readonly applications: Map<string, Application>
  readonly accounts: Map<string, Account>
  /** By Pix key and txid. */
  readonly charges: Map<string, Charge>
  readonly byToken: Map<string, Charge>
  /** The last charge with a txid, of any key. */
  readonly byTxid: Map<string, Charge>
  readonly pix: Map<string, Pix>
  /** By Pix key and idEnvio; and by end-to-end id. */
  readonly payouts: Map<string, Payout>
  readonly payoutsByEndToEndId: Map<string, Payout>
  modes: Modes
  /** How many of each kind there ever were: the next name is made from it. A reset does not go back. */
  readonly counts: {
    locations: number
    in: number
    out: number
    refunds: number
    returns: number
  }
}

/** How long a receiver can return a Pix. */
const refundWindowMs = 90 * 24 * 60 * 60 * 1000

export const usualModes: Modes = {
  lose: false,
  repeat: 1,
  delayMs: 0,
  reorder: false,
  badCert: false,
  refunds: 'done',
}

export function emptyState(): State {
  return {
    applications: new Map(),
    accounts: new Map(),
    charges: new Map(),
    byToken: new Map(),
    byTxid: new Map(),
    pix: new Map(),
    payouts: new Map(),
    payoutsByEndToEndId: new Map(),
    modes: usualModes,
    counts: { locations: 0, in: 0, out: 0, refunds: 0, returns: 0 },
  }
}

export function keyOf(pixKey: string, id: string): string {
  return `${pixKey}\n${id}`
}

export function termsOf(charge: Charge): Terms {
  return present(charge.revisions.at(-1))
}

export function apply(state: State, event: Happening): void {
  switch (event.type) {
    case 'dates.moved':
      return moveDates(accountOf(state, event.pixKey), event)
    case 'application.created':
      state.applications.set(event.clientId, event)
      if (!state.accounts.has(event.pixKey)) state.accounts.set(event.pixKey, newAccount(event))
      return
    case 'webhook.registered':
      accountOf(state, event.pixKey).webhook = { url: event.url, createdAt: event.at }
      return
    case 'webhook.removed':
      delete accountOf(state, event.pixKey).webhook
      return
    case 'charge.created':
      return addCharge(state, event)
    case 'charge.revised':
      return reviseCharge(present(state.charges.get(keyOf(event.pixKey, event.txid))), event.terms)
    case 'charge.removed':
      present(state.charges.get(keyOf(event.pixKey, event.txid))).status = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'
      return
    case 'pix.received':
      return addPix(state, event)
    case 'refund.requested':
    case 'refund.ended':
      return applyToRefund(state, event)
    case 'payout.accepted':
    case 'payout.ended':
    case 'payout.returned':
      return applyToPayout(state, event)
    case 'modes.set':
      state.modes = event.modes
      return
    case 'reset':
      return forget(state)
    case 'webhook.delivered':
    case 'webhook.failed':
    case 'webhook.lost':
    case 'call.spoiled':
    // Kept for the log: the state does not change.
  }
}

function newAccount({ pixKey, name, city }: Application): Account {
  return { pixKey, name, city, charges: [], received: [], payouts: [], moved: 0n, leaving: 0n }
}

function accountOf(state: State, pixKey: string): Account {
  return present(state.accounts.get(pixKey))
}

function addCharge(state: State, event: EventOf<'charge.created'>): void {
  state.counts.locations += 1
  const { type: _, at, pixKey, terms, ...facts } = event
  const charge: Charge = {
    ...facts,
    account: accountOf(state, pixKey),
    locationId: state.counts.locations,
    createdAt: at,
    revisions: [terms],
    endsAt: endOf(at, terms),
    status: 'ATIVA',
    pix: [],
  }
  charge.account.charges.push(charge)
  state.charges.set(keyOf(event.pixKey, event.txid), charge)
  state.byTxid.set(event.txid, charge)
  state.byToken.set(event.token, charge)
}

/** The new life counts from the charge's creation. */
function reviseCharge(charge: Charge, terms: Terms): void {
  charge.revisions.push(terms)
  charge.endsAt = endOf(charge.createdAt, terms)
}

function endOf(createdAt: number, { expiresInSeconds }: Terms): number {
  return createdAt + expiresInSeconds * 1000
}

/** Brings closer what was still ahead at the time of the event. */
function moveDates({ charges, received }: Account, { at, byMs }: EventOf<'dates.moved'>): void {
  for (const charge of openAt(charges, at)) charge.endsAt -= byMs
  for (const pix of received) {
    if (pix.listedAt > at) pix.listedAt -= byMs
    if (pix.refundableUntil > at) pix.refundableUntil -= byMs
  }
}

/** Those that can be paid at this time. */
export function openAt(charges: readonly Charge[], at: number): readonly Charge[] {
  return charges.filter(({ status, endsAt }) => status === 'ATIVA' && endsAt > at)
}

function addPix(state: State, event: EventOf<'pix.received'>): void {
  state.counts.in += 1
  const { type: _, at: __, pixKey, listedAt = 0, ...facts } = event
  const { endToEndId, txid, amount, settledAt } = facts
  const account = accountOf(state, pixKey)
  const pix: Pix = { ...facts, account, listedAt, refundableUntil: settledAt + refundWindowMs, refunds: [] }
  state.pix.set(endToEndId, pix)
  account.moved += centsOf(amount)
  // Nearly always the newest; one with an earlier instant is sorted in.
  let at = account.received.length
  while (at > 0 && (account.received[at - 1]?.settledAt ?? 0) > settledAt) at -= 1
  account.received.splice(at, 0, pix)
  const charge = txid === undefined ? undefined : state.charges.get(keyOf(event.pixKey, txid))
  if (charge === undefined) return
  charge.pix.push(pix)
  // A payment of any value concludes it (bacen/pix-api issue 232); a removed charge stays removed (issue 387).
  if (charge.status === 'ATIVA') charge.status = 'CONCLUIDA'
}

function applyToRefund(state: State, event: EventOf<'refund.requested' | 'refund.ended'>): void {
  const { refunds, account } = present(state.pix.get(event.endToEndId))
  if (event.type === 'refund.requested') {
    state.counts.refunds += 1
    const { type: _, at: requestedAt, endToEndId: __, ...facts } = event
    account.leaving += centsOf(facts.amount)
    refunds.push({ ...facts, requestedAt, status: 'EM_PROCESSAMENTO' })
    return
  }
  const refund = present(refunds.find(({ id }) => id === event.id))
  account.leaving -= centsOf(refund.amount)
  if (event.status === 'DEVOLVIDO') account.moved -= centsOf(refund.amount)
  refund.status = event.status
  refund.endedAt = event.at
  if (event.motivo !== undefined) refund.motivo = event.motivo
}

function applyToPayout(
  state: State,
  event: EventOf<'payout.accepted' | 'payout.ended' | 'payout.returned'>,
): void {
  if (event.type === 'payout.accepted') {
    state.counts.out += 1
    const { type: _, at: requestedAt, pixKey, silent = false, ...facts } = event
    const account = accountOf(state, pixKey)
    const status = 'EM_PROCESSAMENTO'
    const payout: Payout = { ...facts, account, silent, requestedAt, status, returns: [] }
    account.payouts.push(payout)
    account.leaving += centsOf(facts.amount)
    state.payouts.set(keyOf(pixKey, facts.idEnvio), payout)
    state.payoutsByEndToEndId.set(facts.endToEndId, payout)
    return
  }
  const payout = present(state.payoutsByEndToEndId.get(event.payout))
  if (event.type === 'payout.returned') {
    state.counts.returns += 1
    payout.account.moved += centsOf(event.amount)
    payout.returns.push({ rtrId: event.rtrId, amount: event.amount, at: event.at })
    return
  }
  payout.account.leaving -= centsOf(payout.amount)
  if (event.status === 'REALIZADO') payout.account.moved -= centsOf(payout.amount)
  payout.status = event.status
  payout.endedAt = event.at
  if (event.code !== undefined) payout.code = event.code
}

/** Applications and webhook addresses stay. */
function forget(state: State): void {
  for (const map of [state.charges, state.byToken, state.byTxid, state.pix]) map.clear()
  for (const map of [state.payouts, state.payoutsByEndToEndId]) map.clear()
  for (const account of state.accounts.values()) {
    for (const list of [account.charges, account.received, account.payouts]) list.length = 0
    account.moved = 0n
    account.leaving = 0n
  }
  state.modes = usualModes
}
