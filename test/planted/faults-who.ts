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
      find: "return holder?.begunAt === merchantId ? undefined : 'parents_key'",
      put: 'return merchantId === holder?.begunAt ? undefined : undefined',
    },
  ]),
  ...planted('keys', 'src/merchants/key-queries.ts', 'test/contract/one-person.test.ts', [
    {
      what: 'keys that came of one key are different persons',
      find: 'join api_key as first on first.id = coalesce(api_key.lineage, api_key.id)',
      put: 'join api_key as first on first.id = api_key.id',
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
  ...planted('keys', 'src/audit/one-person.ts', 'test/laws/settlement-tamper-pix.test.ts', [
    {
      what: 'verify looks for the requesting key only under one lineage of one merchant',
      find: 'left join api_key as decider on decider.id = ${sql(table)}.decided_by',
      put: 'left join api_key as decider on decider.id = ${sql(table)}.requested_by and false',
    },
  ]),
]
