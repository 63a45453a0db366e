// The merchant as a provider's own page or frame shows it: with the name and the colours of the payer's page.
import { given } from '#/kernel/given.ts'
import type { Brand } from '#/rails/rail.ts'
import { cardColours } from './stylesheet.ts'
import type { PageTemplate } from './template.ts'

/** A theme that follows the payer's device names no background: the provider's page then follows the device too. */
export function brandOf({ name, style: { theme, accent } }: Pick<PageTemplate, 'name' | 'style'>): Brand {
  const background = theme === 'auto' ? undefined : cardColours[theme]
  return { name, ...given({ background, button: accent }) }
}
