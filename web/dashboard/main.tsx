// The start of the pages: theme first, then the session, then the screen of the address.
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, useEffect, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { handle } from './api/client.ts'
import { createQueryClient } from './api/queries.ts'
import { sessionQuery } from './api/session.ts'
import { createDashboardRouter } from './routes.tsx'
import { applyTheme } from './shell/theme.ts'
import { ReaderContext, readerOf, readerOfBrowser } from './words/reader.ts'

applyTheme()
const client = createQueryClient()
const router = createDashboardRouter(client)

handle({
  signedOut: () => {
    const { href, pathname } = router.state.location
    client.clear()
    client.setQueryData(sessionQuery.queryKey, null)
    if (pathname !== '/sign-in') void router.navigate({ to: '/sign-in', search: { next: href } })
  },
})

const place = document.getElementById('root')
if (place === null) throw new Error('the page has no place for the dashboard')
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      {/* The content security policy allows no <style> in the page. */}
      <CSPProvider disableStyleElements>
        <WithReader>
          <RouterProvider router={router} />
        </WithReader>
      </CSPProvider>
    </QueryClientProvider>
  </StrictMode>,
)

/** The reader's language and time zone: the user's, as soon as there is one. */
function WithReader({ children }: { readonly children: ReactNode }) {
  // Only watched here: the routes fetch it when they need it.
  const { data } = useQuery({ ...sessionQuery, enabled: false })
  const reader = data === null || data === undefined ? readerOfBrowser() : readerOf(data.user)
  useEffect(() => {
    document.documentElement.lang = reader.locale
  }, [reader.locale])
  return <ReaderContext value={reader}>{children}</ReaderContext>
}
