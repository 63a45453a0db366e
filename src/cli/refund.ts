// `refund`: money that is given back. Shows refunds without an end, and ends one that cannot be sent.
import { given } from '#/kernel/given.ts'
import type { RefundId } from '#/kernel/id.ts'
import { isUuid } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import type { Terminal } from '#/kernel/terminal.ts'
import { decideRefund, whyQueued } from '#/operator/payouts.ts'
import { selectOpen, type OpenRefund } from '#/refunds/open-queries.ts'
import { selectRefundsById } from '#/refunds/queries.ts'
import { refundRecord, type Refund } from '#/refunds/refund.ts'
import { refundDecisionKind, type RefundDecisionVerdict } from '#/settlement/refund-decide.ts'
import { amountText } from './amount.ts'
import { operatorHere, requiredReason, textOf } from './audited.ts'
import { refusing, runGroup, UsageError, type Call, type Command, type CommandDeps } from './command.ts'
import { withDatabase } from './database.ts'
import { decisionLog, whoDecides } from './decision.ts'
import { requireOwnKeys } from './office.ts'
import { sayProposed } from './proposed.ts'
import { dateText, printRecord, printRows, type Column } from './table.ts'
import { withCore } from './with-core.ts'

const rowsMax = 200

const list: Command = {
  summary: 'Lists refunds that have not ended: those that wait for a second person, then those that are sent',
  positionals: [],
  options: {},
  async run({ terminal, deps, json }) {
    await withDatabase(deps.config(), async (sql) => {
      const rows = await selectOpen(sql, rowsMax)
      const empty = 'No refund is without an end.'
      printRows(terminal, rows, { columns, json, empty, recordOf })
    })
  },
}

const show: Command = {
  summary: 'Shows one refund',
  positionals: ['id'],
  options: {},
  async run(call) {
    const { terminal, deps, json } = call
    const id = idOf(call)
    await withDatabase(deps.config(), async (sql) => {
      const [found] = await selectRefundsById(sql, [id])
      if (found === undefined) throw unknown(id)
      printRecord(terminal, recordOf(found), { labels: {}, json })
    })
  },
}

function end(log: Log): Command {
  return {
    summary: 'Ends a refund that cannot be sent: it is FAILED, and its money is in the wallet again',
    positionals: ['id'],
    options: {
      reason: { value: 'text', meaning: 'Why; required, and the merchant reads it' },
      proof: {
        value: 'text',
        meaning: "Where something may have been sent: the provider's statement that nothing was given back",
      },
      found: {
        value: 'sent|refused',
        meaning:
          'Only where a foreign transaction used the nonce of its payout: whether the recipient has it',
      },
    },
    async run(call) {
      const id = idOf(call)
      const reason = requiredReason(call, 'Say why it cannot be sent.')
      const proof = textOf(call, 'proof')
      const found = foundOf(call)
      const by = whoDecides()
      await withCore(call.deps.config(), async (core) => {
        const [refund] = await selectRefundsById(core.sql, [id])
        if (refund === undefined) throw unknown(id)
        requireOwnKeys(core.config, refund.mode)
        const aloneMax = BigInt(core.config.VINTEM_SUSPENSE_ALONE_MAX)
        const deps = {
          ...core,
          refundDecisionKind: refundDecisionKind(core.rails),
          hasOwnKeys: true,
          aloneMax,
        }
        const decision = {
          reason,
          ...given({ proof, found }),
        }
        const verdict = await refusing(decideRefund(deps, operatorHere(core.config), id, decision))
        if (verdict.kind === 'proposed') return sayProposed(call, log, verdict.proposal)
        const isLater = verdict.kind === 'later'
        if (!isLater && verdict.kind !== 'decided') throw refusalOf(verdict, id)
        log.info({ refund: id, why: reason, proof, found, by }, 'a refund was ended by a person')
        say(call, verdict.refund, isLater)
      })
    },
  }
}

/** `log`: where decisions are logged. */
export function refundCommand(
  args: readonly string[],
  terminal: Terminal,
  deps: CommandDeps,
  log: Log = decisionLog(deps),
): Promise<number> {
  return runGroup('refund', { list, show, end: end(log) }, args, { terminal, deps })
}

function refusalOf(
  verdict: Exclude<RefundDecisionVerdict, { readonly kind: 'decided' }>,
  id: RefundId,
): UsageError {
  if (verdict.kind === 'may_be_sent')
    return verdict.isQueued
      ? new UsageError(whyQueued(verdict.refund), `To stop it: ./vintem withdrawal stop ${id} --reason …`)
      : new UsageError(
          'It may have been sent: a call to the provider has no known answer.',
          'Ask the provider. If it gave nothing back, repeat its statement with --proof.',
        )
  if (verdict.kind === 'refused')
    return new UsageError(`The refund is ${verdict.refund.status}.`, 'Only one that is PENDING can be ended.')
  return unknown(id)
}

function say({ terminal, json }: Call, refund: Refund, isLater: boolean): void {
  if (json) return printRecord(terminal, recordOf(refund), { labels: {}, json })
  const done = terminal.paint.good(terminal.symbols.done)
  if (isLater) return terminal.out(`${done} The worker settles it now.`)
  terminal.out(`${done} The refund is ${refund.status}; ${amountText(refund)} is in the wallet again.`)
}

/** What a person found out about a refund whose nonce a foreign transaction used. */
function foundOf(call: Call): 'sent' | 'refused' | undefined {
  const found = textOf(call, 'found')
  if (found === undefined || found === 'sent' || found === 'refused') return found
  throw new UsageError(`"${found}" is no end of a refund.`, 'It was sent or refused.')
}

function idOf({ given }: Call): RefundId {
  const [text = ''] = given
  const id = text.toLowerCase()
  if (!isUuid(id)) throw unknown(text)
  return id as RefundId
}

function unknown(text: string): UsageError {
  return new UsageError(`There is no refund ${text}.`, 'See ./vintem refund list.')
}

/** As the API shows it, with fields that are only for the operator. */
function recordOf(refund: Refund | OpenRefund): Readonly<Record<string, unknown>> {
  const { merchantId, method, connection, paidRef } = refund
  const sends = 'sends' in refund ? { sends: refund.sends, maybeSent: refund.sends - refund.unsent } : {}
  return { ...refundRecord(refund), merchantId, method, connection, paidRef, ...sends }
}

const columns: readonly Column<OpenRefund>[] = [
  { name: 'Id', value: ({ id }) => id },
  { name: 'Method', value: ({ method }) => method },
  { name: 'Amount', value: amountText, align: 'right' },
  { name: 'Requested', value: ({ createdAt }) => dateText(createdAt) },
  {
    name: 'Waits for',
    value: ({ approvalRequired }) => (approvalRequired ? 'a second person' : 'its provider'),
  },
  { name: 'Sends', value: ({ sends }) => String(sends), align: 'right' },
  { name: 'May be sent', value: ({ sends, unsent }) => (sends > unsent ? 'yes' : 'no') },
]
