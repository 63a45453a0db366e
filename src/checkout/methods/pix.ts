// Pix: a code to scan or to copy.
import { parseBrCode } from '#/rails/pix/br-code.ts'
import { qrCodeOf } from '../qr-path.ts'
import type { CheckoutMethod } from './method.ts'
import { pixWords } from './pix-words.ts'

export const pix: CheckoutMethod<'PIX', (typeof pixWords)['en']> = {
  words: pixWords,
  isPaidElsewhere: true,
  ready({ means, locale, format, openMinor, until }) {
    const code = means.fields['pixCopyPaste']
    if (typeof code !== 'string') return undefined
    const { qr, waiting } = pixWords[locale]
    const parsed = parseBrCode(code)
    const receiver = parsed.ok ? parsed.code.receiver.name.trim() : ''
    return {
      panel: {
        method: 'PIX',
        code,
        qr: qrCodeOf(code, qr),
        ...(receiver === '' ? {} : { receiver }),
        ...(means.isForRest === true ? { amount: format.money(openMinor, 'BRL') } : {}),
      },
      notice: { headline: waiting.headline, message: waiting.message(until) },
    }
  },
  proof: ({ means, labels, named }) => (means.proof?.refs ?? []).map((ref) => named(labels.endToEndId, ref)),
  restCharge({ sent, missing, until, isOpen, isReturned, locale }) {
    const { received, returned, unopened, open, button, away, refused } = pixWords[locale].rest
    const message = [
      isReturned ? returned : received(sent),
      isOpen ? open(missing, until) : unopened(missing, until),
    ].join(' ')
    return { message, button: button(missing), away, refused }
  },
}
