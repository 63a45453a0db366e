// Which scripts and calls of the API the page of an address names, so that the browser loads everything for its first view at once.
// Otherwise the script of the view would wait for the script of the page, and the records for both.
import type { FastifyRequest } from 'fastify'
import { lengthened } from '#/db/limits.ts'
import { isUuid } from '#/kernel/id.ts'
import { sleep } from '#/kernel/time.ts'
import type { FindVisitor } from './visitor.ts'

/** The kinds of first views whose scripts are known: the sign-in, the frame of all other screens, and these with their screen. */
const views = ['door', 'frame', 'overview', 'payments', 'payment'] as const
type View = (typeof views)[number]

export type BuiltPage = {
  readonly html: string
  /** The script files of each view, besides those that the page names itself. */
  readonly preloads: Readonly<Record<View, readonly string[]>>
}

/** Writes the page of a path, which also names these calls of the API. */
export function createHtmlOf({ html, preloads }: BuiltPage) {
  const at = html.indexOf('</head>')
  const [head, rest] = [html.slice(0, at), html.slice(at)]
  const modules = Object.fromEntries(
    views.map((view) => [
      view,
      preloads[view].map((file) => `<link rel="modulepreload" crossorigin href="/${file}">\n`).join(''),
    ]),
  ) as Record<View, string>
  return (path: string, calls: readonly string[]): string => {
    // The calls come first: over HTTP/1.1 they would wait behind all scripts, and nothing is shown before their answers.
    const first = calls.map(
      (call) => `<link rel="preload" as="fetch" crossorigin href="${attribute(call)}">\n`,
    )
    return head + first.join('') + modules[viewOf(path)] + rest
  }
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

/** A session that takes longer to find is not waited for: then the page requests its records itself. */
const usualPatienceMs = 150

/** The calls of the API that the first view of an address makes, for who asks. */
export async function firstCallsFor(find: FindVisitor, request: FastifyRequest): Promise<readonly string[]> {
  const address = new URL(request.url, 'http://page')
  const { pathname } = address
  if (viewOf(pathname) === 'door') return ['/api/site']
  const merchantId = merchantIn(pathname)
  if (merchantId === undefined) return ['/api/session']
  const visitor = await Promise.race([
    find(request).catch(() => undefined),
    sleep(lengthened(usualPatienceMs)),
  ])
  const isMember =
    visitor?.isComplete === true && visitor.memberships.some((each) => each.merchantId === merchantId)
  if (!isMember) return ['/api/session']
  return ['/api/session', ...recordsOf(address, merchantId, visitor.user.language)]
}

/** Exactly as the screens request them: otherwise the browser would request them twice. A browser test compares the two. */
function recordsOf(
  { pathname, search, searchParams }: URL,
  merchantId: string,
  language: string,
): readonly string[] {
  const at = `/api/m/${merchantId}`
  switch (viewOf(pathname)) {
    case 'overview': {
      const span = searchParams.get('span') ?? ''
      const known = ['today', '7d', '30d', '90d'].includes(span) ? span : '30d'
      return [`${at}/overview?span=${known}`, `${at}/payments?limit=6`, `${at}/setup`]
    }
    case 'payments':
      // Filters are read in the browser, in the language and time zone of the person.
      return [...(search === '' ? [`${at}/payments?limit=50`] : []), `${at}/templates`]
    case 'payment': {
      const id = pathname.split('/')[4] ?? ''
      if (!isUuid(id)) return []
      const of = `paymentId=${id}&limit=100`
      return [
        `${at}/payments/${id}`,
        `${at}/payments/${id}/explain?language=${language}`,
        `${at}/refunds?${of}`,
        `${at}/disputes?${of}`,
        `${at}/payments/${id}/shares`,
      ]
    }
    case 'door':
    case 'frame':
      return []
  }
}

/** Only in the form that our own addresses have, because the calls of a page repeat it. */
function merchantIn(path: string): string | undefined {
  const [, kind, id = ''] = path.split('/')
  return kind === 'm' && isUuid(id) ? id : undefined
}

/** The addresses that people open first and come back to. All others load their screen after the frame. */
function viewOf(path: string): View {
  if (/^\/(?:sign-in|open)\/?$/.test(path)) return 'door'
  const [, rest] = /^\/m\/[^/]+(?:\/(.*?))?\/?$/.exec(path) ?? []
  if (path === '/' || (rest === undefined && path.startsWith('/m/'))) return 'overview'
  if (rest === 'payments') return 'payments'
  return rest !== undefined && /^payments\/(?!new$)[^/]+$/.test(rest) ? 'payment' : 'frame'
}
