// Records which calls of a client a simulator answered. undici reports every request of this process, so no proxy is needed
// between the client and the simulator.
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Route, Routes } from '#/rails/http.ts'

type SentCall = { readonly method: string; readonly path: string; readonly status: number }

type Told = {
  readonly request: { readonly method: string; readonly path: string; readonly origin: string | URL }
  readonly response: { readonly statusCode: number }
}

/**
 * Makes every call of the table with `make`, one after the other. Fails unless the simulator at `baseUrl` received and accepted
 * each of them (2xx), and received no other call. `also`: other calls that the client may make.
 */
export async function exercise<Table extends Routes>(
  routes: Table,
  baseUrl: string,
  make: Readonly<Record<keyof Table & string, () => Promise<unknown>>>,
  also: readonly Route[] = [],
): Promise<void> {
  assert.deepEqual(Object.keys(make).toSorted(), Object.keys(routes).toSorted())
  const { origin, pathname } = new URL(baseUrl)
  const base = pathname.replace(/\/+$/, '')
  const calls: SentCall[] = []
  const listener = (message: unknown) => {
    const { request, response } = message as Told
    if (String(request.origin) !== origin) return
    const path = request.path.split('?')[0] ?? ''
    // Control calls are made by the test itself.
    if (path.startsWith('/_sim/')) return
    calls.push({ method: request.method, path, status: response.statusCode })
  }
  subscribe('undici:request:headers', listener)
  try {
    for (const [name, call] of Object.entries<() => Promise<unknown>>(make)) {
      const route = routes[name] ?? assert.fail(name)
      const before = calls.length
      await call()
      const sent = calls.slice(before)
      const isAccepted = sent.some(
        (each) => isOf(each, route, base) && each.status >= 200 && each.status < 300,
      )
      assert.ok(isAccepted, `${name} (${route}) was never accepted: ${JSON.stringify(sent)}`)
    }
  } finally {
    unsubscribe('undici:request:headers', listener)
  }
  const strange = calls.filter(
    (each) =>
      !Object.values(routes).some((route) => isOf(each, route, base)) &&
      !also.some((route) => isOf(each, route, '')),
  )
  assert.deepEqual(strange, [])
}

function isOf({ method, path }: SentCall, route: Route, base: string): boolean {
  const [wanted, template = ''] = route.split(' ')
  const shape = RegExp.escape(base + template).replaceAll(/\\\{\w+\\\}/g, '[^/]+')
  return method === wanted && new RegExp(`^${shape}$`).test(path)
}
