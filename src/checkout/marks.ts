// The logos of methods, cards and wallets that payers know, and the names that payers know them by.
import { textIn } from '#/kernel/dictionary.ts'
import type { Locale } from '#/kernel/language.ts'
import type { Method } from '#/rails/method.ts'
import { descriptorOf } from '#/rails/methods.ts'
import type { Means } from './means.ts'
import { checkoutMethods } from './methods/all.ts'
import type { CheckoutMethod, Shown } from './methods/method.ts'

/** The reader's language, and the brands of rails that have one, such as a wallet app. */
export type Naming = {
  readonly locale: Locale
  readonly brands: Partial<Readonly<Record<Method, string>>>
}

/** The name and logo of the method on the page. */
export function shownAs(method: Method, { locale, brands }: Naming): Shown {
  const { label, mark } = descriptorOf[method]
  const { brandLogos }: CheckoutMethod = checkoutMethods[method]
  const brand = brands[method]
  if (brand === undefined) return { value: textIn(locale, label), mark }
  return { value: brand, mark: brandLogos?.get(brand) ?? mark }
}

/** The name of the means of payment on the receipt. */
export function paidWith(method: Method, { fields }: Means, naming: Naming): Shown {
  const { paidWith: nameMeans }: CheckoutMethod = checkoutMethods[method]
  const usual = shownAs(method, naming)
  return nameMeans === undefined ? usual : nameMeans(fields, usual)
}
