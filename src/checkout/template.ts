// The part of a checkout template that the pages need: design, fields and links.
import type { addressUses, collections, fieldNames, fonts, themes } from '#/contract/templates.ts'
import { given } from '#/kernel/given.ts'
import type { Locale } from '#/kernel/language.ts'
import type { MerchantSettings } from '#/merchants/queries.ts'
import type { Method } from '#/rails/method.ts'
import { ownAccent, type Logo, type Revision, type TemplateTexts } from '#/templates/template.ts'

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
  /** The name under which the payer knows the merchant. */
  readonly name: string
  /** Who the merchant is before the law, for receipts. `country`: of the tax id; absent: Brazil. */
  readonly seller?: { readonly legalName?: string; readonly taxId?: string; readonly country?: string }
  readonly logo?: Logo
  readonly style: PageStyle
  readonly languages: { readonly default: Locale; readonly enabled: readonly Locale[] }
  /** IANA name of the zone in which times are shown. */
  readonly timeZone: string
  readonly fields: Readonly<Record<FieldName, Collection>>
  readonly address: (typeof addressUses)[number]
  /** In this order. A method that is not in the list comes after them. */
  readonly methods: readonly { readonly method: Method; readonly isHighlighted: boolean }[]
  readonly texts: Partial<Readonly<Record<Locale, TemplateTexts>>>
  readonly support?: { readonly url?: string; readonly email?: string }
  /** Whether the payer can cancel the payment here; otherwise leaving the page cancels nothing. */
  readonly hasCancel: boolean
  readonly termsUrl?: string
  readonly privacyUrl?: string
  readonly returns: {
    /** The template's, else the merchant's own. A payment's comes first. */
    readonly successUrl?: string
    readonly cancelUrl?: string
    /** Absent: the payment's own URLs may lead anywhere, because the merchant gave them with its key. */
    readonly allowedHosts?: readonly string[]
    /** Absent: the page stays where it is. */
    readonly automaticSeconds?: number
  }
}

/** What a page shows of its merchant. */
export type PageMerchant = { readonly name: string } & Partial<MerchantSettings>

/** The page of a revision: with the merchant's name and return address where the template has none, and who the merchant is. */
export function pageTemplateOf({ document, logo }: Revision, merchant: PageMerchant): PageTemplate {
  const { brand, languages, timeZone, fields, address, texts, support, legal, urls } = document
  const { success, cancel, allowedHosts } = urls
  const { accent } = brand.colors
  return {
    name: brand.displayName ?? merchant.name,
    seller: given({
      legalName: merchant.legalName ?? undefined,
      taxId: merchant.taxId ?? undefined,
      country: merchant.country ?? undefined,
    }),
    ...given({ logo }),
    style: {
      // The shades of our own colour were chosen by eye.
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
      ...given({
        successUrl: success ?? merchant.returnUrl ?? undefined,
        cancelUrl: cancel,
        allowedHosts,
        automaticSeconds: document.autoReturnSeconds,
      }),
    },
  }
}
