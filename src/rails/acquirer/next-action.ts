// What the payer of an intent has to do next, as far as our page shows it (https://docs.stripe.com/api/payment_intents/object,
// `next_action`). Anything else is shown by the provider's own page.
import { given } from '#/kernel/given.ts'
import { optionalInstant, optionalText, part, type Fields } from './fields.ts'

export type NextAction =
  | { readonly kind: 'REDIRECT'; readonly url: string }
  | {
      readonly kind: 'MULTIBANCO'
      readonly entity: string
      readonly reference: string
      readonly expiresAt?: Date
    }
  | { readonly kind: 'BOLETO'; readonly line: string; readonly pdfUrl?: string; readonly expiresAt?: Date }

export function parseNextAction(at: Fields): NextAction | undefined {
  const url = optionalText(part(at, 'redirect_to_url'), 'url')
  if (url !== undefined) return { kind: 'REDIRECT', url }
  const multibanco = part(at, 'multibanco_display_details')
  const [entity, reference] = [optionalText(multibanco, 'entity'), optionalText(multibanco, 'reference')]
  if (entity !== undefined && reference !== undefined)
    return { kind: 'MULTIBANCO', entity, reference, ...ending(multibanco) }
  const boleto = part(at, 'boleto_display_details')
  const [line, pdfUrl] = [optionalText(boleto, 'number'), optionalText(boleto, 'pdf')]
  if (line === undefined) return undefined
  return { kind: 'BOLETO', line, ...given({ pdfUrl }), ...ending(boleto) }
}

function ending(at: Fields): { readonly expiresAt?: Date } {
  const expiresAt = optionalInstant(at, 'expires_at')
  return expiresAt === undefined ? {} : { expiresAt }
}
