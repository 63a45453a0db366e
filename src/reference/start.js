// Starts the renderer. In a sandbox the settings have its key; elsewhere the reader types a key, which stays in the page.

/** @typedef {{ createApiReference(target: string, settings: object): unknown }} Renderer */

void start()

async function start() {
  const response = await fetch('/reference/settings.json')
  const { apiKey } = /** @type {{ apiKey?: string }} */ (await response.json())
  const { Scalar } = /** @type {{ Scalar: Renderer }} */ (/** @type {unknown} */ (globalThis))

  Scalar.createApiReference('#reference', {
    url: '/openapi.json',
    servers: [{ url: globalThis.location.origin, description: 'This server' }],
    pageTitle: 'Vintem: API reference',
    authentication: {
      preferredSecurityScheme: 'apikey',
      securitySchemes: { apikey: apiKey === undefined ? {} : { value: apiKey } },
    },
    // Nothing of other servers: no fonts, no proxy, no client on the web, no assistant, no measuring.
    withDefaultFonts: false,
    proxyUrl: '',
    telemetry: false,
    hideClientButton: true,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    persistAuth: false,
    documentDownloadType: 'none',
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  })
}
