// Faults in who counts as one person where two are needed, and in what becomes of a member's keys.
import type { Fault } from './fault.ts'
import { planted } from './planted.ts'

export const whoFaults: readonly Fault[] = [
  ...planted('keys', 'src/people/person.ts', 'src/people/person.test.ts', [
    {
      what: 'who is not known is a second person',
      find: 'if (decider === undefined || decider.size === 0 || requesters.length === 0)',
      put: 'if (decider === undefined || decider.size === 0)',
    },
    {
      what: 'an address with a tag is another person',
      find: "return plain.replace(/^([^+@\\s]+)\\+[^@]*(@[^@]+)$/, '$1$2')",
      put: 'return plain',
    },
  ]),
  ...planted('keys', 'src/merchants/lineage.ts', 'test/contract/one-person.test.ts', [
    {
      what: 'a key of the parent approves what its sub-account pays out',
      find: "return holders.get(by)?.begunAt === merchantId ? undefined : 'parents_key'",
      put: 'return merchantId === holders.get(by)?.begunAt ? undefined : undefined',
    },
  ]),
  ...planted('keys', 'src/merchants/queries.ts', 'test/contract/one-person.test.ts', [
    {
      what: 'keys that came of one key are different persons',
      find: 'wanted.id\n      join api_key as first on first.id = coalesce(api_key.lineage, api_key.id)',
      put: 'wanted.id\n      join api_key as first on first.id = api_key.id',
    },
  ]),
  ...planted('withdrawals', 'src/withdrawals/decide.ts', 'test/contract/one-person.test.ts', [
    {
      what: 'whoever changed the amounts of a schedule approves what it pays',
      find: '[requestedBy, ...((scheduleId === undefined ? undefined : changers.get(scheduleId)) ?? [])]',
      put: '[requestedBy]',
    },
  ]),
  ...planted('refunds', 'src/settlement/refund-decide.ts', 'test/contract/one-person.test.ts', [
    {
      what: 'one person requests and approves a refund',
      find: "if (objection !== undefined) return { verdict: { kind: 'objected', objection } }",
      put: 'void objection',
    },
  ]),
  ...planted('keys', 'src/audit/records-queries.ts', 'test/laws/settlement-tamper-pix.test.ts', [
    {
      what: 'verify looks for the requesting key only under one lineage of one merchant',
      find: 'left join api_key as decider on decider.id = ${sql(table)}.decided_by',
      put: 'left join api_key as decider on decider.id = ${sql(table)}.requested_by and false',
    },
  ]),
  ...planted('settlement', 'src/operator/suspense.ts', 'test/dashboard/operator-interest.test.ts', [
    {
      what: 'an operator who is the merchant’s owner decides alone that suspense is theirs',
      find: '(found.amountMinor > deps.aloneMax || !(await mayActAlone(deps.sql, operator, concerned)))',
      put: 'found.amountMinor > deps.aloneMax',
    },
  ]),
  ...planted('settlement', 'src/operator/terms.ts', 'test/dashboard/operator-interest.test.ts', [
    {
      what: 'an operator who is the merchant’s owner changes its limits, destinations and fees alone',
      find: 'if (await mayActAlone(deps.sql, operator, [merchantId]))',
      put: 'if (merchantId.length > 0)',
    },
  ]),
  ...planted('settlement', 'src/operator/proposals.ts', 'test/dashboard/operator-interest.test.ts', [
    {
      what: 'two members of a merchant are the two people who decide about its money',
      find: 'await requireOutsider(sql, { requested: requester, approves: operator }, concernedBy(proposal))',
      put: 'void concernedBy',
    },
  ]),
  ...planted('banks', 'src/operator/statements.ts', 'test/dashboard/operator-interest-banks.test.ts', [
    {
      what: 'a member of the merchant says alone that the bank did not take back its credit',
      find: 'await requireAlone(tx, operator, await merchantsConcerned(tx, connection, concerned))\n      const action = of',
      put: 'void concerned\n      const action = of',
    },
    {
      what: 'a member of the merchant says alone that a debit of its credit was told twice',
      find: 'await requireAlone(tx, operator, await merchantsConcerned(tx, connection, concerned))\n      const action = isSame',
      put: 'void concerned\n      const action = isSame',
    },
  ]),
  ...planted('banks', 'src/operator/parked.ts', 'test/dashboard/operator-interest-banks.test.ts', [
    {
      what: 'a member of the merchant drops alone what its own bank reports',
      find: 'await requireAlone(tx, operator, [await selectConnectionOwner(tx, signal.connection)])',
      put: 'void selectConnectionOwner',
    },
  ]),
  ...planted('banks', 'src/rails/sepa/concerned.ts', 'test/dashboard/operator-interest-banks.test.ts', [
    {
      what: 'a debit that names no credit is nobody’s, and a member decides about it alone',
      find: 'return isNamed ? concerned : { ...concerned, unnamed: { minor, currency, bookedOn } }',
      put: 'return isNamed ? concerned : { ...concerned }',
    },
  ]),
  ...planted('withdrawals', 'src/operator/payouts.ts', 'test/dashboard/operator-payouts.test.ts', [
    {
      what: 'a member of the merchant records alone that its withdrawal was not paid',
      find: 'if (amountMinor <= deps.aloneMax && (await mayActAlone(deps.sql, operator, [merchantId])))',
      put: 'if (amountMinor <= deps.aloneMax)',
    },
  ]),
  ...planted('settlement', 'src/operator/live-queries.ts', 'test/dashboard/operator-interest.test.ts', [
    {
      what: 'an owner decides alone about real money, because a sandbox is on beside it',
      find: 'return isSandboxHere && !(await selectHasLive(sql))',
      put: 'return isSandboxHere',
    },
  ]),
  ...planted('settlement', 'src/restored/review.ts', 'src/restored/money-out.test.ts', [
    {
      what: 'who began the repair after a restore lets money out again, by another account of theirs',
      find: 'if (objectionTo(decider, [began]) !== undefined)',
      put: 'if (decider === began)',
    },
  ]),
  ...planted('keys', 'src/merchants/member-keys.ts', 'test/dashboard/member-keys.test.ts', [
    {
      what: 'the keys of a user whom the operator disables go on working',
      find: 'for (const { merchantId } of await selectMemberships(tx, userId, membershipsMax))\n      await endKeys',
      put: 'for (const { merchantId } of await selectMemberships(tx, userId, 1))\n      await endKeys',
    },
    {
      what: 'the keys of a member who is removed go on working',
      find: 'if (heir === undefined) await queries.revokeHeld(tx, keys)',
      put: 'if (heir === undefined) await queries.revokeHeld(tx, [])',
    },
    {
      what: 'keys that were made for sub-accounts go on working',
      find: 'const held = [...own, ...elsewhere.filter(isTheirs)]',
      put: 'const held = [...own, ...elsewhere.slice(elsewhere.length)]',
    },
    {
      what: 'keys are handed to a member who may not do what they may',
      find: 'const wider = keys.find((key) => !isWithin(key, role))',
      put: 'const wider = keys.find(() => role === undefined)',
    },
  ]),
  ...planted('withdrawals', 'src/audit/wallets.ts', 'test/dashboard/own-grant.test.ts', [
    {
      what: 'verify does not see that one person gave a grant and took by it',
      find: "if (isByOne(row)) faults.push('was taken by the person who gave the grant')",
      put: 'void isByOne',
    },
  ]),
  ...planted('withdrawals', 'src/wallets/transfer.ts', 'test/dashboard/own-grant.test.ts', [
    {
      what: 'a transfer does not keep who took it',
      find: '{ ...transfer, fingerprint, idempotencyKey, requestedBy },\n    { ...theirs',
      put: '{ ...transfer, fingerprint, idempotencyKey },\n    { ...theirs',
    },
  ]),
  ...planted('withdrawals', 'src/audit/withdrawals.ts', 'test/laws/settlement-tamper-pix.test.ts', [
    {
      what: 'verify does not see that a withdrawal which had left was canceled',
      find: "if (row.hasLeft && status === 'CANCELED')",
      put: "if (row.hasLeft && status === 'PENDING')",
    },
  ]),
  ...planted('keys', 'src/dashboard/operator/user-routes.ts', 'test/dashboard/operator-money.test.ts', [
    {
      what: 'an operator gets a password for another one, and is two people',
      find: 'return isOperator && actor.id !== id',
      put: 'return isOperator && actor.id === undefined',
    },
  ]),
  ...planted('settlement', 'src/cli/act-commands.ts', 'test/laws/peoples-acts.test.ts', [
    {
      what: 'a command asks who is a member without knowing that all is a sandbox',
      find: 'const operator = operatorHere(call.deps.config())',
      put: 'const operator = operatorHere()',
    },
  ]),
]
