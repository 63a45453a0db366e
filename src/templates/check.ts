// Reads a template as a merchant wrote it, and reports all its faults at once, each with its place and with what to write instead.
// An accepted template cannot become style or script: colours are numbers, fonts are names of a list, texts are texts, links are links.
import { Value } from 'typebox/value'
import { templateFile, type TemplateFile } from '#/contract/templates.ts'
import type { Checked, FieldFault } from '#/kernel/error.ts'
import { findUncleanText } from '#/kernel/json.ts'
import type { Mode } from '#/kernel/mode.ts'
import { readPageUrl } from '#/kernel/page-url.ts'
import { secondMs } from '#/kernel/time.ts'
import type { Method } from '#/rails/method.ts'
import { descriptorOf, descriptors } from '#/rails/methods.ts'
import { edgeContrast, contrastOf, nearest, readColour } from './colour.ts'
import { readLogo } from './logo.ts'
import { defaultDocument, isHostPattern, leadsTo, type Logo, type TemplateDocument } from './template.ts'

export type CheckedTemplate = Checked<{ readonly document: TemplateDocument; readonly logo?: Logo }>

/**
 * Checks what was sent and fills in defaults. `mode` is the merchant's: links of a sandbox may be plain HTTP to the same machine.
 * `pointer` of a fault is a JSON pointer (RFC 6901) into what was sent.
 */
export function checkTemplate(sent: unknown, mode: Mode): CheckedTemplate {
  const shape = shapeFaults(sent)
  if (shape.length > 0) return { ok: false, faults: shape }
  const file = sent as TemplateFile
  const faults: FieldFault[] = []
  const fault: Fault = (pointer, code, message) => void faults.push({ pointer, code, message })
  const logo = file.brand?.logo === undefined ? undefined : readLogo(file.brand.logo)
  if (logo !== undefined && 'code' in logo) fault('/brand/logo', logo.code, logo.message)
  checkTexts(file, '', fault)
  const document = documentOf(file, mode, fault)
  checkConsistency(file, document, fault)
  if (faults.length > 0) return { ok: false, faults }
  return { ok: true, document, ...(logo !== undefined && 'bytes' in logo ? { logo } : {}) }
}

/** `code` says the same as the message, for pages in other languages. */
type Fault = (pointer: string, code: string, message: string) => void

/** In our own words; at most one for each place. */
function shapeFaults(sent: unknown): readonly FieldFault[] {
  const unclean = findUncleanText(sent)
  if (unclean !== undefined)
    return [{ pointer: unclean, code: 'unclean_text', message: 'This holds a NUL or half a surrogate pair.' }]
  const faults = new Map<string, FieldFault>()
  for (const error of Value.Errors(templateFile, sent)) {
    if (error.keyword === 'additionalProperties') continue
    for (const { pointer, message } of worded(error))
      if (!faults.has(pointer)) faults.set(pointer, { pointer, code: error.keyword, message })
  }
  return [...faults.values()]
}

type ShapeError = ReturnType<typeof Value.Errors>[number]

function worded(error: ShapeError): readonly { readonly pointer: string; readonly message: string }[] {
  const { instancePath: pointer, keyword, params } = error
  if (keyword === 'boolean') return [{ pointer, message: 'There is no such field.' }]
  if (keyword === 'enum')
    return [{ pointer, message: `This is one of ${params.allowedValues.map(String).join(', ')}.` }]
  if (keyword !== 'required') return [{ pointer, message: `This ${error.message}.` }]
  return params.requiredProperties.map((name) => ({
    pointer: `${pointer}/${name}`,
    message: 'This is missing.',
  }))
}

/** Refuses text that would be displayed differently from how it is written: control characters, and marks that change its direction. */
function checkTexts(value: unknown, pointer: string, fault: Fault): void {
  if (typeof value === 'string' && /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(value.replaceAll('\n', '')))
    fault(pointer, 'control_character', 'This holds a control character.')
  if (typeof value !== 'object' || value === null) return
  const entries: [string, unknown][] = Object.entries(value)
  for (const [name, each] of entries) checkTexts(each, `${pointer}/${name}`, fault)
}

