// The control port: its calls cause what a payer, another bank or an accident would. Loopback only.
import { clockControl } from '../kit/account-clock.ts'
import { iso, now } from '../kit/clock.ts'
import { bad, field, flag, oneOf, optional, someOf, text, usually, whole } from '../kit/control-fields.ts'
import { control } from '../kit/control.ts'
import { asFields, asInteger } from '../kit/fields.ts'
import { given } from '../kit/given.ts'
import type { Route } from '../kit/http.ts'
import { eventsRoute, integerOf, shownWithout } from '../kit/log.ts'
import { scopes } from './access.ts'
import { createApplication } from './applications.ts'
import { faultActions, type Bank, type Fault } from './bank.ts'
import { chargeView, copyPasteOf, latestCharges } from './charges.ts'
import { moneyTable } from './control-money.ts'
import type { Modes } from './events.ts'
import { holderClock } from './holder-time.ts'
import { usualModes, type Charge } from './state.ts'

const longMs = 600_000

export type Controls = ReturnType<typeof controlTable>
export type SetDown = (down: boolean) => void

export function controlTable(bank: Bank, setDown: SetDown) {
  return {
    ...holderControls(bank),
    ...faultControls(bank, setDown),
    ...webhookControls(bank),
    ...moneyTable(bank),
    clock: clockControl(holderClock(bank)),
    ...readingControls(bank),
  }
}

export function routesOf({ eventStore }: Bank, controls: Controls): readonly Route[] {
  const events = eventsRoute({ recent: eventStore.recent, shown: shownWithout('secretHash') })
  return [...Object.values(controls).map((each) => each.route), events]
}

function holderControls(bank: Bank) {
  const { passing, eventStore, authority } = bank
  const known: readonly string[] = scopes
  return {
    application: control(eventStore, {
      path: 'applications',
      status: 201,
      fields: {
        name: usually('Loja Simulada', text(100)),
        pixKey: optional(text(77)),
        magic: usually(true, flag),
        scopes: usually(
          known,
          someOf(`some of ${scopes.join(', ')}`, (each) => known.includes(each)),
        ),
      },
      run: (application) => createApplication(bank, application),
    }),
    /** For a server that the bank is to call. */
    serverCertificate: control(eventStore, {
      path: 'server-certificates',
      status: 201,
      fields: { hosts: someOf('a list of names or addresses', (each) => each !== '' && each.length <= 253) },
      run: ({ hosts }) => ({ ...authority.server(hosts), ca: authority.ca }),
    }),
    /** How long tokens last from now on; and whether those that were issued end now. */
    tokens: control(eventStore, {
      path: 'tokens',
      fields: { expiresIn: optional(whole(1, 86_400)), revoke: usually(false, flag) },
      run: ({ expiresIn = passing.tokenSeconds, revoke }) => {
        passing.tokenSeconds = expiresIn
        if (revoke) passing.tokens.clear()
        return { expiresIn, valid: passing.tokens.size }
      },
    }),
  }
}

function faultControls({ passing, eventStore }: Bank, setDown: SetDown) {
  return {
    fault: control(eventStore, {
      path: 'faults',
      status: 201,
      fields: {
        match: usually({}, field('{method?, path?}', matchOf)),
        action: oneOf(faultActions),
        delayMs: optional(whole(0, longMs)),
        status: optional(whole(400, 599)),
        times: optional(whole(1, 1_000_000)),
        probability: optional(
          field('a number from 0 to 1', (value) =>
            typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined,
          ),
        ),
      },
      run: ({ match, action, times: left, delayMs = action === 'delay' ? 1000 : undefined, ...others }) => {
        const id = Math.max(0, ...passing.faults.map((each) => each.id)) + 1
        const fault: Fault = { id, ...match, action, ...given({ delayMs, left, ...others }), matched: 0 }
        passing.faults.push(fault)
        return fault
      },
    }),
    faults: control(eventStore, { method: 'GET', path: 'faults', run: () => ({ faults: passing.faults }) }),
    noFaults: control(eventStore, {
      method: 'DELETE',
      path: 'faults',
      status: 204,
      run: () => void (passing.faults = []),
    }),
    down: control(eventStore, {
      path: 'down',
      fields: { down: flag },
      run: ({ down }) => {
        setDown(down)
        return { down }
      },
      buttons: () => [[passing.down ? 'Bring it up' : 'Take it down', { down: !passing.down }]],
    }),
    reset: control(eventStore, {
      path: 'reset',
      status: 204,
      run: () => {
        eventStore.record({ type: 'reset', at: now() })
        passing.faults = []
        passing.refused.clear()
        passing.lookups.clear()
        setDown(false)
      },
    }),
  }
}

