// The control port: its calls cause what a payer, another bank or an accident would. Loopback only.
import { clockRoute } from '../kit/account-clock.ts'
import { iso, now } from '../kit/clock.ts'
import { mustBeLocal, route } from '../kit/control-route.ts'
import { given } from '../kit/given.ts'
import { listenerOf, type Reply, type Route } from '../kit/http.ts'
import { eventsRoute, integerOf, shownWithout } from '../kit/log.ts'
import { controlProblem, Refusal } from '../kit/refusal.ts'
import { createApplication, createServerCertificate } from './applications.ts'
import type { Bank } from './bank.ts'
import { chargeView, copyPasteOf, latestCharges } from './charges.ts'
import { moneyRoutes } from './control-money.ts'
import { readFault, readModes, readTokens } from './control-settings.ts'
import { holderClock } from './holder-time.ts'
import { bankPage } from './page.ts'
import type { Charge } from './state.ts'

export type SetDown = (down: boolean) => void

export function controlListener(bank: Bank, setDown: SetDown) {
  const routes: readonly Route[] = [
    ...settingRoutes(bank, setDown),
    ...moneyRoutes(bank),
    clockRoute(holderClock(bank)),
    ...readingRoutes(bank),
    ...bankPage(bank),
  ]
  return listenerOf({
    routes,
    around: async (call, work) => {
      mustBeLocal(call)
      return await work()
    },
    failed: (error) =>
      error instanceof Refusal ? error.reply : controlProblem(500, 'internal', String(error)).reply,
    missing: ({ method, path }) => controlProblem(404, 'not_found', `No ${method} ${path} here`).reply,
    kept: () => bank.eventStore.kept(),
  })
}

function settingRoutes(bank: Bank, setDown: SetDown): readonly Route[] {
  const { passing, eventStore } = bank
  const ok = (body: unknown): Reply => ({ status: 200, body })
  return [
    route('POST', '/_sim/applications', (body) => ({ status: 201, body: createApplication(bank, body) })),
    route('POST', '/_sim/server-certificates', (body) => ({
      status: 201,
      body: createServerCertificate(bank, body),
    })),
    route('POST', '/_sim/tokens', (body) => ok(readTokens(bank, body))),
    route('POST', '/_sim/faults', (body) => {
      const fault = readFault(body, bank)
      passing.faults.push(fault)
      return { status: 201, body: fault }
    }),
    route('GET', '/_sim/faults', () => ok({ faults: passing.faults })),
    route('DELETE', '/_sim/faults', () => {
      passing.faults = []
      return { status: 204 }
    }),
    route('POST', '/_sim/down', ({ down }) => {
      if (typeof down !== 'boolean') throw controlProblem(400, 'invalid_request', 'down is true or false')
      setDown(down)
      return ok({ down })
    }),
    route('POST', '/_sim/webhooks', (body) => {
      const modes = readModes(bank, body)
      eventStore.record({ type: 'modes.set', at: now(), modes })
      return ok(modes)
    }),
    route('GET', '/_sim/webhooks', () => ok(eventStore.state.modes)),
    route('POST', '/_sim/reset', () => {
      eventStore.record({ type: 'reset', at: now() })
      passing.faults = []
      passing.refused.clear()
      passing.lookups.clear()
      setDown(false)
      return { status: 204 }
    }),
  ]
}

function readingRoutes(bank: Bank): readonly Route[] {
  const { eventStore, passing } = bank
  return [
    route('GET', '/_sim/health', () => {
      const { applications, charges, pix, payouts } = eventStore.state
      const sizes = { applications, charges, pix, payouts, tasks: eventStore.tasks }
      const counts = Object.fromEntries(Object.entries(sizes).map(([name, { size }]) => [name, size]))
      return { status: 200, body: { ok: true, seed: eventStore.seed, down: passing.down, counts } }
    }),
    route('GET', '/_sim/charges', (_, { query }) => {
      const txid = query.get('txid')
      const named = [...eventStore.state.charges.values()].filter((charge) => charge.txid === txid)
      const found = txid === null ? latestCharges(bank, limitOf(query)) : named
      return {
        status: 200,
        body: { charges: found.slice(0, limitOf(query)).map((each) => sheet(bank, each)) },
      }
    }),
    eventsRoute({ recent: eventStore.recent, shown: shownWithout('secretHash') }),
  ]
}

function sheet(bank: Bank, charge: Charge) {
  return {
    ...chargeView(bank, charge),
    pixKey: charge.account.pixKey,
    expiresAt: iso(charge.endsAt),
    expired: now() > charge.endsAt,
    pixCopiaECola: copyPasteOf(bank, charge),
    ...given({ magic: charge.scenario }),
  }
}

function limitOf(query: URLSearchParams): number {
  return Math.min(Math.max(1, integerOf(query, 'limit', 100)), 10_000)
}
