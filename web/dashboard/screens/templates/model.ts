// A template as the editor holds it: every field, with what was typed even where it is not valid yet. The server says what is wrong.
import type { Locale } from '#/kernel/language.ts'
import { descriptorOf } from '#/rails/methods.ts'
import {
  paymentMethods,
  type Currency,
  type PaymentMethod,
  type TemplateWithDocument,
} from '../../api/generated.ts'

export const themes = ['auto', 'light', 'dark'] as const
export const fonts = ['system', 'rounded', 'serif', 'mono'] as const
export const collections = ['hidden', 'optional', 'required'] as const
export const fieldNames = ['name', 'email', 'phone', 'taxId'] as const
export const addressUses = ['none', 'billing', 'shipping'] as const
export const textNames = ['title', 'note', 'thanks'] as const

/** A number, or what was typed in its place. */
export type Typed = number | string

export type DraftMethod = {
  readonly method: PaymentMethod
  readonly enabled?: boolean
  readonly highlight?: boolean
  readonly limits?: Partial<Readonly<Record<Currency, { readonly min?: Typed; readonly max?: Typed }>>>
}

export type Draft = {
  readonly name: string
  readonly brand: {
    readonly displayName?: string
    /** A `data:` URL. */
    readonly logo?: string
    readonly theme: (typeof themes)[number]
    readonly font: (typeof fonts)[number]
    readonly radius: Typed
    readonly colors: { readonly accent: string }
  }
  readonly languages: { readonly default: Locale; readonly enabled: readonly Locale[] }
  readonly timeZone: string
  readonly fields: Readonly<Record<(typeof fieldNames)[number], (typeof collections)[number]>>
  readonly address: (typeof addressUses)[number]
  readonly methods: readonly DraftMethod[]
  /** Methods that are local in the payer's country are first. */
  readonly localFirst?: boolean
  readonly currencies: readonly Currency[]
  readonly texts: Partial<Readonly<Record<Locale, Partial<Record<(typeof textNames)[number], string>>>>>
  readonly support: { readonly url?: string; readonly email?: string }
  readonly legal: { readonly termsUrl?: string; readonly privacyUrl?: string }
  readonly urls: {
    readonly success?: string
    readonly cancel?: string
    readonly allowedHosts?: readonly string[]
  }
  readonly cancelButton?: boolean
  readonly autoReturnSeconds?: Typed
  readonly expiry: Partial<Readonly<Record<PaymentMethod, Typed>>>
}

/** A template whose document the server has checked. */
export type Stored = TemplateWithDocument & { readonly document: Draft }

/** Another version of these pages may have written a draft. */
export function isReadable(document: unknown): document is Draft {
  if (typeof document !== 'object' || document === null) return false
  const objects = ['brand', 'languages', 'fields', 'texts', 'support', 'legal', 'urls', 'expiry'] as const
  const fields = document as Readonly<Record<string, unknown>>
  return (
    objects.every((name) => typeof fields[name] === 'object' && fields[name] !== null) &&
    Array.isArray(fields['methods']) &&
    Array.isArray(fields['currencies'])
  )
}

/** The document with the methods that it does not offer, switched off and last. */
export function editable(document: Draft): Draft {
  const listed = new Set(document.methods.map(({ method }) => method))
  const others = paymentMethods.filter((method) => !listed.has(method))
  return {
    ...document,
    methods: [...document.methods, ...others.map((method) => ({ method, enabled: false }))],
  }
}

/** The currencies of the draft that the method takes, in the draft's order. */
export function currenciesOf(
  method: PaymentMethod,
  { currencies }: Pick<Draft, 'currencies'>,
): readonly Currency[] {
  return currencies.filter((each) => descriptorOf[method].currencies.includes(each))
}

/** The draft as it is sent. What belongs to a method or currency that is switched off stays here, for when it is switched on again. */
export function sentOf(draft: Draft): Draft {
  return {
    ...draft,
    methods: draft.methods.map(({ limits = {}, ...rest }) => {
      if (rest.enabled === false) return { method: rest.method, enabled: false }
      const taken = currenciesOf(rest.method, draft)
      const kept = Object.entries(limits).filter(
        ([currency, of]) => taken.some((each) => each === currency) && Object.keys(of).length > 0,
      )
      return kept.length === 0 ? rest : { ...rest, limits: Object.fromEntries(kept) }
    }),
  }
}

export type Path = readonly (string | number)[]

/** A copy with `value` at the path; undefined removes what is there. */
export function withValue<T>(target: T, path: Path, value: unknown): T {
  const [first, ...rest] = path
  if (first === undefined) return value as T
  if (Array.isArray(target)) {
    const items: readonly unknown[] = target
    return items.map((each, index) => (index === first ? withValue(each, rest, value) : each)) as T
  }
  const object = (target ?? {}) as Readonly<Record<string, unknown>>
  const next = withValue(object[first], rest, value)
  const others = Object.entries(object).filter(([name]) => name !== String(first))
  if (next === undefined) return Object.fromEntries(others) as T
  return first in object
    ? ({ ...object, [first]: next } as T)
    : (Object.fromEntries([...others, [first, next]]) as T)
}

export function valueAt(target: unknown, path: Path): unknown {
  let at = target
  for (const name of path) {
    if (typeof at !== 'object' || at === null) return undefined
    at = (at as Readonly<Record<string | number, unknown>>)[name]
  }
  return at
}

/** As links have it: lower case letters and digits, with hyphens between, at most 64 characters. */
export function isSlug(text: string): boolean {
  return /^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$/.test(text)
}
