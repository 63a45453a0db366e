// All that a payer's page shows. The server builds it; the view renders it on the server and again in the browser. Every text and
// amount is ready to be shown: the browser formats nothing.
import type { Panel } from './methods/panels.ts'
import type { Mark, ShownAmount, ShownInstant } from './page-values.ts'

/**
 * - `choose`: no method is chosen, or fields are missing.
 * - `preparing`: waiting for the provider's answer.
 * - `waiting`: the payer can pay.
 * - `confirming`: money was detected, or is authorised, and is not final.
 * - `underpaid`: a part arrived, the rest can still be paid.
 * - `paid`: final, with `overpaid` or `late` where that applies.
 * - `expired`, `failed`, `canceled`: over.
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

export type MethodChoice = {
  readonly method: Panel['method']
  readonly label: string
  /** One line on how it works or how long it takes. */
  readonly hint: string
  readonly mark: Mark
  /** Logos of the cards that are accepted. */
  readonly accepts: readonly Mark[]
  readonly isHighlighted: boolean
  readonly isChosen: boolean
}

/** A field that the template collects. `name` is that of the form. */
export type PageField = {
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'email' | 'tel' | 'select'
  readonly autocomplete: string
  readonly isRequired: boolean
  readonly value: string
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  /** What the payer agrees to by filling it in. */
  readonly note?: string
  /** The fault of what was sent, and what to do. */
  readonly error?: string
}

export type PageItems = {
  /** The label of the list; if the list is folded, with the number of its lines. */
  readonly label: string
  readonly isFolded: boolean
  readonly lines: readonly {
    readonly name: string
    /** Quantity and price of one, where there are several: `2 × R$ 6,00`. */
    readonly each?: string
    readonly total: string
  }[]
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
  /** The main message, what it means for the money, and what to do next. */
  readonly headline: string
  readonly message: string
  readonly description?: string
  /** What the payment is for, one line for each item. */
  readonly items?: PageItems
  /** From the template: a title and a note above, thanks below the receipt. */
  readonly title?: string
  readonly note?: string
  readonly thanks?: string
  readonly methods: readonly MethodChoice[]
  readonly fields: readonly PageField[]
  readonly panel?: Panel
  /** A part came, and a press of this button opens what the payer needs for the rest. */
  readonly rest?: { readonly label: string; readonly url: string }
  /** Until when the payer can pay; absent when that is over, or money is on its way. */
  readonly expires?: ShownInstant
  /** A failed try, in plain words. */
  readonly problem?: string
  /**
   * The provider's form in the panel shows the problem itself, and clears it at the next try. So the page shows it only where there
   * is no form.
   */
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
  /** The link back to the merchant. `afterSeconds`: the page goes there by itself after this time. */
  readonly back?: { readonly label: string; readonly url: string; readonly afterSeconds?: number }
  readonly links: {
    readonly page: string
    readonly state: string
    readonly events: string
    /** Forms are posted there: the method and fields; canceling, where the template offers it. */
    readonly choose: string
    readonly cancel?: string
  }
  /** In a sandbox: by which the developer plays the payer. A form is posted to `url`, with the name of an act. */
  readonly simulation?: {
    readonly label: string
    readonly url: string
    readonly acts: readonly { readonly name: string; readonly label: string }[]
  }
  /** Labels of buttons and captions, by name, in the page's language. */
  readonly texts: Readonly<Record<string, string>>
  /** Nothing will change any more: the page stops polling. */
  readonly isFinal: boolean
}
