// What browsers may load and do on our pages: very little (CSP 3, Trusted Types, Permissions Policy).

/** Headers of every answer except cached files. */
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
 * Only scripts, styles and images of our own, and nothing inline. `formOrigins`: the provider's pages to which a form may be
 * redirected, because browsers apply the policy to the redirect too.
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
 * For the page that holds the provider's frame: the only page where a script that is not ours runs. The script has no access to the
 * payment, and only our own page may show this one in a frame.
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

/**
 * For the preview of a page, which only a frame of the dashboard shows. The sandbox allows no script, no form, no new window, and
 * no link out of the frame. Its origin stays the dashboard's, because it loads the dashboard's style sheets.
 */
export const previewPolicy = [
  `default-src 'none'`,
  `script-src 'none'`,
  `style-src 'self'`,
  `img-src data:`,
  `connect-src 'none'`,
  `frame-src 'self'`,
  `form-action 'none'`,
  `frame-ancestors 'self'`,
  `base-uri 'none'`,
  `sandbox allow-same-origin`,
].join('; ')

/** The origins of these URLs, each once. A text that is not a web URL is left out, so that it cannot widen a policy. */
function originsOf(urls: readonly string[]): readonly string[] {
  const origins = urls.flatMap((url) => {
    const parsed = URL.canParse(url) ? new URL(url) : undefined
    return parsed !== undefined && ['https:', 'http:'].includes(parsed.protocol) ? [parsed.origin] : []
  })
  return [...new Set(origins)]
}
