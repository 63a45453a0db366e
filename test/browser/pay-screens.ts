// The pictures of the card page and the partner's page, as the journeys meet them.
import { join } from 'node:path'

export const screensFolder = join(import.meta.dirname, '..', '..', 'docs', 'screens', 'pages')

/** Each page and state that a journey reaches, and what it is. */
export const screens = {
  'card-waiting': 'The card page: the acquirer’s form in its frame',
  'card-wrong': 'Something is mistyped',
  'card-declined': 'The bank said no; another card can be tried',
  'card-challenge': '3-D Secure: the bank asks who is there',
  'card-unconfirmed': 'The bank was answered no',
  'card-hosted': 'The acquirer’s own page',
  'card-paid': 'Paid: the receipt',
  'card-paid-back': 'Paid, with the way back to the shop',
  'card-authorised': 'Authorised, to be captured later',
  'card-canceled': 'Canceled while the page was open',
  'card-expired': 'Expired while the page was open',
  'card-unknown': 'A link that means nothing',
  'partner-waiting': 'The partner’s page: the code on a desk',
  'partner-phone': 'The same on a phone: the button first',
  'partner-wallet': 'The wallet app: confirm or refuse',
  'partner-paid': 'Paid: the receipt',
  'partner-refused': 'Refused in the app',
  'partner-expired': 'Expired while the page was open',
} as const
export type Screen = keyof typeof screens

/** The names of the pictures that there are to be. */
export function screenFiles(): readonly string[] {
  return Object.keys(screens).flatMap((name) => widthsOf(name).map((width) => `${name}-${width}.png`))
}

/** What a phone alone shows is not looked at on a desk. */
function widthsOf(name: string): readonly number[] {
  return name.endsWith('-phone') ? [360] : [360, 1280]
}

/** The page that shows them all. */
export function screensReadme(): string {
  const rows = Object.entries(screens).map(([name, meaning]) => {
    const pictures = widthsOf(name).map((width) => `[${width} px](${name}-${width}.png)`)
    return `| ${meaning} | ${pictures.join(', ')} |`
  })
  return [
    '# The card page and the partner’s page in pictures',
    '',
    'As a payer meets them, with the simulators behind: on a phone in the light, on a desk in the dark. Taken during the journeys in',
    '`test/browser/pay-*.test.ts` by `./vintem dev scripts/gallery.ts journeys`; a test compares this list with the files. Every state of',
    'every method, without a provider behind, is in [checkout](../checkout/README.md).',
    '',
    '| page and state | pictures |',
    '| --- | --- |',
    ...rows,
    '',
  ].join('\n')
}
