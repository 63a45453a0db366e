// Terms of a merchant at the command line: carried out, or requested where the person is a member of the merchant.
import type { Sql } from '#/db/client.ts'
import { decideTerms, type TermsAct, type TermsDone } from '#/operator/terms.ts'
import { operatorHere, textOf } from './audited.ts'
import { refusing, type Call, type Option } from './command.ts'
import { sayProposed } from './proposed.ts'

export const reasonOption: Option = {
  value: 'text',
  meaning: 'Why, for the audit log; required where another person has to approve',
}

/** What the person says, read before anything else is done. */
export function reasonOf(call: Call): string | undefined {
  return textOf(call, 'reason')
}

/** What was done. Undefined: it was requested, and the command has said so. */
export async function decideTermsHere(
  call: Call,
  sql: Sql,
  act: TermsAct,
  reason: string | undefined,
): Promise<TermsDone | undefined> {
  const deps = { sql, cell: call.deps.config().VINTEM_CELL }
  const decided = await refusing(decideTerms(deps, operatorHere(call.deps.config()), act, reason))
  if ('done' in decided) return decided.done
  sayProposed(call, decided.proposal)
  return undefined
}
