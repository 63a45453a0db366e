// Serves the scenes as pages, with the content security policy of the real server and a stand-in for the provider's card form.
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { pageDocument } from '#/checkout/document.ts'
import type { PageState } from '#/checkout/page-state.ts'
import { pagePolicy } from '#/checkout/policy.ts'
import { stylesheetOf } from '#/checkout/stylesheet.ts'
import type { PageStyle } from '#/checkout/template.ts'
import { loadCheckoutView, type Asset, type CheckoutView } from '#/checkout/view.ts'
import { buildWebIfStale } from '../../web/build.ts'
import { eventually } from '../eventually.ts'
import { frameDocument, frameScript, frameStyle } from './view-frame.ts'

const root = join(import.meta.dirname, '..', '..')

const policy = pagePolicy()
const framePolicy = policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'")

/** The style of a payment whose merchant has chosen none. */
const plainStyle: PageStyle = { radius: 12, font: 'system', theme: 'auto' }

/** Builds the bundle if it is stale, and loads it. */
export async function loadWeb(): Promise<CheckoutView> {
  await buildWebIfStale(root)
  return loadCheckoutView(join(root, 'web', 'dist'))
}

export type ViewServer = AsyncDisposable & {
  readonly url: string
  /** The state that `/c/example`, its stream and its `/state` return. */
  state: PageState
  /** Sends the state to every open stream. */
  push(): void
  /** Method and path of every request, in order. */
  readonly requests: string[]
  /** `opened` waits until a stream is open, `closed` until none is. */
  opened(): Promise<void>
  closed(): Promise<void>
  /** When true, streams are refused, as some networks do. */
  refusesStreams: boolean
  /** When true, every answer is 503. */
  isAway: boolean
  dropStreams(): void
}

/** `style`: the merchant's style; default: the one of a payment without a template. */
export async function startViewServer(first: PageState, style: PageStyle = plainStyle): Promise<ViewServer> {
  const sheet = stylesheetOf(style)
  const web = await loadWeb()
  const streams = new Set<ServerResponse>()
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    view.requests.push(`${request.method} ${request.url}`)
    if (view.isAway) return void response.writeHead(503).end()
    const asset = web.files.get(pathname.replace('/assets/', ''))
    if (asset !== undefined) sendAsset(response, asset)
    else if (pathname === sheet.path) send(response, 'text/css', sheet.css)
    else if (pathname === '/frame.js') send(response, 'text/javascript', frameScript)
    else if (pathname === '/frame.css') send(response, 'text/css', frameStyle)
    else if (pathname === '/c/example/frame') send(response, 'text/html', frameDocument, framePolicy)
    else if (pathname === '/c/example/state') send(response, 'application/json', JSON.stringify(view.state))
    else if (pathname === '/c/example/events' && !view.refusesStreams) openStream(response, streams)
    else if (pathname === '/c/example')
      send(response, 'text/html', pageDocument(view.state, style, web), policy)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const view: ViewServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/c/example`,
    state: first,
    requests: [],
    refusesStreams: false,
    isAway: false,
    dropStreams() {
      for (const stream of streams) stream.destroy()
    },
    push() {
      for (const stream of streams)
        stream.write(`id: ${view.state.version}\ndata: ${JSON.stringify(view.state)}\n\n`)
    },
    opened: () => eventually('a stream', () => streams.size > 0).then(() => {}),
    closed: () => eventually('the end of all streams', () => streams.size === 0).then(() => {}),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return view
}

/** Opens the page with a fixed clock, so that a renewed picture differs only where the page does. */
export async function openScene(page: Page, server: ViewServer): Promise<void> {
  await page.clock.setFixedTime(new Date(server.state.now))
  await page.goto(server.url)
  if (server.state.panel?.method === 'CREDIT_CARD' && server.state.panel.frameUrl !== undefined)
    await page.locator('.frame[data-state="open"]').waitFor()
  await page.evaluate('document.fonts.ready.then(() => {})')
}

function send(response: ServerResponse, type: string, body: string | Buffer, policy?: string): void {
  response
    .writeHead(200, {
      'content-type': type,
      'cache-control': 'no-store',
      ...(policy === undefined ? {} : { 'content-security-policy': policy }),
    })
    .end(body)
}

/** The browser keeps it, as the server's own answer lets it. */
function sendAsset(response: ServerResponse, { type, body }: Asset): void {
  response
    .writeHead(200, { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' })
    .end(body)
}

function openStream(response: ServerResponse, streams: Set<ServerResponse>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.write('retry: 2000\n\n')
  streams.add(response)
  response.on('close', () => streams.delete(response))
}
