// What payment methods are called, as their descriptors say it.
import type { Locale } from '#/kernel/language.ts'
import type { Method } from '#/rails/method.ts'
import { byMethod } from '#/rails/methods.ts'

export function merchantNames(locale: Locale): Readonly<Record<Method, string>> {
  return byMethod(({ label, merchantLabel = label }) => merchantLabel[locale])
}

export function operatorNames(locale: Locale): Readonly<Record<Method, string>> {
  return byMethod(({ label, merchantLabel = label, operatorLabel = merchantLabel }) => operatorLabel[locale])
}
