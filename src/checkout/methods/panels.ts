// What the server passes to the view when the payer can pay, for each method. Both sides of the page import it, so it holds types
// only.
import type { FlowName } from '#/rails/methods.ts'
import type { Mark, QrCode, ShownAmount } from '../page-values.ts'

export type Panels = {
  PIX: {
    readonly method: 'PIX'
    readonly code: string
    readonly qr: QrCode
    /** The recipient that the code names. */
    readonly receiver?: string
    /** What this code is for, where that is not the amount of the payment. */
    readonly amount?: ShownAmount
  }
  CRYPTO: {
    readonly method: 'CRYPTO'
    readonly address: string
    readonly addressQr: QrCode
    /** EIP-681: a wallet that reads it fills in token, address and amount. */
    readonly uri: string
    readonly uriQr: QrCode
    /** What is still to be sent, in whole tokens. */
    readonly amount: ShownAmount
    /** The label that exchanges use. */
    readonly network: string
    readonly token: string
    readonly deposits: readonly {
      readonly txHash: string
      readonly amount: ShownAmount
      readonly confirmations: number
      readonly needed: number
      readonly isFinal: boolean
    }[]
  }
  CREDIT_CARD: {
    readonly method: 'CREDIT_CARD'
    /** A page of ours that holds the provider's frame and nothing else. */
    readonly frameUrl?: string
    /** Goes on to the provider. */
    readonly hostedUrl: string
  }
  PARTNER_PAY: {
    readonly method: 'PARTNER_PAY'
    readonly qr: QrCode
    readonly appUrl: string
    readonly name: string
    readonly mark: Mark
  }
  SEPA_TRANSFER: {
    readonly method: 'SEPA_TRANSFER'
    readonly qr: QrCode
    readonly amount: ShownAmount
    readonly beneficiary: string
    readonly iban: { readonly text: string; readonly value: string }
    readonly bic?: string
    readonly reference: { readonly text: string; readonly value: string }
  }
} & { [M in FlowName]: OfFlow<M> }

export type Panel = Panels[keyof Panels]

/** The panels of flow.tsx. */
export type FlowPanel = Panels[FlowName]

type OfFlow<M extends FlowName> = { readonly method: M } & (
  | {
      readonly kind: 'REDIRECT'
      /** Goes on to the provider. */
      readonly hostedUrl: string
    }
  | {
      readonly kind: 'PUSH'
      /** Asks the phone again. */
      readonly againUrl: string
    }
  | { readonly kind: 'DEBIT'; readonly waiting: string }
  | {
      readonly kind: 'VOUCHER'
      readonly amount: ShownAmount
      readonly lines?: { readonly entity: string; readonly reference: string; readonly shown: string }
      readonly line?: { readonly value: string; readonly shown: string }
      readonly bars?: { readonly width: number; readonly path: string; readonly label: string }
      readonly pdfUrl?: string
    }
)
