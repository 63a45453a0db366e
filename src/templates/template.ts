// A checkout template: the design, languages, fields and methods of a merchant's hosted pages.
import type {
  addressUses,
  collections,
  fieldNames,
  fonts,
  templateCurrencies,
  themes,
} from '#/contract/templates.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Locale } from '#/kernel/language.ts'
import type { Method } from '#/rails/method.ts'

export type TemplateCurrency = (typeof templateCurrencies)[number]

/** Amounts in minor units of the currency, both ends included. */
export type Limits = Partial<
  Readonly<Record<TemplateCurrency, { readonly min?: number; readonly max?: number }>>
>

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