function documentOf(file: TemplateFile, mode: Mode, fault: Fault): TemplateDocument {
  const { brand = {}, languages = {}, support = {}, legal = {}, urls = {} } = file
  const kept = defaultDocument
  const link = (pointer: string, text: string | undefined) =>
    text === undefined ? undefined : readLink(text, mode, (code, message) => fault(pointer, code, message))
  const [first = kept.languages.default] = languages.enabled ?? []
  return {
    name: file.name,
    brand: {
      ...present({ displayName: brand.displayName }),
      theme: brand.theme ?? kept.brand.theme,
      font: brand.font ?? kept.brand.font,
      radius: brand.radius ?? kept.brand.radius,
      colors: { accent: readAccent(brand, fault) },
    },
    languages: { default: languages.default ?? first, enabled: languages.enabled ?? kept.languages.enabled },
    timeZone: file.timeZone ?? kept.timeZone,
    fields: { name: 'hidden', email: 'hidden', phone: 'hidden', taxId: 'hidden', ...file.fields },
    address: file.address ?? kept.address,
    methods: methodsOf(file),
    ...((file.localFirst ?? file.methods === undefined) ? { localFirst: true as const } : {}),
    currencies: file.currencies ?? kept.currencies,
    texts: file.texts ?? kept.texts,
    support: present({ url: link('/support/url', support.url), email: support.email }),
    legal: present({
      termsUrl: link('/legal/termsUrl', legal.termsUrl),
      privacyUrl: link('/legal/privacyUrl', legal.privacyUrl),
    }),
    urls: present({
      success: link('/urls/success', urls.success),
      cancel: link('/urls/cancel', urls.cancel),
      allowedHosts: urls.allowedHosts?.map((host) => host.toLowerCase()),
    }),
    ...present({ cancelButton: file.cancelButton, autoReturnSeconds: file.autoReturnSeconds }),
    expiry: file.expiry ?? kept.expiry,
  }
}

function methodsOf(file: TemplateFile): TemplateDocument['methods'] {
  const { currencies = defaultDocument.currencies } = file
  if (file.methods === undefined)
    return defaultDocument.methods.filter(({ method }) => takesOneOf(method, currencies))
  return file.methods
    .filter(({ enabled }) => enabled !== false)
    .map(({ method, highlight = false, limits }) => ({ method, highlight, ...present({ limits }) }))
}

/** The backgrounds of cards: a button of the accent must be visible on them. */
const grounds = { light: '#ffffff', dark: '#1e1a17' } as const

/** On a theme that is light and dark in turn, its shades are computed for both. */
function readAccent({ colors, theme }: NonNullable<TemplateFile['brand']>, fault: Fault): string {
  const pointer = '/brand/colors/accent'
  if (colors?.accent === undefined) return defaultDocument.brand.colors.accent
  const accent = readColour(colors.accent)
  if (accent === undefined) {
    fault(pointer, 'no_colour', 'Write a colour as #rrggbb or oklch(0.58 0.13 45).')
    return defaultDocument.brand.colors.accent
  }
  if (theme === 'light' || theme === 'dark') {
    const ratio = contrastOf(accent, grounds[theme])
    if (ratio < edgeContrast) {
      const better = nearest(accent, grounds[theme], edgeContrast)
      const how = theme === 'light' ? 'darker' : 'lighter'
      fault(
        pointer,
        'contrast',
        `Its contrast on the ${theme} page is ${ratio.toFixed(2)}:1, and ${edgeContrast}:1 is needed to see a button. Choose a ${how} one, such as ${better}.`,
      )
    }
  }
  return accent
}

/** An absolute link, normalised as browsers do. */
function readLink(
  text: string,
  mode: Mode,
  fault: (code: string, message: string) => void,
): string | undefined {
  const read = readPageUrl(text, mode)
  if (read.ok) return read.url.href
  switch (read.fault.code) {
    case 'userinfo_not_allowed':
      fault('url_password', 'A URL with a password in it is not shown to payers.')
      break
    case 'scheme_not_allowed': {
      const orHere = mode === 'SANDBOX' ? ', or http to this machine: http://127.0.0.1:8080' : ''
      fault('no_https', `This is an https URL${orHere}.`)
      break
    }
    default:
      fault('no_url', 'This is no absolute URL.')
  }
  return undefined
}

