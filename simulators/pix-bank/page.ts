// The bank's page for people, at the control port.
import { join } from 'node:path'
import type { Route } from '../kit/http.ts'
import { lastOf } from '../kit/log.ts'
import { pageRoutes } from '../kit/page.ts'
import type { Bank } from './bank.ts'
import { live, page } from './page-view.ts'

export function bankPage(bank: Bank): readonly Route[] {
  return pageRoutes({
    icon: join(import.meta.dirname, 'page.svg'),
    page: () => page(bank),
    live: () => live(bank),
    last: () => lastOf(bank.eventStore.recent()),
  })
}
