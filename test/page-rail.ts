// A rail whose provider is a stand-in: it opens attempts in the request or with the payer's page. The test controls the provider
// and reads the calls that it received.
import assert from 'node:assert/strict'
import { ProviderError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import { hourMs } from '#/kernel/time.ts'
import type { Method } from '#/rails/method.ts'
import type { Opening, OpensInRequest, OpensWithPage, Rail } from '#/rails/rail.ts'
import { refusedFor } from '#/rails/refusal.ts'
import { beyondLimits } from '#/rails/routing.ts'

/** The dynamic example of the Manual de Padrões para Iniciação do Pix. */
const code =
  '00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***630464E4'

/** As an acquirer publishes them. */
const cardLimits = { min: 50n, max: 99_999_999n }

export type PageRail = Rail & {
  /** The calls that the provider got, in order. */
  readonly openings: readonly Opening[]
  /** Its behaviour from now on: answers, refuses, or is away. `lastsMs`: when what it opened ends by itself. */
  behave(how: 'answers' | 'refuses' | 'refuses the payer' | 'is away', lastsMs?: number): void
  /** Holds answers back until they are released. */
  hold(): () => void
  isConnected: boolean
}

type Options = {
  readonly method: Method
  readonly opens: 'REQUEST' | 'PAGE'
  readonly currencies: readonly Currency[]
  readonly connection: ConnectionId
  readonly now: () => Date
}

export function pageRail({ method, opens, currencies, connection, now }: Options): PageRail {
  const openings: Opening[] = []
  const made = new Map<string, number>()
  let how = 'answers'
  let lasts: number | undefined
  let held = Promise.resolve()
  const atProvider: Pick<OpensInRequest, 'open' | 'cancel'> = {
    async open(opening) {
      openings.push(opening)
      await held
      if (how === 'is away') throw new ProviderError('unavailable', 'the provider is away')
      if (how === 'refuses') return refusedFor('refused_by_provider', 'wörtlich: No.')
      if (how === 'refuses the payer') return refusedFor('payer_refused', 'wörtlich: devedor')
      const serial = made.get(opening.id) ?? made.size + 1
      made.set(opening.id, serial)
      const artifacts = {
        ...(method === 'PIX' ? { copyPaste: code } : { session: `s${serial}` }),
        ...given({ presentation: opening.presentation }),
        ...(lasts === undefined ? {} : { expiresAt: new Date(now().getTime() + lasts).toISOString() }),
      }
      return { ok: true, artifacts }
    },
    cancel: async () => {},
  }
  const rail: PageRail = {
    method,
    lifetimeMs: hourMs,
    ...(method === 'PARTNER_PAY' ? { lifetimeMaxMs: hourMs } : {}),
    opens:
      opens === 'REQUEST'
        ? { at: 'REQUEST', ...atProvider, close: async () => ({ receipts: [], isOver: true }) }
        : withPage(method, atProvider),
    openings,
    isConnected: true,
    behave(next, lastsMs) {
      how = next
      lasts = lastsMs
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
    route({ currency = currencies[0], amountMinor = 100n }) {
      const fitting = currencies.find((each) => each === currency)
      if (!rail.isConnected)
        return { ok: false, code: 'method_not_available', detail: `${method} is not connected.` }
      if (fitting === undefined) {
        const detail = `${method} takes ${currencies.join(' or ')}, not ${currency}.`
        return { ok: false, code: 'currency_not_supported', detail, pointer: '/currency' }
      }
      const beyond =
        method === 'CREDIT_CARD'
          ? beyondLimits(method, cardLimits, { minor: amountMinor, currency: fitting })
          : undefined
      return beyond ?? { ok: true, connection, currency: fitting }
    },
    ...(method === 'CREDIT_CARD'
      ? { authorisations: { capture: async () => [], void: async () => [] } }
      : {}),
    read: () => [],
    arrival: () => ({ at: 'PROVIDER' }),
    record: {
      from: 'ATTEMPTS',
      show: (attempts) => {
        const copyPaste = attempts.findLast(({ artifacts }) => artifacts !== undefined)?.artifacts?.[
          'copyPaste'
        ]
        return typeof copyPaste === 'string' ? { pixCopyPaste: copyPaste } : {}
      },
    },
  }
  return rail
}

/** Its provider can never report an attempt's result. */
function withPage(method: Method, atProvider: Pick<OpensInRequest, 'open' | 'cancel'>): OpensWithPage {
  return {
    at: 'PAGE',
    page: method === 'PARTNER_PAY' ? 'PARTNER' : 'CHECKOUT',
    ...atProvider,
    check: async () => ({ receipts: [], isOver: false }),
    present: () => assert.fail('no page is shown'),
  }
}
