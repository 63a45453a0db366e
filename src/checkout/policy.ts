// What browsers are told to allow on our pages: next to nothing (CSP 3, Trusted Types, Permissions Policy).

/** Of every answer but files that may be kept. */
export const baseHeaders = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
} as const

/**
 * Scripts, styles and pictures of our own, nothing inline, nothing foreign. `formOrigins`: where a form of ours is led on
 * to, the provider's own page, for browsers check that too.
 */
export function pagePolicy(formOrigins: readonly string[] = []): string {
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'`,
    `img-src 'self' data:`,
    `connect-src 'self'`,
    `frame-src 'self'`,
    `form-action ${["'self'", ...originsOf(formOrigins)].join(' ')}`,
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ')
}

/**
 * Of the page that holds the provider's frame and nothing else: the one place where a script that is not ours runs. It
 * sees no payment, and only our own page may frame it.
 */
export function framePolicy(scriptUrl: string, origins: readonly string[]): string {
  const script = originsOf([scriptUrl])
  const provider = originsOf(origins).join(' ')
  return [
    `default-src 'none'`,
    `script-src ${["'self'", ...script].join(' ')}`,
    `style-src 'self'`,
    `frame-src ${provider || "'none'"}`,
    `connect-src ${provider || "'none'"}`,
    `form-action 'none'`,
    `frame-ancestors 'self'`,
    `base-uri 'none'`,
  ].join('; ')
}

/** The origins of these URLs, each once; what is no URL of the web is left out, so that no text widens a policy. */
function originsOf(urls: readonly string[]): readonly string[] {
  const origins = urls.flatMap((url) => {
    const parsed = URL.canParse(url) ? new URL(url) : undefined
    return parsed !== undefined && ['https:', 'http:'].includes(parsed.protocol) ? [parsed.origin] : []
  })
  return [...new Set(origins)]
}
