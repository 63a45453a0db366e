// Amounts in sentences: what came, of what was requested.
import type { Currency } from '#/kernel/money.ts'
import { ledgerCurrency, type Payment } from '#/payments/payment.ts'
import type { Format } from './format.ts'
import type { Sent } from './sentences.ts'

/** The currency is named once: "8,00 USDT de 10,00". */
export function sentOf(
  { payment, format }: { readonly payment: Payment; readonly format: Format },
  minor: bigint,
): Sent {
  const currency = currencyOf(payment)
  return {
    received: format.money(minor, currency).text,
    amount: format.figure(payment.amountMinor, currency),
  }
}

/** The currency that the payer sends: for coins, the coin. */
export function currencyOf({ currency, method }: Payment): Currency {
  return method === undefined ? currency : ledgerCurrency(currency, method)
}
