// A template with every field, and what hostile people would write into each of them.

/** One transparent pixel. */
export const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII='

export const everyField = {
  name: 'Bakery',
  brand: {
    displayName: 'Padaria da Ana',
    logo: pixel,
    theme: 'light',
    font: 'serif',
    radius: 4,
    colors: { accent: 'oklch(62.7966% 0.257704 29.2346)' },
  },
  languages: { default: 'pt-BR', enabled: ['pt-BR', 'en'] },
  timeZone: 'America/Fortaleza',
  fields: { email: 'required', taxId: 'optional' },
  address: 'shipping',
  methods: [
    { method: 'CRYPTO', highlight: true },
    { method: 'PIX', limits: { BRL: { min: 100, max: 500_000 } } },
    { method: 'CREDIT_CARD', enabled: false },
  ],
  currencies: ['BRL', 'USDT'],
  texts: { 'pt-BR': { title: 'Olá', note: 'Pão\nfresco' } },
  support: { email: 'ajuda@padaria.example', url: 'https://padaria.example/ajuda' },
  legal: { termsUrl: 'https://padaria.example/termos' },
  urls: { success: 'https://padaria.example/obrigado', allowedHosts: ['padaria.example'] },
  cancelButton: true,
  autoReturnSeconds: 5,
  expiry: { PIX: 900 },
}

export const evilTexts: readonly string[] = [
  '</style><script>alert(1)</script>',
  'red;}*{background:url(https://evil.example)}',
  'url(javascript:alert(1))',
  'expression(alert(1))',
  '#fff;--x:1',
  '#ffffff\n}',
  'oklch(0.5 0.1 45);}',
  'oklch(0.5 0.1 45 / 0.5)',
  'oklch(var(--x) 0 0)',
  '\u0000',
  'https://shop.example/"onmouseover="alert(1)',
  'https://shop.example/<script>',
  'java\nscript:alert(1)',
  '__proto__',
  `<img src=x onerror="alert(1)">"'</p><script>alert(1)</script>`,
]

type Place = readonly (string | number)[]

/** The fields that are no texts: none of them takes any of these. */
export const strictPlaces: readonly Place[] = [
  ['brand', 'theme'],
  ['brand', 'font'],
  ['brand', 'radius'],
  ['brand', 'colors', 'accent'],
  ['brand', 'logo'],
  ['languages', 'default'],
  ['timeZone'],
  ['fields', 'name'],
  ['address'],
  ['methods', 0, 'method'],
  ['currencies', 0],
  ['support', 'url'],
  ['support', 'email'],
  ['legal', 'termsUrl'],
  ['urls', 'success'],
  ['urls', 'allowedHosts', 0],
  ['expiry', 'PIX'],
  ['autoReturnSeconds'],
]

/** The fields that are texts, which the page shows as they were written. */
export const textPlaces: readonly Place[] = [
  ['name'],
  ['brand', 'displayName'],
  ['texts', 'pt-BR', 'title'],
  ['texts', 'pt-BR', 'note'],
  ['texts', 'pt-BR', 'thanks'],
]

/** The template with `value` at this place. */
export function placed(template: object, place: Place, value: unknown): unknown {
  const sent = structuredClone(template) as Record<string | number, unknown>
  let at = sent
  for (const name of place.slice(0, -1)) at = at[name] as Record<string | number, unknown>
  at[place.at(-1) ?? ''] = value
  return sent
}
