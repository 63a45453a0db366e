// For tests of the rail: its connections, openings and answers.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { given } from '#/kernel/given.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { silentLog, type Log } from '#/kernel/log.ts'
import { addMs, hourMs, systemClock, type Clock } from '#/kernel/time.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import { createPixClient, type PixClient } from '#/rails/pix/client.ts'
import { type PspProfile } from '#/rails/pix/profile.ts'
import { createPixRail, type PixRail } from '#/rails/pix/rail.ts'
import { toReference } from '#/rails/pix/receipts.ts'
import { checkPixSettings } from '#/rails/pix/settings.ts'
import type { PixPage } from '#/rails/pix/wire.ts'
import type { Opening } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import type { Reply } from '../provider.ts'
import { bookOf, merchantId, newConnectionId } from '../rail.ts'
import type { PixBank } from './bank.ts'
import { pemSecrets, startTestPsp, type PspCall } from './psp.ts'

export function connectionOf(
  settings: ProviderConnection['settings'],
  secrets: ProviderConnection['secrets'],
  more = {},
): ProviderConnection {
  return {
    id: newConnectionId(),
    mode: 'SANDBOX',
    method: 'PIX',
    provider: 'bacen',
    settings,
    secrets,
    refundSecrets: secrets,
    ...more,
  }
}

/** A rail over these connections, which may be changed while it runs. */
export function railOf(
  t: TestContext,
  connections: ProviderConnection[],
  more: { readonly log?: Log } = {},
): PixRail {
  const rail = createPixRail({
    connections: bookOf(connections),
    clock: systemClock,
    log: silentLog,
    ...more,
  })
  t.after(() => rail.stop())
  return rail
}

export function opening(connection: ConnectionId, minor = 12_00n, more: Partial<Opening> = {}): Opening {
  return {
    id: newId<'attempt'>(),
    merchantId,
    paymentId: newId<'payment'>(),
    method: 'PIX',
    connection,
    amount: { minor, currency: 'BRL' },
    expiresAt: addMs(systemClock.now(), hourMs),
    ...more,
  }
}

export const brief = ({ outcome, attempt, providerRef, amount }: Receipt) => [
  outcome,
  attempt?.id,
  providerRef,
  amount.minor,
]
export const open = (rail: PixRail, what: Opening) => rail.opens.open(what)
export const cancel = (rail: PixRail, what: Opening) => rail.opens.cancel(what)

export function read(rail: PixRail, connection: ConnectionId, body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return Promise.resolve(rail.read({ connection, receivedAt: systemClock.now(), body: Buffer.from(text) }))
}

/** A merchant of the bank, and a rail with its connection alone. */
export async function shopAt(bank: PixBank, t: TestContext, more: Partial<ProviderConnection> = {}) {
  const { settings, secrets } = await bank.customer()
  const connection = connectionOf(settings, secrets, more)
  const rail = railOf(t, [connection])
  const { pixKey } = settings
  /** The bank's Pix of this merchant: all of them, or an attempt's. */
  const chargesOf = async (attempt?: Opening) => {
    const { charges } = await bank.control('GET', '/charges?limit=1000')
    return (charges as readonly Record<string, unknown>[]).filter(
      (each) =>
        each['pixKey'] === pixKey && (attempt === undefined || each['txid'] === toReference(attempt.id)),
    )
  }
  const paid = async (attempt: Opening, terms = {}) => {
    await open(rail, attempt)
    return bank.paid(toReference(attempt.id), terms)
  }
  return { rail, connection, id: connection.id, pixKey, chargesOf, paid }
}

/** A rail at a PSP that answers as `reply` says. */
export async function railAtPsp(
  t: TestContext,
  reply: (call: PspCall) => Reply | undefined,
  more: { readonly log?: Log } = {},
) {
  const started = await startTestPsp((call) => (call.path === '/oauth/token' ? undefined : reply(call)))
  t.after(() => started.stop())
  const urls = { baseUrl: started.url, tokenUrl: `${started.url}/oauth/token`, ca: started.ca }
  const connection = connectionOf(
    { ...urls, pixKey: 'k', receiverName: 'Loja', receiverCity: 'São Paulo' },
    pemSecrets,
  )
  const calls = () => started.calls.filter(({ path }) => path !== '/oauth/token')
  return { rail: railOf(t, [connection], more), id: connection.id, calls }
}

/** A PSP's answer that shows the attempt's charge. */
export const cobOf = (attempt: Opening, more: object = {}) => ({
  status: 201,
  body: {
    txid: toReference(attempt.id),
    status: 'ATIVA',
    valor: { original: '12.00' },
    location: 'pix.example.com/qr/v2/1',
    ...more,
  },
})

/** A client with these settings, closed with the test. */
export function clientOf(
  t: TestContext,
  settings: Readonly<Record<string, unknown>>,
  secrets: Readonly<Record<string, unknown>>,
  more: { readonly profile?: Partial<PspProfile>; readonly clock?: Clock } = {},
): PixClient {
  const checked = checkPixSettings(settings, secrets)
  assert.ok(checked.ok, JSON.stringify(checked))
  const { profile, baseUrl, tokenUrl, ca } = checked.settings
  const client = createPixClient({
    profile: { ...profile, ...more.profile },
    baseUrl,
    tokenUrl,
    credentials: checked.credentials,
    ...given({ ca }),
    clock: more.clock ?? systemClock,
    log: silentLog,
  })
  t.after(() => client.close())
  return client
}

export async function all(pages: AsyncIterable<PixPage>): Promise<readonly PixPage[]> {
  const found: PixPage[] = []
  for await (const page of pages) found.push(page)
  return found
}
