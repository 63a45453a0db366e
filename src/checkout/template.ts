// What the pages need of a checkout template: how they look, what they ask, and where they lead.
import type { Method } from '#/rails/words.ts'
import { ownAccent } from '#/templates/default-template.ts'
import type {
  addressUses,
  collections,
  fieldNames,
  fonts,
  themes,
  Logo,
  Revision,
  TemplateTexts,
} from '#/templates/template.ts'
import type { Locale } from './language.ts'

export type Collection = (typeof collections)[number]
export type FieldName = (typeof fieldNames)[number]
export type Theme = (typeof themes)[number]
export type Font = (typeof fonts)[number]

export type PageStyle = {
  /** `#rrggbb`. Text colours are computed from it. Absent: the page's own. */
  readonly accent?: string
  /** Pixels of a card's corner, 0 to 24. */
  readonly radius: number
  readonly font: Font
  readonly theme: Theme
}

export type PageTemplate = {
  /** The merchant, as the payer knows it. */
  readonly name: string
  readonly logo?: Logo
  readonly style: PageStyle
  readonly languages: { readonly default: Locale; readonly enabled: readonly Locale[] }
  /** IANA name of the zone that times are shown in. */
  readonly timeZone: string
  readonly fields: Readonly<Record<FieldName, Collection>>
  readonly address: (typeof addressUses)[number]
  /** In this order. A method that is not named comes after them. */
  readonly methods: readonly { readonly method: Method; readonly isHighlighted: boolean }[]
  readonly texts: Partial<Readonly<Record<Locale, TemplateTexts>>>
  readonly support?: { readonly url?: string; readonly email?: string }
  /** Whether the payer can end the payment here; else going away ends nothing. */
  readonly hasCancel: boolean
  readonly termsUrl?: string
  readonly privacyUrl?: string
  readonly returns: {
    readonly successUrl?: string
    readonly cancelUrl?: string
    /** Absent: the payment's own URLs may lead anywhere, for the merchant gave them with its key. */
    readonly allowedHosts?: readonly string[]
    /** Absent: the page stays where it is. */
    readonly automaticSeconds?: number
  }
}

/** The page of a revision. `merchantName` stands where the template names nobody. */
export function pageTemplateOf({ document, logo }: Revision, merchantName: string): PageTemplate {
  const { brand, languages, timeZone, fields, address, texts, support, legal, urls } = document
  const { success, cancel, allowedHosts } = urls
  const { accent } = brand.colors
  return {
    name: brand.displayName ?? merchantName,
    ...(logo === undefined ? {} : { logo }),
    style: {
      // Our own colour has shades that were chosen by eye.
      ...(accent === ownAccent ? {} : { accent }),
      radius: brand.radius,
      font: brand.font,
      theme: brand.theme,
    },
    languages,
    timeZone,
    fields,
    address,
    methods: document.methods.map(({ method, highlight }) => ({ method, isHighlighted: highlight })),
    texts,
    support,
    hasCancel: document.cancelButton === true,
    ...legal,
    returns: {
      ...(success === undefined ? {} : { successUrl: success }),
      ...(cancel === undefined ? {} : { cancelUrl: cancel }),
      ...(allowedHosts === undefined ? {} : { allowedHosts }),
      ...(document.autoReturnSeconds === undefined ? {} : { automaticSeconds: document.autoReturnSeconds }),
    },
  }
}
