// Faults of destinations of ours, of amounts that a rail cannot write, and of what the dashboard's acts concern.
import type { Fault } from './fault.ts'
import { planted } from './planted.ts'

const destinations = 'test/contract/own-destinations.test.ts'
const edges = 'test/dashboard/edges.test.ts'
const factors = 'src/people/second-factor-first.test.ts'
const signIn = 'src/people/sign-in.test.ts'

export const actFaults: readonly Fault[] = [
  ...planted('acts', 'src/money-out/own-destinations.ts', destinations, [
    {
      what: 'a destination of ours is like any other',
      find: "return own.has(place) ? { ok: false, reason: 'own' } : beyondRail(place.type, amountMinor)",
      put: 'return beyondRail(place.type, amountMinor)',
    },
    {
      what: 'an amount that the rail cannot write is accepted',
      find: "return own.has(place) ? { ok: false, reason: 'own' } : beyondRail(place.type, amountMinor)",
      put: "return own.has(place) && amountMinor > 0n ? { ok: false, reason: 'own' } : undefined",
    },
  ]),
  ...planted('acts', 'src/money-out/queries.ts', destinations, [
    {
      what: 'a wallet that sends is no address of ours',
      find: 'or exists (select from hot_wallet where hot_wallet.address = asked.address)',
      put: 'or false',
    },
    {
      what: 'the treasury of another chain is no address of ours',
      find: 'where asked.address in (chain.treasury, chain.factory))',
      put: 'where asked.address in (chain.factory))',
    },
    {
      what: 'only keys that receive are ours',
      find: "where method in ('PIX', 'PIX_PAYOUT') and lower",
      put: "where method = 'PIX' and lower",
    },
  ]),
  ...planted('acts', 'src/money-out/gate.ts', destinations, [
    {
      what: 'a withdrawal to a place of ours is accepted',
      find: 'if (outside !== undefined) return outside',
      put: "if (outside?.reason === 'rail') return outside",
    },
    {
      what: 'a refund goes to a place of ours',
      find: 'if (outside !== undefined) return outside',
      put: "if (outside !== undefined && way !== 'REFUND_SENT') return outside",
    },
    {
      what: 'a withdrawal to a place that became ours is approved',
      find: 'if (outside !== undefined) return outside',
      put: 'if (outside !== undefined && moment.isCounted !== true) return outside',
    },
  ]),
  ...planted('acts', 'src/withdrawals/send.ts', destinations, [
    {
      what: 'what can never leave is sent',
      find: 'const never = lastSentAt === null ? await neverLeaves(deps, withdrawal) : undefined',
      put: 'const never = lastSentAt !== null ? await neverLeaves(deps, withdrawal) : undefined',
    },
  ]),
  ...planted('acts', 'src/withdrawals/schedule-change.ts', destinations, [
    {
      what: 'a schedule pays out to a place of ours',
      find: "if (own.has(place)) return 'own_destination'",
      put: "if (own.has(place) && wallet === undefined) return 'own_destination'",
    },
  ]),
  ...planted('acts', 'src/operator/limits.ts', destinations, [
    {
      what: 'a place of ours is put on a list',
      find: 'if ((await loadOwnDestinations(tx, [listed])).has(listed)) throw ownDestination()',
      put: 'await loadOwnDestinations(tx, [listed])',
    },
  ]),
  ...planted('acts', 'src/people/concern.ts', edges, [
    {
      what: 'an act that does not say what it concerns needs no factor',
      find: "if (concern === undefined) return method !== 'GET'",
      put: 'if (concern === undefined) return false',
    },
    {
      what: 'a payment sends events to an address of its own without a factor',
      find: "export const addressesInBody = ['webhookUrl', 'returnUrl', 'cancelUrl']",
      put: "export const addressesInBody = ['cancelUrl']",
    },
  ]),
  ...planted('acts', 'src/dashboard/template-routes.ts', edges, [
    {
      what: 'a template needs no factor',
      find: "concern: 'payers',\n  operationId: 'setTemplate',",
      put: "concern: { none: 'how a page looks' },\n  operationId: 'setTemplate',",
    },
  ]),
  ...planted('acts', 'src/people/sessions.ts', factors, [
    {
      what: 'the first factor leaves older sessions',
      find: 'if (methodsOf(session).length > 0) return 0',
      put: 'if (methodsOf(session).length >= 0) return 0',
    },
  ]),
  ...planted('acts', 'src/people/second-factor.ts', factors, [
    {
      what: 'a wrong code is in no log',
      find: "if (isWrong && !('passkey' in proof)) {",
      put: "if (isWrong && 'passkey' in proof && !('passkey' in proof)) {",
    },
  ]),
  ...planted('acts', 'src/people/throttle.ts', signIn, [
    {
      what: 'anybody fills the log with emails',
      find: 'if (userId === undefined) throw new Nobody()',
      put: "if (how === 'totp' && userId === undefined) throw new Nobody()",
    },
  ]),
  ...planted('acts', 'src/http/routes.ts', 'test/contract/without-sandbox.test.ts', [
    {
      what: 'the routes of the sandbox exist without one',
      find: "return isWithoutSandbox ? routes.filter(({ path }) => !path.startsWith('/v1/sandbox/')) : routes",
      put: "return isWithoutSandbox ? routes.filter(({ path }) => !path.startsWith('/v1/sandbox/pay')) : routes",
    },
  ]),
]
