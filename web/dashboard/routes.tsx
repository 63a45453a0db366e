// Routes, made of the table of screens. Each loads its component when it is first visited.
import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  type AnyRoute,
} from '@tanstack/react-router'
import { sessionQuery, startMerchant } from './api/session.ts'
import { Loading } from './kit/loading.tsx'
import { Toasts } from './kit/toast.tsx'
import { operatorScreens } from './operator-screens.ts'
import { movedScreens, userScreens, screens } from './screens.ts'
import { Broken, NoMerchant, NotAllowed, NotFound, Allowed, OperatorOnly } from './shell/not-found.tsx'
import { firstPath, ScreenTable } from './shell/screen-tables.ts'

type Context = { readonly client: QueryClient }

const root = createRootRouteWithContext<Context>()({
  component: () => (
    <ScreenTable value={screens}>
      <Outlet />
      <Toasts />
    </ScreenTable>
  ),
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in',
  component: lazyRouteComponent(() => import('./screens/sign-in/sign-in.tsx'), 'SignIn'),
})

const open = createRoute({
  getParentRoute: () => root,
  path: 'open',
  component: lazyRouteComponent(() => import('./screens/sign-in/open-link.tsx'), 'OpenLink'),
})

/** All that needs a session. The address is kept, to come back to it after the sign-in. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const session = await context.client.ensureQueryData(sessionQuery)
    if (session !== null) return
    const next = location.href === '/' ? {} : { next: location.href }
    redirect({ to: '/sign-in', search: next, throw: true })
  },
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
})

const start = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: async ({ context }) => {
    const session = await context.client.ensureQueryData(sessionQuery)
    const merchant = startMerchant(session?.merchants ?? [])
    if (merchant !== undefined) redirect({ to: `/m/${merchant.id}`, replace: true, throw: true })
    if (session?.operatorPermissions.includes('operator:read') === true)
      redirect({ to: '/operator', replace: true, throw: true })
  },
  component: NoMerchant,
})

const merchant = createRoute({
  getParentRoute: () => signedIn,
  path: 'm/$merchantId',
  component: lazyRouteComponent(() => import('./shell/merchant-frame.tsx'), 'MerchantFrame'),
})

/** An address that leads nowhere, in the frame of what is around it. Elsewhere the router has no frame for it. */
function nowhere(parent: AnyRoute): AnyRoute {
  return createRoute({ getParentRoute: () => parent, path: '$', component: NotFound })
}

function merchantScreens(): AnyRoute[] {
  return screens.map(({ path, needs, load, name }) =>
    createRoute({
      getParentRoute: () => merchant,
      path: path === '' ? '/' : path,
      component: lazyRouteComponent(async () => {
        const { [name]: Screen } = await load()
        if (Screen === undefined) throw new Error(`no screen is called ${name}`)
        return {
          default: () => (
            <Allowed needs={needs}>
              <Screen />
            </Allowed>
          ),
        }
      }),
    }),
  )
}

/** An area without a screen at its own address: it leads to the first that the member may see. */
const developers = createRoute({
  getParentRoute: () => merchant,
  path: 'developers',
  beforeLoad: async ({ context, params }) => {
    const session = await context.client.ensureQueryData(sessionQuery)
    const member = session?.merchants.find(({ id }) => id === params.merchantId)
    const path = member === undefined ? undefined : firstPath(screens, 'developers', member)
    if (member !== undefined && path !== undefined)
      redirect({ to: `/m/${member.id}/${path}`, replace: true, throw: true })
  },
  component: NotAllowed,
})

function movedRoutes(): AnyRoute[] {
  return Object.entries(movedScreens).map(([from, to]) =>
    createRoute({
      getParentRoute: () => merchant,
      path: from,
      beforeLoad: ({ params, search }: { params: Readonly<Record<string, string>>; search: object }) => {
        const place = to.replaceAll(/\$(\w+)/g, (_, name: string) => params[name] ?? '')
        redirect({ to: `/m/${params['merchantId'] ?? ''}/${place}`, search, replace: true, throw: true })
      },
    }),
  )
}

const account = createRoute({ getParentRoute: () => signedIn, path: 'account', component: Outlet })

function userRoutes(): AnyRoute[] {
  return userScreens.map(({ path, load, name }) =>
    createRoute({
      getParentRoute: () => account,
      path: path === '' ? '/' : path,
      component: lazyRouteComponent(load, name),
    }),
  )
}

const operator = createRoute({ getParentRoute: () => signedIn, path: 'operator', component: Outlet })

function operatorRoutes(): AnyRoute[] {
  return operatorScreens.map(({ path, needs, load, name }) =>
    createRoute({
      getParentRoute: () => operator,
      path: path === '' ? '/' : path,
      component: lazyRouteComponent(async () => {
        const { [name]: Screen } = await load()
        if (Screen === undefined) throw new Error(`no screen is called ${name}`)
        return {
          default: () => (
            <OperatorOnly needs={needs}>
              <Screen />
            </OperatorOnly>
          ),
        }
      }),
    }),
  )
}

/** Values of the address are texts: `?status=PAID&amount=12,50`. */
function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

function stringifySearch(values: Record<string, unknown>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

export function createDashboardRouter(client: QueryClient) {
  return createRouter({
    routeTree: root.addChildren([
      signIn,
      open,
      signedIn.addChildren([
        start,
        merchant.addChildren([...merchantScreens(), developers, ...movedRoutes(), nowhere(merchant)]),
        account.addChildren(userRoutes()),
        operator.addChildren(operatorRoutes()),
        nowhere(signedIn),
      ]),
    ]),
    context: { client },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    defaultPendingComponent: Loading,
    defaultErrorComponent: Broken,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  })
}
