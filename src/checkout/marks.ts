// What payers look for: the marks of methods, cards and wallets, and the names that they know them by.
import type { Method } from '#/rails/words.ts'
import type { Locale } from './language.ts'
import type { Means } from './means.ts'
import { checkoutMethods } from './methods/all.ts'
import type { CheckoutMethod, Shown } from './methods/method.ts'

/** Who reads a page, and the names that rails go by where they are not the method's: a wallet app's. */
export type Naming = {
  readonly locale: Locale
  readonly brands: Partial<Readonly<Record<Method, string>>>
}

/** How the page names and marks the method. */
export function shownAs(method: Method, { locale, brands }: Naming): Shown {
  const { words, mark, brandMarks }: CheckoutMethod = checkoutMethods[method]
  const brand = brands[method]
  if (brand === undefined) return { value: words[locale].label, mark }
  return { value: brand, mark: brandMarks?.get(brand) ?? mark }
}

/** What was paid with, as the receipt names it. */
export function paidWith(method: Method, { fields }: Means, naming: Naming): Shown {
  const { paidWith: own }: CheckoutMethod = checkoutMethods[method]
  const usual = shownAs(method, naming)
  return own === undefined ? usual : own(fields, usual)
}
