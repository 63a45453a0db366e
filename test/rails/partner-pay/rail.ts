// For tests of the rail: its connections, openings and answers.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { pino } from 'pino'
import { must } from '#/kernel/check.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { silentLog, type Log } from '#/kernel/log.ts'
import { addMs, hourMs, systemClock, type Clock } from '#/kernel/time.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import { createPartnerPayRail, type PartnerPayRail } from '#/rails/partner-pay/rail.ts'
import { toReference } from '#/rails/partner-pay/receipts.ts'
import type { Opened, OpenedAttempt, Opening, SignedCallback } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { closer } from '../../../simulators/kit/harness.ts'
import { eventually } from '../../eventually.ts'
import { startTestProvider, type Call, type Reply } from '../provider.ts'
import { bookOf, merchantId, newConnectionId } from '../rail.ts'
import { success, type TestWallet } from './wallet.ts'

export function connectionOf(
  parts: Pick<ProviderConnection, 'settings' | 'secrets' | 'refundSecrets'>,
  more: Partial<ProviderConnection> = {},
): ProviderConnection {
  return {
    id: newConnectionId(),
    mode: 'SANDBOX',
    method: 'PARTNER_PAY',
    provider: 'binance',
    ...parts,
    ...more,
  }
}

/** A rail over these connections, which may be changed while it runs. */
export function railOf(
  t: TestContext,
  connections: ProviderConnection[],
  { clock = systemClock, log = silentLog }: { readonly clock?: Clock; readonly log?: Log } = {},
): PartnerPayRail {
  const rail = createPartnerPayRail({
    connections: bookOf(connections),
    clock,
    log,
  })
  t.after(() => rail.stop())
  return rail
}

export function openingOf(connection: ConnectionId, more: Partial<Opening> = {}): Opening {
  return {
    id: newId<'attempt'>(),
    merchantId,
    paymentId: newId<'payment'>(),
    method: 'PARTNER_PAY',
    connection,
    amount: { minor: 12_34n, currency: 'USDT' },
    expiresAt: addMs(systemClock.now(), hourMs / 2),
    pageUrl: 'http://127.0.0.1:4002/c/token',
    ...more,
  }
}

export const open = (rail: PartnerPayRail, opening: Opening) => rail.opens.open(opening)
export const cancel = (rail: PartnerPayRail, opening: Opening) => rail.opens.cancel(opening)
export const check = (rail: PartnerPayRail, attempt: OpenedAttempt) => rail.opens.check(attempt)
export const send = (
  rail: PartnerPayRail,
  ...order: Parameters<NonNullable<PartnerPayRail['refunds']>['send']>
) => must(rail.refunds, 'it refunds').send(...order)
export const verify = (rail: PartnerPayRail, callback: SignedCallback) => rail.callbacks.verify(callback)
export const read = (rail: PartnerPayRail, connection: ConnectionId, body: Buffer | string) =>
  Promise.resolve(rail.read({ connection, receivedAt: systemClock.now(), body: Buffer.from(body) }))

export const brief = ({ outcome, attempt, providerRef, amount, failure }: Receipt) => [
  outcome,
  attempt?.id,
  providerRef,
  amount.minor,
  ...(failure === undefined ? [] : [failure.code]),
]

/** The opening's result; a refusal fails the test. */
export function artifactsOf(opened: Opened): Readonly<Record<string, unknown>> {
  assert.ok(opened.ok, JSON.stringify(opened))
  return opened.artifacts
}

export type WalletOrder = {
  readonly prepayId: string
  readonly merchantTradeNo: string
  readonly status: string
  readonly amount: string
  readonly refunds: readonly Readonly<Record<string, unknown>>[]
}

/** A merchant of the wallet app, a rail with its connection alone, and the app's callbacks. */
export async function shopAt(wallet: TestWallet, t: TestContext, clock: Clock = systemClock) {
  const inbox = await startTestProvider(() => ({
    status: 200,
    body: { returnCode: 'SUCCESS', returnMessage: null },
  }))
  t.after(() => inbox.stop())
  const connection = connectionOf(await wallet.merchant(`${inbox.url}/callbacks`))
  const rail = railOf(t, [connection], { clock })
  const callback = ({ headers, body }: Call, receivedAt = systemClock.now()): SignedCallback => ({
    connection: connection.id,
    headers,
    body,
    receivedAt,
  })
  /** The wallet's record of an attempt. */
  const orderOf = async ({ id }: Opening): Promise<WalletOrder | undefined> => {
    const { orders } = await wallet.control('GET', '/state')
    return (orders as readonly WalletOrder[]).find((each) => each.merchantTradeNo === toReference(id))
  }
  /** Opens an attempt, and then acts as the payer. */
  const opened = async (opening = openingOf(connection.id)) => {
    const artifacts = artifactsOf(await open(rail, opening))
    const prepayId = String(artifacts['prepayId'])
    const act = (action: string, more = {}) =>
      wallet.control('POST', `/orders/${prepayId}`, { action, ...more })
    return { opening, attempt: { ...opening, artifacts }, prepayId, act }
  }
  /** The callback with this status, when it has come. */
  const heard = (bizStatus: string, prepayId: string) =>
    eventually(`the callback ${bizStatus}`, () =>
      inbox.calls.find(({ body }) => body.includes(`"${bizStatus}"`) && body.includes(`"${prepayId}"`)),
    )
  /** Brings what is ahead of the merchant at the wallet closer. */
  const advance = (seconds: number) =>
    wallet.control('POST', '/clock', closer(String(connection.secrets['apiKey']), seconds))
  return { rail, connection, id: connection.id, inbox, callback, orderOf, opened, heard, advance }
}

/** A rail at a provider that answers as `reply` says. */
export async function railAtProvider(
  t: TestContext,
  reply: (call: Call) => Reply,
  clock: Clock = systemClock,
  log: Log = silentLog,
) {
  const provider = await startTestProvider(reply)
  t.after(() => provider.stop())
  const secrets = { apiKey: 'key0123456789', apiSecret: 'secret0123456789' }
  const parts = { settings: { apiUrl: provider.url }, secrets, refundSecrets: secrets }
  const connection = connectionOf(parts)
  const rail = railOf(t, [connection], { clock, log })
  const paths = () => provider.calls.map(({ path }) => path.replace('/binancepay/openapi/', ''))
  return { rail, connection, id: connection.id, calls: provider.calls, paths }
}

/** A log, and the messages of what was told to it. */
export function toldTo(): { readonly log: Log; readonly told: readonly string[] } {
  const told: string[] = []
  const write = (line: string) => void told.push((JSON.parse(line) as { readonly msg: string }).msg)
  return { log: pino({ level: 'info' }, { write }), told }
}

/** The provider's answers about one order. */
export const placedOf = (opening: Opening, more: object = {}): Reply =>
  success({
    prepayId: '112233445566778899',
    merchantTradeNo: toReference(opening.id),
    qrContent: 'https://app.example/qr/1',
    universalUrl: 'https://app.example/pay/1',
    checkoutUrl: 'https://pay.example/1',
    expireTime: opening.expiresAt.getTime(),
    ...more,
  })
export const orderAnswer = (opening: Opening, more: object = {}): Reply =>
  success({
    prepayId: '112233445566778899',
    merchantTradeNo: toReference(opening.id),
    status: 'INITIAL',
    currency: 'USDT',
    orderAmount: '12.34',
    createTime: systemClock.now().getTime(),
    ...more,
  })
