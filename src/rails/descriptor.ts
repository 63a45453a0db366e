// What is said of a payment method once: every list of methods is made of the descriptors (methods.ts), on the server and in the browser.
// So a descriptor is data, and imports nothing of a rail.
import type { Texts } from '#/kernel/dictionary.ts'
import type { Currency } from '#/kernel/money.ts'

/**
 * What a method may need of its payer before it can be opened.
 * - `taxId`: a CPF or CNPJ.
 * - `address`: with region and postcode.
 * - `iban`: the account to be debited, with the mandate that its holder accepts on our page. No merchant can give it.
 */
export type PayerNeed = 'name' | 'email' | 'phone' | 'taxId' | 'address' | 'iban'

/** The smallest and the largest amount that a provider accepts in one payment, in minor units. */
export type AmountLimits = { readonly min: bigint; readonly max: bigint }

/**
 * How the payer pays, where the page shows it as it does for every such method.
 * - `REDIRECT`: on a page of the provider or the bank.
 * - `PUSH`: in an app on the phone.
 * - `VOUCHER`: at a bank, with what the page shows.
 * - `DEBIT`: from the account that the payer named; the bank answers days later.
 */
export type Flow = 'REDIRECT' | 'PUSH' | 'VOUCHER' | 'DEBIT'

/** Our drawings of the logos of methods. */
export type MethodMark =
  | 'pix'
  | 'usdt'
  | 'card'
  | 'wallet'
  | 'bank'
  | 'multibanco'
  | 'mbway'
  | 'ideal'
  | 'bancontact'
  | 'bizum'
  | 'boleto'

/** A name that every language has. */
export function inAll(text: string): Texts {
  return [text, text, text]
}

/** `phone`: its last digits. */
export type PageMessage = Texts | ((until: string, phone: string) => Texts)

/** The scenarios by which the sandbox's payer can pay, as the API documents them. */
export type Repertoire<Scenario extends string = string> = {
  readonly scenarios: readonly Scenario[]
  /** What the scenarios of this method alone mean, and those that differ from other methods'. */
  readonly meaning: string
}

export type Descriptor<Name extends string = string> = {
  readonly method: Name
  /** In which it can be paid, the usual one first. Of those of an account, its connection decides. */
  readonly currencies: readonly [Exclude<Currency, 'BNB'>, ...Exclude<Currency, 'BNB'>[]]
  /** A request has to name one of them. Absent: the usual one, or that of the connection, is the default. */
  readonly namesCurrency?: true
  /** What a checkout asks the payer for when it is chosen. Absent: nothing. */
  readonly needs?: readonly PayerNeed[]
  /** Whose payers know it as their own, ISO 3166-1 alpha-2. Absent: none in particular. */
  readonly countries?: readonly string[]
  readonly refunds: 'PART' | 'NONE'
  /** Of which method its connections are. Absent: its own. */
  readonly connectedAs?: string
  /** Absent: its page has a panel of its own. */
  readonly flow?: Flow
  /** The longest that its payer can have, from the choice on. Absent: as long as the merchant gives. */
  readonly lifetimeMaxMs?: number
  /** The money is reported hours or days after the payer acted. */
  readonly isDelayed?: boolean
  readonly mark: MethodMark
  /** As its payers know it. */
  readonly label: Texts
  /** As merchants know it. Absent: as payers do. */
  readonly merchantLabel?: Texts
  /** As the operator knows it, who has several methods of the same money. Absent: as merchants do. */
  readonly operatorLabel?: Texts
  /** In the sentence "can be paid by …". Absent: the label. */
  readonly by?: Texts
  /** Who reports what came, at the beginning of a sentence. */
  readonly who: Texts
  /** To payers: one line on how it works or how long it takes. */
  readonly hint: Texts
  /** Of a method with a flow, while the payer can pay. Absent: what the page says of every debit. */
  readonly page?: { readonly headline: Texts; readonly message: PageMessage }
  /** To merchants: why its money cannot go back. Absent: it can. */
  readonly noRefund?: Texts
  /** Absent: the sandbox has no payer of it. */
  readonly sandbox?: Repertoire
  /**
   * What an inspection knows of its artifacts.
   * - `PAGE`: only the page uses them.
   * - `VOUCHER`: a bank must accept a voucher among them.
   * - `OWN`: the rail has inspections of its own.
   */
  readonly audit: 'PAGE' | 'VOUCHER' | 'OWN'
  /** Its page in `docs/methods/`. */
  readonly docs: string
}

/** Keeps the exact type of what is said: unions of methods and scenarios are made of it. */
export function describe<const Said extends Descriptor>(said: Said): Said {
  return said
}
