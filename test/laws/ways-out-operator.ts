// The two ways out that only people of the operator decide about: what waits for a second person, and who that cannot be.
import assert from 'node:assert/strict'
import type { Sql } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { systemClock } from '#/kernel/time.ts'
import type { Rule, Way } from '#/money-out/ways.ts'
import { approveProposal } from '#/operator/approve.ts'
import type { ProposalId } from '#/operator/proposal-queries.ts'
import { decideSuspense } from '#/operator/suspense.ts'
import { proposeUnrecorded } from '#/operator/unrecorded.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { refundDecisionKind } from '#/settlement/refund-decide.ts'
import { settleKind } from '#/settlement/settle.ts'
import { sentKind } from '#/settlement/unrecorded.ts'
import type { Outcome, World } from './ways-out-world.ts'

const person = (id: string) => ({ by: { actor: { kind: 'OPERATOR', id } as const }, name: id })

/** A connection whose account the money came to or left. */
async function connectionOf(sql: Sql): Promise<ConnectionId> {
  const id = 'a1-operators' as ConnectionId
  await sql`
    insert into connection (id, mode, method, provider, settings, created_at)
    values (${id}, 'SANDBOX', 'PARTNER_PAY', 'test', '{}', now()) on conflict do nothing`
  return id
}

type Operators = { readonly [W in Way]?: { readonly [R in Rule]?: () => Promise<readonly Outcome[]> } }

/** The attempts at them. */
export function operatorAttempts(worldOf: () => World): Operators {
  const deps = () => {
    const { sql, lane, dashboard } = worldOf()
    const { rails } = dashboard
    return {
      sql,
      lane,
      rails,
      cell: 'a1',
      clock: systemClock,
      payoutRails: new Map(),
      hasOwnKeys: true,
      aloneMax: 0n,
      // No bank reports anything here.
      connections: { of: () => [], find: () => undefined, all: () => [] },
      keep: async () => {},
      refundDecisionKind: refundDecisionKind(rails),
    }
  }

  async function inSuspense() {
    const { sql, lane, dashboard } = worldOf()
    const connection = await connectionOf(sql)
    const providerRef = `stray-${newId()}`
    const receipt: Receipt = {
      method: 'PARTNER_PAY',
      connection,
      providerRef,
      outcome: 'paid',
      occurrence: 1,
      amount: { minor: 500n, currency: 'USDT' },
      happenedAt: new Date(),
      evidence: Buffer.from(providerRef),
    }
    await lane.submit(settleKind(dashboard.rails), { receipts: [receipt] })
    const [row] = await sql<{ id: string }[]>`select id from unmatched where provider_ref = ${providerRef}`
    return String(row?.id) as Parameters<typeof decideSuspense>[2]['id']
  }

  /** Money that left without a record. */
  async function unrecorded() {
    const { sql, lane } = worldOf()
    const connection = await connectionOf(sql)
    const reference = newId().replaceAll('-', '')
    const verdict = await lane.submit(sentKind, {
      connection,
      account: connection,
      kind: 'WITHDRAWAL',
      reference,
      amount: { minor: 500n, currency: 'BRL' },
      evidence: Buffer.from(reference),
    })
    assert.equal(verdict.kind, 'recorded')
    return verdict.unrecorded.id
  }

  const requestCharge = async () => {
    const { sub } = await worldOf().scene()
    const request = { id: await unrecorded(), resolution: 'CHARGED', merchantId: sub.id } as const
    return (await proposeUnrecorded(deps(), person('ana'), request, 'it was theirs')).id
  }
  const requestReturn = async () => {
    const verdict = await decideSuspense(deps(), person('ana'), {
      id: await inSuspense(),
      note: 'the bank sent it back',
    })
    assert.equal(verdict.kind, 'proposed')
    return verdict.proposal.id
  }
  const approvedBy = async (name: string, id: ProposalId): Promise<Outcome> => {
    try {
      await approveProposal(deps(), person(name), id)
      return 'passes'
    } catch (error) {
      assert.ok(error instanceof AppError && error.code === 'forbidden', String(error))
      return 'refused'
    }
  }
  return {
    SUSPENSE: {
      approval: async () => {
        await requestReturn()
        return ['waits']
      },
      decider: () => decided(requestReturn),
    },
    UNRECORDED: {
      approval: async () => {
        await requestCharge()
        return ['waits']
      },
      decider: () => decided(requestCharge),
    },
  }

  /** Whoever requests it tries to approve it; then another person does. */
  async function decided(request: () => Promise<ProposalId>): Promise<readonly Outcome[]> {
    const id = await request()
    const outcomes = [await approvedBy('ana', id)]
    assert.equal(await approvedBy('bia', id), 'passes')
    return outcomes
  }
}
