// The answers of the dashboard's server about an invented shop, on one day, for the picture in README. The sums are computed from the
// days, so that they agree. A test checks each answer against the schema of its route.
import { permissionsOf } from '#/people/roles.ts'
import type { Answer } from '../../web/dashboard/api/call.ts'
import type { Currency, PaymentMethod, Wallet } from '../../web/dashboard/api/generated.ts'
import { paidPayment } from './dashboard-money-records.ts'
import { merchant, now } from './gallery-parts.ts'

const days = 30
const dayMs = 86_400_000
export const merchantId = '019a4c10-2f00-7a31-8c55-6d0f2a9be001'

const idOf = (place: number) => `019a4c10-2f00-7a31-8c55-${String(place).padStart(12, '0')}`
/** A date so many days before today. */
const dateOf = (ago: number) => new Date(now.getTime() - ago * dayMs).toISOString().slice(0, 10)
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString()

export const session: Answer<'getSession'> = {
  user: {
    id: idOf(1),
    email: 'marina@serraazul.example',
    name: 'Marina Duarte',
    language: 'en',
    timeZone: 'America/Sao_Paulo',
    isOperator: false,
  },
  merchants: [
    {
      id: merchantId,
      name: merchant,
      mode: 'LIVE',
      role: 'OWNER',
      permissions: permissionsOf('OWNER'),
      isSubAccount: false,
    },
  ],
  operatorPermissions: [],
  factors: { hasPassword: true, passkeys: 1, hasTotp: true, recoveryCodes: 10 },
  secondFactorUntil: null,
  isSandboxHere: false,
}

type Sale = {
  readonly method: PaymentMethod
  readonly currency: Currency
  /** On a usual day, and how much one brings on average, in minor units. */
  readonly perDay: number
  readonly average: number
  /** Days until the money can be withdrawn. */
  readonly delay: number
}

const sales: readonly Sale[] = [
  { method: 'PIX', currency: 'BRL', perDay: 34, average: 8_640, delay: 0 },
  { method: 'CREDIT_CARD', currency: 'BRL', perDay: 13, average: 11_930, delay: 2 },
  { method: 'BOLETO', currency: 'BRL', perDay: 2, average: 23_450, delay: 1 },
  { method: 'CREDIT_CARD', currency: 'EUR', perDay: 2.4, average: 4_790, delay: 2 },
  { method: 'MB_WAY', currency: 'EUR', perDay: 1.7, average: 3_680, delay: 1 },
  { method: 'CRYPTO', currency: 'USDT', perDay: 1.5, average: 5_210, delay: 0 },
  { method: 'PARTNER_PAY', currency: 'USDT', perDay: 0.8, average: 3_990, delay: 0 },
]

/** From Sunday to Saturday. */
const week = [0.62, 0.94, 0.9, 1.02, 1.08, 1.3, 1.14]

type Day = Sale & {
  readonly ago: number
  readonly date: string
  readonly count: number
  readonly amount: number
}

/** What one kind of sale brought on one day. Some days are better than others, and the shop grows. */
function dayOf(sale: Sale, place: number, ago: number): Day {
  const weekday = new Date(now.getTime() - ago * dayMs).getUTCDay()
  const luck = 0.84 + ((ago * 37 + place * 53 + ago * ago * 11) % 33) / 100
  const growth = 1.08 - ago * 0.006
  const soFar = ago === 0 ? 0.7 : 1
  const count = Math.round(sale.perDay * (week[weekday] ?? 1) * luck * growth * soFar)
  const basket = 0.93 + ((ago * 29 + place * 17) % 15) / 100
  return { ...sale, ago, date: dateOf(ago), count, amount: Math.round(count * sale.average * basket) }
}

const sold: readonly Day[] = Array.from({ length: days * 2 }, (_, ago) => ago)
  .toReversed()
  .flatMap((ago) => sales.map((sale, place) => dayOf(sale, place, ago)))

const between = (first: number, last: number) => sold.filter(({ ago }) => ago >= first && ago <= last)

