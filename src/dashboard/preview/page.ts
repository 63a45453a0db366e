// The preview of a valid draft: the payer's page of an example payment, made by the functions that make real pages.
import { stillDocument } from '#/checkout/document.ts'
import { chooseLocale } from '#/checkout/language.ts'
import { brandsOf } from '#/checkout/page-request.ts'
import type { PageState } from '#/checkout/page-state.ts'
import { buildPageState } from '#/checkout/state.ts'
import { pageTemplateOf, type PageMerchant, type PageTemplate, type Theme } from '#/checkout/template.ts'
import type { CheckoutView } from '#/checkout/view.ts'
import type { HttpDeps } from '#/http/deps.ts'
import { must } from '#/kernel/check.ts'
import type { Locale } from '#/kernel/language.ts'
import { logoUrl } from '#/templates/logo.ts'
import type { Logo, TemplateDocument } from '#/templates/template.ts'
import type { MerchantCaller } from '../merchant-entrance.ts'
import { exampleOf, previewStates, type PreviewState } from './example.ts'
import { previewPath, previewSheet } from './files.ts'

export type Draft = { readonly document: TemplateDocument; readonly logo?: Logo }

/** What to show of the draft, as it was requested. A value that the draft does not have is replaced by the draft's first one. */
export type PreviewOptions = {
  readonly state: string
  readonly method: string
  readonly language: string
  readonly theme: string
}

export type PreviewDeps = Pick<HttpDeps, 'clock' | 'rails'> & { readonly view: CheckoutView }

/** Whose preview it is, and what receipts say of it. */
type PreviewMerchant = MerchantCaller['merchant'] & PageMerchant

/** The document of the preview. */
export function previewPage(
  deps: PreviewDeps,
  merchant: PreviewMerchant,
  draft: Draft,
  options: PreviewOptions,
): string {
  const { template, state } = previewOf(deps, merchant, draft, options)
  return stillDocument(state, template.style, deps.view, { at: previewPath, more: previewSheet.path })
}

function previewOf(
  deps: PreviewDeps,
  merchant: PreviewMerchant,
  draft: Draft,
  options: PreviewOptions,
): { readonly template: PageTemplate; readonly state: PageState } {
  const { document, logo } = draft
  const template = inTheme(pageTemplateOf({ slug: 'preview', number: 0, ...draft }, merchant), options.theme)
  const locale = chooseLocale({ query: options.language }, template.languages)
  const offered = document.methods.map(({ method }) => method)
  const method = must(
    offered.find((each) => each === options.method) ?? offered[0],
    'a template has at least one method',
  )
  const state: PreviewState = previewStates.find((each) => each === options.state) ?? 'choose'
  const now = deps.clock.now()
  const example = exampleOf({ document, template, merchant, state, method, locale, now })
  const built = buildPageState({
    ...example,
    opened: 0,
    template,
    locale,
    now,
    token: 'preview',
    brands: brandsOf(deps),
  })
  return { template, state: still(built, { locale, theme: template.style.theme, logo }) }
}

/** A page that follows the device is shown as on a light or a dark one; a template's own theme stays. */
function inTheme(template: PageTemplate, theme: string): PageTemplate {
  const isEither = template.style.theme === 'auto' && (theme === 'light' || theme === 'dark')
  return isEither ? { ...template, style: { ...template.style, theme } } : template
}

/** The page without calls to addresses of its own payment: the logo is in the page, and a picture stands for the provider's form. */
function still(
  state: PageState,
  {
    locale,
    theme,
    logo,
  }: { readonly locale: Locale; readonly theme: Theme; readonly logo: Logo | undefined },
): PageState {
  const { merchant, panel } = state
  const frameUrl = `${previewPath}/card?${new URLSearchParams({ lang: locale, theme }).toString()}`
  return {
    ...state,
    merchant: { ...merchant, ...(logo === undefined ? {} : { logoUrl: logoUrl(logo) }) },
    ...(panel !== undefined && 'frameUrl' in panel ? { panel: { ...panel, frameUrl } } : {}),
  }
}