/** Faults between two fields. */
function checkConsistency(file: TemplateFile, document: TemplateDocument, fault: Fault): void {
  const { languages, urls, support, timeZone } = document
  if (!languages.enabled.includes(languages.default))
    fault('/languages/default', 'not_enabled', 'This is one of the languages that are enabled.')
  if (!isTimeZone(timeZone))
    fault('/timeZone', 'no_time_zone', 'This is no time zone. Write one like America/Sao_Paulo.')
  checkMethods(file, document, fault)
  for (const [method, seconds] of Object.entries(file.expiry ?? {})) {
    const most = lifetimeMaxOf(method)
    if (seconds * secondMs > most)
      fault(`/expiry/${method}`, 'above_method', `${method} gives at most ${most / secondMs} seconds.`)
  }
  for (const [index, host] of (urls.allowedHosts ?? []).entries())
    if (!isHostPattern(host))
      fault(
        `/urls/allowedHosts/${index}`,
        'no_host',
        'Write a host alone: shop.example, shop.example:8443, or *.shop.example.',
      )
  for (const name of ['success', 'cancel'] as const) {
    const url = urls[name]
    if (url !== undefined && urls.allowedHosts !== undefined && !leadsTo(new URL(url), urls.allowedHosts))
      fault(`/urls/${name}`, 'host_not_allowed', 'Its host is not one of allowedHosts.')
  }
  if (
    support.email !== undefined &&
    !/^[^\s@<>"?&]{1,64}@[^\s@<>"?&]+\.[^\s@<>"?&.]{2,}$/.test(support.email)
  )
    fault('/support/email', 'no_email', 'This is no e-mail address.')
}

type FileMethod = NonNullable<TemplateFile['methods']>[number]

/** Each method is there once, and a currency of the template takes it; one is highlighted at most. */
function checkMethods(file: TemplateFile, { methods, currencies }: TemplateDocument, fault: Fault): void {
  if (methods.length === 0) fault('/methods', 'no_method', 'At least one method is enabled.')
  const listed = new Set<string>()
  let highlighted: string | undefined
  for (const [index, each] of (file.methods ?? []).entries()) {
    const { method, enabled = true, highlight = false } = each
    const pointer = `/methods/${index}`
    if (listed.has(method)) fault(`${pointer}/method`, 'twice', `${method} stands here twice.`)
    else if (enabled && !takesOneOf(method, currencies))
      fault(
        `${pointer}/method`,
        'no_currency',
        `${method} takes ${descriptorOf[method].currencies.join(', ')}, and the template has none of these.`,
      )
    listed.add(method)
    checkLimits(each, currencies, (currency, code, message) =>
      fault(`${pointer}/limits/${currency}`, code, message),
    )
    if (!enabled || !highlight) continue
    if (highlighted !== undefined)
      fault(`${pointer}/highlight`, 'highlighted_twice', `One method is highlighted, and ${highlighted} is.`)
    highlighted ??= method
  }
}

function checkLimits(
  { method, limits = {} }: FileMethod,
  currencies: TemplateDocument['currencies'],
  fault: Fault,
) {
  for (const [currency, { min = 1, max = Infinity }] of Object.entries(limits)) {
    if (min > max) fault(currency, 'min_above_max', 'Its min is more than its max.')
    if (!currencies.some((each) => each === currency))
      fault(currency, 'no_such_currency', 'The template does not have this currency.')
    else if (!takesOneOf(method, [currency]))
      fault(
        currency,
        'not_of_method',
        `${method} is not paid in ${currency}: it takes ${descriptorOf[method].currencies.join(', ')}.`,
      )
  }
}

function takesOneOf(method: Method, currencies: readonly string[]): boolean {
  return descriptorOf[method].currencies.some((each) => currencies.includes(each))
}

function lifetimeMaxOf(name: string): number {
  return descriptors.find(({ method }) => method === name)?.lifetimeMaxMs ?? Infinity
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

type Present<Fields> = { readonly [Name in keyof Fields]?: NonNullable<Fields[Name]> }

/** The object without the fields that are undefined. */
function present<Fields extends object>(fields: Fields): Present<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Present<Fields>
}
