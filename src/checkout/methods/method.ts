// What a payer's page needs of one method: one value of this type in a file of its own, listed in all.ts.
import type { RailFields } from '#/contract/payment-rail-fields.ts'
import type { Locale } from '#/kernel/language.ts'
import type { Currency } from '#/kernel/money.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Method } from '#/rails/method.ts'
import type { Format } from '../format.ts'
import type { Means } from '../means.ts'
import type { Mark, ShownAmount } from '../page-values.ts'
import type { Sent, Sentences } from '../sentences.ts'
import type { Panels } from './panels.ts'

/** The texts of a method's panel. A method adds sentences of its own, which its own file reads. Its names are in its descriptor. */
export type PanelWords = {
  /** What the payer can do after a failed try, by the rail's code. */
  readonly declines?: Readonly<Record<string, string>>
  /** Buttons and captions of its panel. No name of a label is used by two methods. */
  readonly labels: Readonly<Record<string, string>>
}

/** A headline, and what it means for the money. */
export type Notice = { readonly headline: string; readonly message: string }

/** How a method is shown to a payer. */
export type Shown = { readonly value: string; readonly mark: Mark }

export type ReadyInput = {
  readonly means: Means
  readonly locale: Locale
  readonly format: Format
  /** Path of the page, without a slash at its end. */
  readonly page: string
  /** Until when the payer can pay, in the page's words. */
  readonly until: string
  /** What is still to be paid, in minor units. */
  readonly openMinor: bigint
  /** The sums of the method's network, where they are finer than minor units. */
  readonly exact: ExactSums | undefined
  /** The name and logo of the method on the page. */
  readonly shown: Shown
}

export type Ready<M extends Method = Method> = {
  readonly panel: Panels[M]
  /** The message while the payer has paid nothing. */
  readonly notice: Notice
  /** The panel holds the provider's form, which shows by itself why a try failed. */
  readonly hasForm?: true
}

export type DetectedInput = {
  readonly payment: Payment
  /** The amount on its way, and the amount of the payment. */
  readonly sent: Sent
  readonly merchant: string
  readonly locale: Locale
}

export type TopUpInput = {
  readonly sent: Sent
  readonly missing: string
  readonly until: string
  readonly locale: Locale
}

export type RestInput = TopUpInput & {
  /** The charge for the rest is open. */
  readonly isOpen: boolean
  /** All that came was refunded. */
  readonly isReturned: boolean
}

/** What the page says to a payer who paid a part, and on the button that opens the charge for the rest. */
export type RestWords = {
  readonly message: string
  readonly button: string
  /** When it could not be opened: the provider did not answer, or refused. */
  readonly away: string
  readonly refused: string
}

/**
 * What came and is missing to the last digit. A page that shows transfers exactly shows their sum so too: `9.995` received and `0.005` missing,
 * never `9.99` received and `0.01` missing.
 */
export type ExactSums = { readonly received: ShownAmount; readonly missing: ShownAmount }

/** How far a network has confirmed the transfers. */
export type Progress = {
  /** Blocks, of all transfers together. */
  readonly confirmed: number
  /** Whether the next block may add to it. */
  readonly isOngoing: boolean
}

export type ProofInput = {
  readonly payment: Payment
  readonly means: Means
  readonly labels: Sentences['receipt']
  /** The row of a name that people compare by its start and its end, and copy whole. */
  readonly named: (label: string, ref: string) => ProofRow
}

/** A row of the receipt. */
export type ProofRow = { readonly label: string; readonly value: string; readonly copy?: string }

export type CheckoutMethod<M extends Method = Method, Words extends PanelWords = PanelWords> = {
  readonly words: Readonly<Record<Locale, Words>>
  /** Logos of apps that payers know better than the method, by the rail's brand. */
  readonly brandLogos?: ReadonlyMap<string, Mark>
  /** Logos of what it usually accepts, such as schemes of cards. */
  readonly accepts?: (currency: Currency) => readonly Mark[]
  /** What the payer pays with; undefined while the rail has only a part of it. */
  readonly ready: (input: ReadyInput) => Ready<M> | undefined
  /** The message for money on its way. Absent, or undefined: the common sentences. */
  readonly confirming?: (input: DetectedInput) => Partial<Notice> | undefined
  /**
   * How the payer sends the rest after a part arrived, for a method whose panel accepts any amount: then the panel stays until the
   * money is final. Absent: only the merchant can help.
   */
  readonly topUp?: (input: TopUpInput) => string
  /**
   * The same for a method whose charge is paid once, so that the rest needs another charge: a button of the page opens it.
   * `missing`: with its currency.
   */
  readonly restCharge?: (input: RestInput) => RestWords
  /** Undefined where minor units say it all. */
  readonly exactSums?: (payment: Payment, means: Means, format: Format) => ExactSums | undefined
  /** Where a network confirms money block by block. */
  readonly progress?: (means: Means) => Progress
  /** The means of payment, where the rail knows more than the method's name. `usual`: that name. */
  readonly paidWith?: (fields: RailFields, usual: Shown) => Shown
  /** What proves the payment. Absent: what the provider shows of it, else the provider's name of the money. */
  readonly proof?: (input: ProofInput) => readonly ProofRow[]
  /** The payer pays in another app, possibly before the deadline, while the money arrives after it. */
  readonly isPaidElsewhere: boolean
}
