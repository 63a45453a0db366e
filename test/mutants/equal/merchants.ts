import type { EqualMutant } from './equal-mutant.ts'

const allCurrencies =
  'All currencies are listed, and each of these has one of them: the list is there for the order of the index.'
const noKeys = 'A look-up of no keys finds none.'

export const merchants: readonly EqualMutant[] = [
  {
    file: 'src/merchants/sub-account-queries.ts',
    find: "and currency = any (${units}::text[]) and status = 'PENDING'",
    put: "and status = 'PENDING'",
    why: allCurrencies,
  },
  {
    file: 'src/merchants/sub-account-queries.ts',
    find: "and currency = any (${units}::text[]) and status = 'OPEN'",
    put: "and status = 'OPEN'",
    why: allCurrencies,
  },
  {
    file: 'src/merchants/sub-account-queries.ts',
    find: 'where id = ${id} and name <> ${change.name}`',
    put: 'where id = ${id} `',
    why: 'The row gets the name that it has.',
  },
  {
    file: 'src/merchants/key-uses.ts',
    find: 'from < uses.length',
    put: 'from <= uses.length',
    why: 'A statement about no keys changes none.',
  },
  {
    file: 'src/merchants/authenticator.ts',
    find: 'keys.length === 0 || closing.signal.aborted',
    put: '(closing.signal.aborted)',
    why: noKeys,
  },
  {
    file: 'src/merchants/authenticator.ts',
    find: 'keys.length === 0 || closing.signal.aborted',
    put: '(keys.length === 0)',
    why: 'Keys are looked up once more before the work in the background ends, and nobody asks for them.',
  },
  {
    file: 'src/merchants/authenticator.ts',
    find: 'keysMax = 10_000, log',
    put: 'keysMax = 10001, log',
    why: 'How many keys are kept in memory by default is a measure of memory.',
  },
  {
    file: 'src/merchants/connections.ts',
    find: 'overlapMs = 10 * secondMs',
    put: 'overlapMs = 11 * secondMs',
    why: 'How long back changes are read again is a pace: what has not changed since is passed over.',
  },
  {
    file: 'src/merchants/connections.ts',
    find: 'since === undefined || changedAt > since',
    put: '(since === undefined)',
    why: 'More connections are read again, and those that have not changed since are passed over.',
  },
  {
    file: 'src/merchants/connections.ts',
    find: 'changedAt > since) since',
    put: 'changedAt >= since) since',
    why: 'It gets the instant that it has.',
  },
  {
    file: 'src/merchants/managed-keys.ts',
    find: 'old.expiresAt < overlapEnd',
    put: 'old.expiresAt <= overlapEnd',
    why: 'Of two equal instants either is the end.',
  },
  {
    file: 'src/merchants/keys.ts',
    find: 'old.expiresAt > overlapEnd',
    put: 'old.expiresAt >= overlapEnd',
    why: 'The key gets the end that it has.',
  },
  {
    file: 'src/merchants/member-keys.ts',
    find: 'sameScopes(seat.scopes, scopes)',
    put: 'sameScopes(scopes, seat.scopes)',
    why: 'No list has a scope twice, so of two lists of one length both are within the other or neither is.',
  },
]
