// The bank's events. The journal holds these and the events that an event store records itself; the state follows from them.
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

type At = { readonly at: number }

export type Happening =
  | (At & {
      readonly type: 'application.created'
      readonly clientId: string
      readonly secretHash: string
      readonly thumbprint: string
      readonly scopes: readonly string[]
      readonly pixKey: string
      readonly name: string
      readonly city: string
      readonly magic: boolean
    })
  // What is still ahead of the holder of a key came closer.
  | (At & { readonly type: 'dates.moved'; readonly pixKey: string; readonly byMs: number })
  | (At & { readonly type: 'webhook.registered'; readonly pixKey: string; readonly url: string })
  | (At & { readonly type: 'webhook.removed'; readonly pixKey: string })
  | (At & {
      readonly type: 'charge.created'
      readonly pixKey: string
      readonly txid: string
      readonly token: string
      readonly terms: Terms
      readonly scenario?: string
    })
  | (At & {
      readonly type: 'charge.revised'
      readonly pixKey: string
      readonly txid: string
      readonly terms: Terms
    })
  | (At & { readonly type: 'charge.removed'; readonly pixKey: string; readonly txid: string })
  | (At & {
      readonly type: 'pix.received'
      readonly pixKey: string
      readonly endToEndId: string
      readonly txid?: string
      readonly amount: string
      readonly settledAt: number
      readonly listedAt?: number
      readonly payer?: Payer
      readonly info?: string
    })
  | (At & {
      readonly type: 'refund.requested'
      readonly endToEndId: string
      readonly id: string
      readonly rtrId: string
      readonly amount: string
      readonly natureza: Natureza
      readonly descricao?: string
    })
  | (At & {
      readonly type: 'refund.ended'
      readonly endToEndId: string
      readonly id: string
      readonly status: RefundStatus
      readonly motivo?: string
    })
  | (At & {
      readonly type: 'payout.accepted'
      readonly pixKey: string
      readonly idEnvio: string
      readonly endToEndId: string
      readonly amount: string
      readonly to: string
      readonly info?: string
      /** Its end is not announced by a webhook. */
      readonly silent?: true
    })
  | (At & {
      readonly type: 'payout.ended'
      readonly payout: string
      readonly status: PayoutStatus
      readonly code?: string
    })
  | (At & {
      readonly type: 'payout.returned'
      readonly payout: string
      readonly rtrId: string
      readonly amount: string
    })
  | (At & { readonly type: 'modes.set'; readonly modes: Modes })
  | (At & { readonly type: 'reset' })
  // Events that change nothing at the bank, for the log.
  | (At & { readonly type: 'webhook.delivered'; readonly pixKey: string; readonly about: readonly string[] })
  | (At & {
      readonly type: 'webhook.failed'
      readonly pixKey: string
      readonly about: readonly string[]
      readonly tried: number
      readonly error: string
      readonly givenUp: boolean
    })
  | (At & { readonly type: 'webhook.lost'; readonly pixKey: string; readonly about: readonly string[] })
  | (At & {
      readonly type: 'call.spoiled'
      readonly method: string
      readonly path: string
      readonly how: string
      /** The header of W3C Trace Context. */
      readonly traceparent?: string
    })