const totalOf = (all: readonly { readonly count: number; readonly amount: number }[]) => ({
  count: all.reduce((sum, { count }) => sum + count, 0),
  amount: all.reduce((sum, { amount }) => sum + amount, 0),
})

/** What is there at the beginning, and the part of it that the shop takes out each Friday. */
const initially: Readonly<Record<string, number>> = { BRL: 400_000, EUR: 20_000, USDT: 20_000 }
const takenOut = 0.3
const isPayday = (ago: number) => new Date(now.getTime() - ago * dayMs).getUTCDay() === 5

/** It waits for a second person, and is held meanwhile. */
const waiting = { id: idOf(20), type: 'PIX', currency: 'BRL', amount: 320_000, createdAt: minutesAgo(42) }

type Movement = {
  readonly ago: number
  readonly opening: number
  readonly out: number
  readonly closing: number
}

/** The balance of a currency, day by day, after the fee of 1.5 percent. */
function movementsOf(currency: string): readonly Movement[] {
  const own = sold.filter((each) => each.currency === currency)
  const moved: Movement[] = []
  let opening = initially[currency] ?? 0
  for (let ago = days * 2 - 1; ago >= 0; ago -= 1) {
    const came = own
      .filter((each) => each.ago - each.delay === ago)
      .reduce((sum, each) => sum + Math.round(each.amount * 0.985), 0)
    const out = isPayday(ago) ? Math.round((opening * takenOut) / 10_000) * 10_000 : 0
    const held = ago === 0 ? heldOf(currency) : 0
    const closing = opening + came - out - held
    moved.push({ ago, opening, out, closing })
    opening = closing
  }
  return moved
}

function heldOf(currency: string): number {
  return currency === waiting.currency ? waiting.amount : 0
}

const currencies = ['BRL', 'EUR', 'USDT'] as const
const movements = new Map(currencies.map((currency) => [currency, movementsOf(currency)]))
const payoutTypes = { BRL: 'PIX', EUR: 'SEPA', USDT: 'CRYPTO' } as const

/** Of a hundred attempts so many pay, and how long that takes. */
const ways = [
  ['PIX', 0.934, 38_200],
  ['CREDIT_CARD', 0.881, 71_000],
  ['BOLETO', 0.672, 64_800_000],
  ['MB_WAY', 0.852, 46_400],
  ['CRYPTO', 0.918, 214_000],
  ['PARTNER_PAY', 0.941, 29_700],
] as const

type Part = { readonly count: number; readonly amount: number }

type Span = {
  readonly first: number
  readonly last: number
  /** How much worse the methods did, as a part. */
  readonly worse: number
  readonly refunds: Part
  readonly disputes: Part
}

function figuresOf({ first, last, worse, refunds, disputes }: Span) {
  const own = between(first, last)
  const success = ways.map(([method, rate]) => {
    const { count: paid } = totalOf(own.filter((each) => each.method === method))
    const ended = Math.round(paid / (rate * (1 - worse)))
    return { method, ended, paid, rate: paid / ended }
  })
  const paidIn = (currency: string) => totalOf(own.filter((each) => each.currency === currency)).count
  return {
    from: dateOf(last),
    to: dateOf(first),
    created: currencies.map((currency) => ({ currency, count: Math.round(paidIn(currency) * 1.14) })),
    paid: sales.map(({ method, currency }) => ({
      method,
      currency,
      ...totalOf(own.filter((each) => each.method === method && each.currency === currency)),
    })),
    success,
    timeToPaid: ways.map(([method, , medianMs], place) => ({
      method,
      count: success[place]?.paid ?? 0,
      medianMs: Math.round(medianMs * (1 + worse)),
    })),
    refunded: [{ method: 'PIX', currency: 'BRL', ...refunds }],
    disputed: [{ currency: 'BRL', ...disputes }],
    disputesWon: [{ currency: 'BRL', count: 1, amount: 14_900 }],
    disputesLost: [],
    withdrawn: currencies.map((currency) => {
      const paidOut = (movements.get(currency) ?? [])
        .filter(({ ago, out }) => ago >= first && ago <= last && out > 0)
        .map(({ out }) => ({ count: 1, amount: out }))
      return { method: payoutTypes[currency], currency, ...totalOf(paidOut) }
    }),
  }
}

