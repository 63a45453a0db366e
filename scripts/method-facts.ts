// The tables of facts in docs/methods/, written from the rails: currencies, amounts, what is needed of the payer, times, refunds.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { walletCurrencies } from '#/contract/words.ts'
import { must } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { dayMs, hourMs, minuteMs, systemClock } from '#/kernel/time.ts'
import { routeOf } from '#/payments/routing.ts'
import { localMethods } from '#/rails/acquirer/methods/all.ts'
import type { ConnectionBook, ProviderConnection } from '#/rails/connection.ts'
import type { Treasury } from '#/rails/module.ts'
import type { Rail } from '#/rails/rail.ts'
import { railModules } from '#/rails/registry.ts'
import type { RoutingRequest } from '#/rails/routing.ts'

const folder = join(import.meta.dirname, '../docs/methods')
const begin = (method: string) =>
  `<!-- The facts of ${method}, written by \`npm run openapi\` from its rail: do not change them by hand. -->`
const end = '<!-- The end of the facts. -->'

/** Every page of a method as it is to be: its own text, with the table of today's facts. */
export function methodPages(): readonly { readonly name: string; readonly text: string }[] {
  const rails = openRails()
  return readdirSync(folder).map((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    const method = must(/^<!-- The facts of ([A-Z_]+),/m.exec(text)?.[1], `${file} has a place for its facts`)
    const rail = must(rails.get(method), `${method} has a rail`)
    const [before = '', rest = ''] = text.split(`${begin(method)}\n`)
    const after = must(rest.split(`${end}\n`)[1], `${file} says where its facts end`)
    const table = ['| | |', '|---|---|', ...factsOf(rail).map(([name, value]) => `| ${name} | ${value} |`)]
    const facts = [begin(method), '', ...table, '', end].join('\n')
    return { name: `docs/methods/${file}`, text: `${before}${facts}\n${after}` }
  })
}

function factsOf(rail: Rail): readonly (readonly [string, string])[] {
  const { method, needs = [], refunds, lifetimeMs, lifetimeMaxMs } = rail
  const most = lifetimeMaxMs === undefined ? '' : `, to at most ${timeOf(lifetimeMaxMs)}`
  const window = refunds?.windowMs === undefined ? '' : `, within ${timeOf(refunds.windowMs)}`
  const rows: readonly (readonly [string, string])[] = [
    ['`paymentMethods`', `\`["${method}"]\``],
    ['`currency`', currenciesOf(rail)],
    ['`amount`', amountsOf(rail)],
    ['Needed of the payer', needs.map((need) => needNames[need]).join(', ') || 'nothing'],
    ['Time to pay', `${timeOf(lifetimeMs)}; \`expiresIn\` changes it${most}`],
    [
      '`captureMode: "MANUAL"`',
      rail.authorisations === undefined ? '' : 'authorises, and you capture or cancel',
    ],
    [
      'Refunds',
      refunds === undefined
        ? 'none: give money back by a [withdrawal](../withdrawals.md)'
        : `whole or in parts${window}`,
    ],
  ]
  return rows.filter(([, value]) => value !== '')
}

const needNames: Readonly<Record<NonNullable<Rail['needs']>[number], string>> = {
  name: '`customerName`',
  email: '`customerEmail`',
  phone: '`customerPhone`',
  taxId: '`customerTaxId`',
  address: '`customerAddress` with region and postcode',
  iban: 'an account and a mandate, on the page of a checkout',
}

function currenciesOf(rail: Rail): string {
  const takes = (currency: string) => refusalOf(rail, { currency })?.code !== 'currency_not_supported'
  const currencies = walletCurrencies.filter(takes)
  return `${currencies.join(', ')}${needsCurrency(rail) ? '; required' : ''}`
}

/** Whether a request that names nothing but the method lacks the currency too. */
function needsCurrency(rail: Rail): boolean {
  try {
    const request = { amount: 10_000, paymentMethods: [rail.method] }
    routeOf(new Map([[rail.method, rail]]), { id: merchantId, mode: 'SANDBOX' }, request)
    return false
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.faults.some(({ pointer }) => pointer === '/currency')
  }
}

/** What the refusal of an amount of nothing says: only a rail with limits of its own refuses it here. */
function amountsOf(rail: Rail): string {
  const currency = walletCurrencies.find((each) => refusalOf(rail, { currency: each }) === undefined)
  if (currency === undefined) return ''
  const detail = refusalOf(rail, { currency, amountMinor: 0n })?.detail ?? ''
  const [, min, max] = / takes from (\S+) to (\S+) /.exec(detail) ?? []
  return min === undefined || max === undefined ? '' : `from ${min} to ${grouped(max)}`
}

const grouped = (decimal: string) => decimal.replace(/\d(?=(?:\d{3})+\.)/g, '$&,')

const times: readonly (readonly [number, string])[] = [
  [dayMs, 'day'],
  [hourMs, 'hour'],
  [minuteMs, 'minute'],
]

/** In the largest unit that fits. A single day is 24 hours. */
function timeOf(ms: number): string {
  const found = times.find(([each]) => ms % each === 0 && (each !== dayMs || ms > dayMs))
  const [unit, name] = must(found, `${ms} ms are whole minutes`)
  return `${ms / unit} ${name}${ms === unit ? '' : 's'}`
}

// ---- The rails, with accounts that accept all that an account can

const merchantId = newId<'merchant'>()

function refusalOf(rail: Rail, request: Pick<RoutingRequest, 'currency' | 'amountMinor'>) {
  const routing = rail.route({ mode: 'SANDBOX', merchantId, ...request })
  return routing.ok ? undefined : routing
}

function openRails(): ReadonlyMap<string, Rail> {
  const deps = { connections: book, clock: systemClock, log: silentLog, treasury }
  const rails = railModules.flatMap((each) => each.open(deps).rails)
  return new Map(rails.map((rail) => [rail.method, rail]))
}

const nobody = (): never => {
  throw new Error('the documents pay nothing out')
}

/** Ready for the question which currencies a chain takes, and for nothing else. */
const treasury: Treasury = {
  chains: () => [],
  isAwaited: () => true,
  payouts: {
    type: 'CRYPTO',
    route: nobody,
    send: nobody,
    source: nobody,
    networkOf: nobody,
    units: { leave: nobody },
  },
}

const accountOf = (method: string, settings: ProviderConnection['settings'] = {}): ProviderConnection => ({
  id: `00-${newId()}` as ConnectionId,
  mode: 'SANDBOX',
  method,
  provider: 'docs',
  settings,
  secrets: { secretKey: 'sk_docs' },
})

const cardAccounts = ['PT', 'BR'].map((country) =>
  accountOf('CREDIT_CARD', {
    publishableKey: 'pk_docs',
    country,
    currencies: ['BRL', 'EUR', 'USD'],
    methods: localMethods
      .filter(({ accountIn }) => (accountIn ?? 'PT') === country)
      .map(({ method }) => method),
  }),
)

const accounts = [
  ...['PIX', 'PARTNER_PAY', 'SEPA_TRANSFER'].map((method) => accountOf(method)),
  ...cardAccounts,
]

const book: ConnectionBook = {
  of: ({ method }) => accounts.filter((each) => each.method === method),
  find: (id) => accounts.find((each) => each.id === id),
  all: (method) => accounts.filter((each) => each.method === method),
}