function matchOf(value: unknown): Pick<Fault, 'method' | 'path'> | undefined {
  const match = asFields(value)
  if (match === undefined) return undefined
  const { method, path } = match
  if (method !== undefined && typeof method !== 'string') throw bad('match.method is a text')
  if (path !== undefined && !(typeof path === 'string' && isPattern(path)))
    throw bad('match.path is a regular expression')
  return given({ method: method?.toUpperCase(), path })
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp
  } catch {
    return false
  }
}

function webhookControls({ eventStore }: Bank) {
  const { refunds: _, ...usual } = usualModes
  const lose = field('true, false or a number', (value) =>
    typeof value === 'boolean' ? value : asInteger(value, 0, 1_000_000),
  )
  return {
    webhooks: control(eventStore, {
      path: 'webhooks',
      fields: {
        lose: optional(lose),
        repeat: optional(whole(1, 100)),
        delayMs: optional(whole(0, longMs)),
        reorder: optional(flag),
        badCert: optional(flag),
      },
      run: (changed) => {
        const modes: Modes = { ...eventStore.state.modes, ...given(changed) }
        eventStore.record({ type: 'modes.set', at: now(), modes })
        return modes
      },
      buttons: () => {
        const { lose, repeat, delayMs, reorder, badCert } = eventStore.state.modes
        return [
          ['Lose all', { lose: lose !== true }, { isOn: lose === true }],
          ['Lose the next', { lose: 1 }, { isOn: typeof lose === 'number' && lose > 0 }],
          ['Send twice', { repeat: repeat > 1 ? 1 : 2 }, { isOn: repeat > 1 }],
          ['Ten seconds late', { delayMs: delayMs > 0 ? 0 : 10_000 }, { isOn: delayMs > 0 }],
          ['In reverse', { reorder: !reorder }, { isOn: reorder }],
          ['Wrong certificate', { badCert: !badCert }, { isOn: badCert }],
          ['As usual', usual, { style: 'plain' }],
        ]
      },
    }),
    webhookModes: control(eventStore, { method: 'GET', path: 'webhooks', run: () => eventStore.state.modes }),
  }
}

function readingControls(bank: Bank) {
  const { eventStore, passing } = bank
  return {
    health: control(eventStore, {
      method: 'GET',
      path: 'health',
      run: () => {
        const { applications, charges, pix, payouts } = eventStore.state
        const sizes = { applications, charges, pix, payouts, tasks: eventStore.tasks }
        const counts = Object.fromEntries(Object.entries(sizes).map(([name, { size }]) => [name, size]))
        return { ok: true, seed: eventStore.seed, down: passing.down, counts }
      },
    }),
    charges: control(eventStore, {
      method: 'GET',
      path: 'charges',
      run: (_, __, { query }) => {
        const txid = query.get('txid')
        const limit = Math.min(Math.max(1, integerOf(query, 'limit', 100)), 10_000)
        const named = [...eventStore.state.charges.values()].filter((charge) => charge.txid === txid)
        const found = txid === null ? latestCharges(bank, limit) : named
        return { charges: found.slice(0, limit).map((each) => sheet(bank, each)) }
      },
    }),
  }
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
