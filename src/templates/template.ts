// A checkout template: the design, languages, fields and methods of a merchant's hosted pages.
import {
  type addressUses,
  type collections,
  type fieldNames,
  type fonts,
  templateCurrencies,
  type themes,
} from '#/contract/templates.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { type Locale, locales } from '#/kernel/language.ts'
import type { Method } from '#/rails/method.ts'
import { methods } from '#/rails/methods.ts'

export type TemplateCurrency = (typeof templateCurrencies)[number]

/** Amounts in minor units of the currency, both ends included. */
type Limits = Partial<Readonly<Record<TemplateCurrency, { readonly min?: number; readonly max?: number }>>>

export type TemplateMethod = {
  readonly method: Method
  readonly highlight: boolean
  readonly limits?: Limits
}

export type TemplateTexts = { readonly title?: string; readonly note?: string; readonly thanks?: string }

/** Checked, and with its defaults filled in. The logo is stored beside it. */
export type TemplateDocument = {
  /** The name for the merchant's own people; payers never see it. */
  readonly name: string
  readonly brand: {
    /** Absent: the merchant's own name. */
    readonly displayName?: string
    readonly theme: (typeof themes)[number]
    readonly font: (typeof fonts)[number]
    /** Pixels, 0 to 24. */
    readonly radius: number
    /** `#rrggbb`. Text colours and shades are computed from it. */
    readonly colors: { readonly accent: string }
  }
  readonly languages: { readonly default: Locale; readonly enabled: readonly Locale[] }
  /** IANA name of the zone in which times are shown. */
  readonly timeZone: string
  readonly fields: Readonly<Record<(typeof fieldNames)[number], (typeof collections)[number]>>
  readonly address: (typeof addressUses)[number]
  /** Those that are enabled, in their order. */
  readonly methods: readonly TemplateMethod[]
  /** Methods that are local in the payer's country are first. Set where a template gives no methods, and so no order. */
  readonly localFirst?: true
  /** The first is the currency of a payment that names none. */
  readonly currencies: readonly TemplateCurrency[]
  readonly texts: Partial<Readonly<Record<Locale, TemplateTexts>>>
  readonly support: { readonly url?: string; readonly email?: string }
  readonly legal: { readonly termsUrl?: string; readonly privacyUrl?: string }
  readonly urls: {
    readonly success?: string
    readonly cancel?: string
    /** `shop.example`, `shop.example:8443`, `*.shop.example`. Absent: any. */
    readonly allowedHosts?: readonly string[]
  }
  /** Whether the payer can cancel the payment on the page. Absent: no. */
  readonly cancelButton?: boolean
  /** Absent: the page stays where it is. */
  readonly autoReturnSeconds?: number
  /** Seconds from the choice of a method on. Absent: until the payment ends by itself. */
  readonly expiry: Partial<Readonly<Record<Method, number>>>
}

/** An image as its bytes, and the type that they show. */
export type Logo = {
  readonly type: 'image/png' | 'image/jpeg' | 'image/webp'
  readonly bytes: Buffer
}

/** The content of a template at a time. It never changes. */
export type Revision = {
  readonly slug: string
  /** 0: the default template that Vintem gives to every merchant. */
  readonly number: number
  readonly document: TemplateDocument
  readonly logo?: Logo
}

export type TemplateKey = { readonly merchantId: MerchantId; readonly slug: string }

export const defaultSlug = 'default'

/** Lower case letters and digits, with hyphens between, at most 64 characters: as in a link. */
export function isSlug(text: string): boolean {
  return /^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$/.test(text)
}

// The template that every merchant has from the start: everything enabled, nothing to set up.

/** Copper, the colour of a coin; white text on it is readable. */
export const ownAccent = '#b55a2b'

/**
 * Every method, currency and language, those of later releases included. A wallet app's order ends after an hour
 * (interface §8).
 */
export const defaultDocument: TemplateDocument = {
  name: 'Default',
  brand: { theme: 'auto', font: 'system', radius: 12, colors: { accent: ownAccent } },
  languages: { default: 'en', enabled: locales },
  timeZone: 'America/Sao_Paulo',
  // No fields: a payer chooses a method with one press.
  fields: { name: 'hidden', email: 'hidden', phone: 'hidden', taxId: 'hidden' },
  address: 'none',
  methods: methods.map((method) => ({ method, highlight: false })),
  localFirst: true,
  currencies: templateCurrencies,
  texts: {},
  support: {},
  legal: {},
  urls: {},
  expiry: { PARTNER_PAY: 3_600 },
}

/** Revision 0 of `default`. It is in no table, so merchants that existed before templates have it too. */
export const defaultRevision: Revision = { slug: defaultSlug, number: 0, document: defaultDocument }

// Which hosts a merchant's pages may link back to.

/** `shop.example`, `shop.example:8443`, or `*.shop.example` for everything below it. */
export function isHostPattern(text: string): boolean {
  return (
    text.length <= 260 &&
    /^(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:\d{1,5})?$/.test(text)
  )
}

/** Whether the URL leads to one of these hosts. A pattern without a port matches any port of its host. */
export function leadsTo(url: URL, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const [host = '', port] = pattern.replace(/^\*\./, '').split(':')
    if (port !== undefined && port !== (url.port || defaultPorts[url.protocol])) return false
    return pattern.startsWith('*.') ? url.hostname.endsWith(`.${host}`) : url.hostname === host
  })
}

const defaultPorts: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' }
