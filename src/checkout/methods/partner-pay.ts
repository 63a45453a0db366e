// The partner's wallet app: a code to scan, or a link that opens the app.
import { qrCodeOf } from '../qr-path.ts'
import type { CheckoutMethod } from './method.ts'
import { partnerPayWords } from './partner-pay-words.ts'

export const partnerPay: CheckoutMethod<'PARTNER_PAY', (typeof partnerPayWords)['en']> = {
  words: partnerPayWords,
  brandLogos: new Map([['Binance Pay', 'binance']]),
  isPaidElsewhere: true,
  ready({ means: { presentation }, locale, until, shown }) {
    if (presentation?.kind !== 'APP' || !isLink(presentation.appUrl)) return undefined
    const { code, appUrl } = presentation
    const { qr, waiting } = partnerPayWords[locale]
    return {
      panel: {
        method: 'PARTNER_PAY',
        qr: qrCodeOf(code, qr),
        appUrl,
        name: shown.value,
        mark: shown.mark,
      },
      notice: { headline: waiting.headline, message: waiting.message(until) },
    }
  },
}

/** A link to a web page or an app; no link that a browser would run or show as ours. */
function isLink(url: string): boolean {
  return (
    URL.canParse(url) &&
    !['javascript:', 'data:', 'vbscript:', 'blob:', 'file:'].includes(new URL(url).protocol)
  )
}
