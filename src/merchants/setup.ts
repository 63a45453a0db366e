// What a new merchant sets up, as the overview lists it until all of it is there or its people put the list away.
import type { Sql } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { By } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import type { Permission } from '#/people/roles.ts'
import { selectSetup, writeSetupHidden, type SetUp } from './setup-queries.ts'

/** In the order of the list. */
export const setupSteps = ['CHECKOUT', 'PAYMENT', 'KEY', 'ENDPOINT', 'APPROVAL', 'TEAM'] as const
export type SetupStep = (typeof setupSteps)[number]

/** Of each step: who can do something about it, and what in the database says that it is done. */
const rules: Readonly<
  Record<SetupStep, { readonly needs: Permission; readonly isDone: (found: SetUp) => boolean }>
> = {
  CHECKOUT: { needs: 'templates:write', isDone: ({ hasCheckout }) => hasCheckout },
  PAYMENT: { needs: 'payments:write', isDone: ({ wasPaid }) => wasPaid },
  KEY: { needs: 'keys:write', isDone: ({ hasKey }) => hasKey },
  ENDPOINT: { needs: 'webhooks:write', isDone: ({ hasEndpoint }) => hasEndpoint },
  APPROVAL: { needs: 'withdrawals:approve', isDone: ({ hasApproval }) => hasApproval },
  TEAM: { needs: 'members:write', isDone: ({ hasTeam }) => hasTeam },
}

export type Setup = {
  readonly isHidden: boolean
  readonly steps: readonly { readonly step: SetupStep; readonly isDone: boolean }[]
}

/** The steps that a member can do something about. Who pays out of a sub-account is its parent's choice (decision 185). */
export async function setupOf(
  sql: Sql,
  merchantId: MerchantId,
  member: { readonly permissions: ReadonlySet<Permission>; readonly isSubAccount: boolean },
): Promise<Setup> {
  const found = await selectSetup(sql, merchantId)
  const isTheirs = (step: SetupStep) =>
    member.permissions.has(rules[step].needs) && !(step === 'APPROVAL' && member.isSubAccount)
  return {
    isHidden: found.isHidden,
    steps: setupSteps.filter(isTheirs).map((step) => ({ step, isDone: rules[step].isDone(found) })),
  }
}

/** Puts the list away for everybody who works for the merchant, or shows it again. */
export async function hideSetup(sql: Sql, merchantId: MerchantId, isHidden: boolean, by: By): Promise<void> {
  await sql.begin(async (tx) => {
    if (!(await writeSetupHidden(tx, merchantId, isHidden))) return
    const entry = { action: 'setup.hide', subject: `merchant:${merchantId}`, merchantId }
    await writeAudit(tx, [{ ...by, ...entry, before: { isHidden: !isHidden }, after: { isHidden } }])
  })
}
