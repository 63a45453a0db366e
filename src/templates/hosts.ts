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
