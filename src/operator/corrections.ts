// A bank's corrected statement: one person requests that it is accepted together with what it takes back, another one approves.
import type { Tx } from '#/db/client.ts'
import { AppError, noSuch } from '#/kernel/error.ts'
import type { ConnectionId, MerchantId } from '#/kernel/id.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { correctStatement, type Corrected, type Correction } from '#/rails/sepa/correct.ts'
import type { ImportDeps } from '#/rails/sepa/import.ts'
import type { Operator } from './deps.ts'
import type { Proposal } from './proposal-queries.ts'
import { propose } from './proposals.ts'
import { merchantsConcerned } from './sepa-concerned.ts'

type Named = { readonly connection: ConnectionId; readonly sha256: string }

/** What was requested: the file, and what it would do. */
type Requested = Named &
  Pick<Correction, 'takenBack' | 'added'> & {
    /** Absent: requested from an earlier program, which knew only corrections that leave the balances. */
    readonly balances?: readonly string[]
    readonly concerned: readonly MerchantId[]
  }

/** Undoes the trial. */
class Tried extends Error {
  override name = 'Tried'
}

/** Finds out what the correction would do, and changes nothing. Throws AppError. */
async function tryCorrection(
  deps: ImportDeps,
  { connection, sha256 }: Named,
): Promise<{ readonly correction: Correction; readonly concerned: readonly MerchantId[] }> {
  const tried: { correction: Correction; concerned: readonly MerchantId[] }[] = []
  const note = async (tx: Tx, correction: Correction) => {
    tried.push({ correction, concerned: await merchantsConcerned(tx, connection, correction) })
    throw new Tried()
  }
  try {
    const order = { connection, sha256: Buffer.from(sha256, 'hex'), note }
    throw refusalOf(await correctStatement(deps, order))
  } catch (error) {
    const [found] = tried
    if (!(error instanceof Tried) || found === undefined) throw error
    return found
  }
}

/** Requests that a refused file is accepted as the correction of its statement. Throws AppError. */
export async function requestCorrection(
  deps: ImportDeps,
  operator: Operator,
  { reason, ...named }: Named & { readonly reason: string },
): Promise<Proposal> {
  const { correction, concerned } = await tryCorrection(deps, named)
  const { takenBack, added, balances, statement } = correction
  return propose(deps.sql, operator, {
    kind: 'statement.correct',
    subject: `statement:${named.sha256.slice(0, 16)}`,
    arguments: { ...named, statement, takenBack, added, balances },
    reason,
    concerned,
  })
}

/** Carries the request out. `beside` records the approval, in the same transaction. Throws AppError, also when it would do something else now. */
export async function approveCorrection(
  deps: ImportDeps,
  { by }: Operator,
  { arguments: given, subject, reason }: Proposal,
  beside: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { connection, sha256, takenBack, added, balances = [], concerned } = given as Requested
  const corrected = await correctStatement(deps, {
    connection,
    sha256: Buffer.from(sha256, 'hex'),
    note: async (tx, correction) => {
      const now = await merchantsConcerned(tx, connection, correction)
      const isSame =
        JSON.stringify([correction.takenBack, correction.added, correction.balances]) ===
          JSON.stringify([takenBack, added, balances]) && now.every((each) => concerned.includes(each))
      if (!isSame)
        throw new AppError('invalid_state', 'It would do something else now than what was requested.')
      await beside(tx)
      await writeAudit(tx, [
        { ...by, action: 'statement.correct', subject, after: { takenBack, added, balances }, reason },
      ])
    },
  })
  if (corrected.kind !== 'corrected') throw refusalOf(corrected)
}

function refusalOf(corrected: Corrected): AppError {
  return corrected.kind === 'refused'
    ? new AppError('invalid_state', `It cannot be accepted: ${corrected.reason}.`)
    : noSuch('refused file of this account')
}