/** What can be used of a currency now, and what was paid and cannot be used yet. */
function balanceOf(currency: (typeof currencies)[number]) {
  const balance = movements.get(currency)?.at(-1)?.closing ?? 0
  const pending = sold.filter((each) => each.currency === currency && each.ago < each.delay)
  const pendingBalance = pending.reduce((sum, each) => sum + Math.round(each.amount * 0.985), 0)
  return { currency, balance, pendingBalance, heldBalance: heldOf(currency) }
}

const ofWallet = {
  walletType: 'SPENDABLE',
  isActive: true,
  version: 1,
  createdAt: '2026-03-02T12:00:00.000Z',
} as const
const labels = { BRL: 'Main', EUR: 'Loja Portugal', USDT: 'USDT' }
/** A part of the money in BRL is put aside. */
const aside = 485_000

const wallets: readonly Wallet[] = [
  ...currencies.map((currency, place) => {
    const { balance, ...rest } = balanceOf(currency)
    const own = currency === 'BRL' ? balance - aside : balance
    return {
      id: idOf(10 + place),
      label: labels[currency],
      isDefault: true,
      ...ofWallet,
      ...rest,
      balance: own,
    }
  }),
  {
    ...ofWallet,
    id: idOf(13),
    currency: 'BRL',
    label: 'Taxes and payroll',
    isDefault: false,
    balance: aside,
    pendingBalance: 0,
    heldBalance: 0,
  },
]

const nothing = { count: 0, isMore: false, first: [] }

export const overview: Answer<'getOverview'> = {
  span: '30d',
  timeZone: 'UTC',
  asOf: now.toISOString(),
  lagMs: 0,
  present: figuresOf({
    first: 0,
    last: days - 1,
    worse: 0,
    refunds: { count: 11, amount: 98_730 },
    disputes: { count: 1, amount: 24_900 },
  }),
  before: figuresOf({
    first: days,
    last: days * 2 - 1,
    worse: 0.016,
    refunds: { count: 14, amount: 120_460 },
    disputes: { count: 2, amount: 39_800 },
  }),
  days: between(0, days - 1).map(({ date, method, currency, count, amount }) => ({
    date,
    figure: 'PAID',
    method,
    currency,
    count,
    amount,
  })),
  medianError: 0.05,
  wallets,
  balanceHistory: {
    interval: 'DAY',
    timeZone: 'UTC',
    data: currencies.flatMap((currency) =>
      (movements.get(currency) ?? [])
        .filter(({ ago }) => ago < days)
        .map(({ ago, opening, closing }) => ({
          date: dateOf(ago),
          currency,
          openingBalance: opening,
          closingBalance: closing,
        })),
    ),
  },
  attention: {
    endpoints: nothing,
    withdrawals: { count: 1, isMore: false, first: [waiting] },
    refunds: nothing,
    disputes: nothing,
    underpaid: nothing,
    suspended: nothing,
  },
}

const customers = [
  ['Ana Beatriz Figueiredo', 12_490, 'BRL', 'PIX', 2],
  ['Rafael Nogueira', 8_900, 'BRL', 'CREDIT_CARD', 9],
  ['Sofía Núñez', 4_600, 'EUR', 'MB_WAY', 21],
  ['Carlos Drummond', 25_800, 'BRL', 'PIX', 34],
  ['Inês Carvalho', 5_200, 'USDT', 'CRYPTO', 51],
  ['Luiza Prado', 6_750, 'BRL', 'PIX', 66],
] as const

export const latest: Answer<'listPayments'> = {
  data: customers.map(([customerName, amount, currency, method, minutes], place) =>
    paidPayment({
      id: idOf(30 + place),
      mode: 'LIVE',
      amount,
      currency,
      method,
      fee: Math.round(amount * 0.015),
      customerName,
      createdAt: minutesAgo(minutes),
      paidAt: minutesAgo(minutes - 1),
    }),
  ),
}

/** All of it is done. */
export const setup: Answer<'getSetup'> = { isHidden: false, steps: [] }
