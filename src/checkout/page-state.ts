// What a payer's page shows, all of it: the server makes it, the view turns it into a page, on the server and again in the
// browser. Every text and amount is ready to be read; the browser formats nothing.

/** An amount as it is read, and as it is copied: `R$ 1.234,50` and `1234.50`. */
export type ShownAmount = { readonly text: string; readonly value: string }

/** An instant as it is read (in the page's language and time zone), and as it is (ISO 8601, UTC). */
export type ShownInstant = { readonly text: string; readonly at: string }

/** Dark on white, as modules of a square: an SVG path within `0 0 size size`, quiet zone included. */
export type QrCode = { readonly size: number; readonly path: string; readonly label: string }

/**
 * - `choose`: no method is chosen, or fields are missing. - `preparing`: the provider is being asked. - `waiting`: the payer
 *   can pay. - `confirming`: money was seen, or is authorised, and is not final. - `underpaid`: a part came, the rest can.
 * - `paid`: final, with `overpaid` or `late` where that is so. - `expired`, `failed`, `canceled`: over.
 */
export const pageSteps = [
  'choose',
  'preparing',
  'waiting',
  'confirming',
  'underpaid',
  'paid',
  'overpaid',
  'late',
  'expired',
  'failed',
  'canceled',
] as const
export type PageStep = (typeof pageSteps)[number]

/** Drawings of ours that payers know a way of paying by. */
export type Mark = 'pix' | 'usdt' | 'card' | 'wallet' | 'binance' | 'visa' | 'mastercard' | 'elo' | 'amex'

/** By what the payer pays. Adding a method is adding a panel. */
export type Panel =
  /** `receiver`: who is paid, as the code names them. */
  | { readonly method: 'PIX'; readonly code: string; readonly qr: QrCode; readonly receiver?: string }
  | {
      readonly method: 'CRYPTO'
      readonly address: string
      readonly addressQr: QrCode
      /** EIP-681: a wallet that reads it fills in token, address and amount. */
      readonly uri: string
      readonly uriQr: QrCode
      /** What is still to be sent, in whole tokens. */
      readonly amount: ShownAmount
      /** As exchanges label it. */
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
  /** `frameUrl`: a page of ours that holds the provider's frame and nothing else. `hostedUrl`: goes on to the provider. */
  | { readonly method: 'CREDIT_CARD'; readonly frameUrl?: string; readonly hostedUrl: string }
  | {
      readonly method: 'PARTNER_PAY'
      readonly qr: QrCode
      readonly appUrl: string
      readonly name: string
      readonly mark: Mark
    }

export type MethodChoice = {
  readonly method: Panel['method']
  readonly label: string
  /** One line that says how it works or how long it takes. */
  readonly hint: string
  readonly mark: Mark
  /** Cards that are taken. */
  readonly accepts: readonly Mark[]
  readonly isHighlighted: boolean
  readonly isChosen: boolean
}

/** A field that the template collects. `name` is the form's. */
export type PageField = {
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'email' | 'tel' | 'select'
  readonly autocomplete: string
  readonly isRequired: boolean
  readonly value: string
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  /** What is wrong with what was sent, and what to do. */
  readonly error?: string
}

export type PageState = {
  /** Grows with every change: the id of the live event that carries it. */
  readonly version: number
  /** BCP 47. */
  readonly locale: string
  readonly step: PageStep
  readonly now: string
  readonly isSandbox: boolean
  readonly merchant: { readonly name: string; readonly logoUrl?: string }
  readonly theme: 'light' | 'dark' | 'auto'
  readonly amount: ShownAmount
  /** The one thing to know, what it means for the money, and what to do next. */
  readonly headline: string
  readonly message: string
  readonly description?: string
  /** Of the template: a title and a note above, thanks below the receipt. */
  readonly title?: string
  readonly note?: string
  readonly thanks?: string
  readonly methods: readonly MethodChoice[]
  readonly fields: readonly PageField[]
  readonly panel?: Panel
  /** Until when the payer can pay; absent when that is over, or money is on its way. */
  readonly expires?: ShownInstant
  /** A try that failed, in plain words. */
  readonly problem?: string
  /** The provider's form in the panel has said it, and takes it back at the next try: the page repeats it to nobody who sees that form. */
  readonly isSaidInForm?: true
  /** Rows of the receipt: amount, method, time, number, transaction. */
  readonly receipt: readonly {
    readonly label: string
    readonly value: string
    readonly copy?: string
    readonly mark?: Mark
  }[]
  readonly support?: { readonly label: string; readonly url: string }
  readonly legal: readonly { readonly label: string; readonly url: string }[]
  readonly languages: readonly {
    readonly code: string
    readonly name: string
    readonly url: string
    readonly isCurrent: boolean
  }[]
  /** Back to the merchant: `afterSeconds` says that the page goes there by itself. */
  readonly back?: { readonly label: string; readonly url: string; readonly afterSeconds?: number }
  readonly links: {
    readonly page: string
    readonly state: string
    readonly events: string
    /** Forms are posted there: the method and fields; giving up, where the template offers it. */
    readonly choose: string
    readonly cancel?: string
  }
  /** Labels of buttons and captions, by name, in the page's language. */
  readonly texts: Readonly<Record<string, string>>
  /** Nothing will change any more: the page stops asking. */
  readonly isFinal: boolean
}
