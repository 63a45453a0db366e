// The bank's events. The journal holds these and the events that an event store records itself; the state follows from them.
import type { EventsOf } from '../kit/event-store.ts'
import type { Delivery } from '../kit/outbox.ts'

/** A charge as its receiver wrote it (CobSolicitada of the API Pix). */
export type Terms = {
  readonly expiresInSeconds: number
  readonly amount: string
  readonly modalidadeAlteracao?: number
  readonly chave: string
  readonly devedor?: Readonly<Record<string, string>>
  readonly solicitacaoPagador?: string
  readonly infoAdicionais?: readonly { readonly nome: string; readonly valor: string }[]
}

export type Payer = { readonly nome?: string; readonly cpf?: string; readonly cnpj?: string }

export type RefundStatus = 'EM_PROCESSAMENTO' | 'DEVOLVIDO' | 'NAO_REALIZADO'
export type PayoutStatus = 'EM_PROCESSAMENTO' | 'REALIZADO' | 'NAO_REALIZADO'

export const naturezas = [
  'ORIGINAL',
  'RETIRADA',
  'MED_OPERACIONAL',
  'MED_FRAUDE',
  'MED_PIX_AUTOMATICO',
] as const
export type Natureza = (typeof naturezas)[number]

/** One call to a webhook: the `pix` array as it was when the event happened. */
export type Letter = { readonly pixKey: string; readonly items: readonly unknown[] }

/** A task for later. It survives a restart. */
export type Task = Delivery<Letter> | BankTask

export type BankTask =
  | { readonly do: 'autopay'; readonly pixKey: string; readonly txid: string; readonly scenario: string }
  | { readonly do: 'med'; readonly endToEndId: string; readonly natureza: Natureza }
  | {
      readonly do: 'end-refund'
      readonly endToEndId: string
      readonly id: string
      readonly status: RefundStatus
    }
  | {
      readonly do: 'end-payout'
      readonly payout: string
      readonly status: PayoutStatus
      readonly code?: string
    }
  | { readonly do: 'return-payout'; readonly payout: string }

/** How webhooks and refunds go from now on. */
export type Modes = {
  /** True: every webhook is lost; a number: this many more. */
  readonly lose: boolean | number
  /** Each webhook is sent this many times. */
  readonly repeat: number
  readonly delayMs: number
  /** Of two webhooks the second goes first. */
  readonly reorder: boolean
  /** With a client certificate that no receiver should trust. */
  readonly badCert: boolean
  readonly refunds: 'done' | 'pending' | 'fail'
}

/** What can happen, by type of event. */
export type Facts = {
  'application.created': {
    clientId: string
    secretHash: string
    thumbprint: string
    scopes: readonly string[]
    pixKey: string
    name: string
    city: string
    magic: boolean
  }
  /** What is still ahead of the holder of a key came closer. */
  'dates.moved': { pixKey: string; byMs: number }
  'webhook.registered': { pixKey: string; url: string }
  'webhook.removed': { pixKey: string }
  'charge.created': { pixKey: string; txid: string; token: string; terms: Terms; scenario?: string }
  'charge.revised': { pixKey: string; txid: string; terms: Terms }
  'charge.removed': { pixKey: string; txid: string }
  'pix.received': {
    pixKey: string
    endToEndId: string
    txid?: string
    amount: string
    settledAt: number
    listedAt?: number
    payer?: Payer
    info?: string
  }
  'refund.requested': {
    endToEndId: string
    id: string
    rtrId: string
    amount: string
    natureza: Natureza
    descricao?: string
  }
  'refund.ended': { endToEndId: string; id: string; status: RefundStatus; motivo?: string }
  'payout.accepted': {
    pixKey: string
    idEnvio: string
    endToEndId: string
    amount: string
    to: string
    info?: string
    /** Its end is not announced by a webhook. */
    silent?: true
  }
  'payout.ended': { payout: string; status: PayoutStatus; code?: string }
  'payout.returned': { payout: string; rtrId: string; amount: string }
  'modes.set': { modes: Modes }
  reset: object
  // Events that change nothing at the bank, for the log.
  'webhook.delivered': { pixKey: string; about: readonly string[] }
  'webhook.failed': {
    pixKey: string
    about: readonly string[]
    tried: number
    error: string
    givenUp: boolean
  }
  'webhook.lost': { pixKey: string; about: readonly string[] }
  /** `traceparent`: the header of W3C Trace Context. */
  'call.spoiled': { method: string; path: string; how: string; traceparent?: string }
}

export type Happening = EventsOf<Facts>
export type EventOf<Type extends keyof Facts> = Extract<Happening, { readonly type: Type }>
