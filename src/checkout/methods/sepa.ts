// A bank transfer in euro: the account and the reference, as text and as a code. Any number of transfers may quote the reference.
import { given } from '#/kernel/given.ts'
import { epcText } from '#/rails/sepa/epc.ts'
import { inGroups } from '#/rails/sepa/reference.ts'
import { qrCodeOf } from '../qr-path.ts'
import type { CheckoutMethod } from './method.ts'
import { sepaWords } from './sepa-words.ts'

export const sepa: CheckoutMethod<'SEPA_TRANSFER', (typeof sepaWords)['en']> = {
  words: sepaWords,
  isPaidElsewhere: true,
  ready({ means, locale, format, openMinor, until }) {
    const account = accountIn(means.fields['sepa'])
    // A code for nothing cannot be written: the whole amount is on its way.
    if (account === undefined || openMinor <= 0n) return undefined
    const { qr, waiting } = sepaWords[locale]
    const { iban, bic, beneficiary, reference } = account
    const amount = format.money(openMinor, 'EUR')
    return {
      panel: {
        method: 'SEPA_TRANSFER',
        // For what is still missing: the code of the record asks for the whole amount.
        qr: qrCodeOf(epcText({ ...account, amountMinor: openMinor }), qr),
        amount,
        beneficiary,
        iban: { text: inGroups(iban), value: iban },
        ...given({ bic }),
        reference: { text: inGroups(reference), value: reference },
      },
      notice: { headline: waiting.headline(amount.text), message: waiting.message(until) },
    }
  },
  topUp: ({ sent, missing, until, locale }) => sepaWords[locale].topUp(sent, missing, until),
}

type Account = {
  readonly iban: string
  readonly bic?: string
  readonly beneficiary: string
  readonly reference: string
}

/** The field of the payment's record, as the rail makes it. */
function accountIn(field: unknown): Account | undefined {
  return typeof field === 'object' && field !== null && 'iban' in field ? (field as Account) : undefined
}
