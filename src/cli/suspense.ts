// `suspense`: money that arrived and fits no payment. A person credits it to a merchant, or records that it went back. And money that left
// unrecorded (suspense-sent.ts).
import type { Core } from '#/app/core.ts'
import { isUuid, type Id, type MerchantId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { printable, type Terminal } from '#/kernel/terminal.ts'
import { approveProposal, type ApproveDeps } from '#/operator/approve.ts'
import { selectOpenProposals, type Proposal, type ProposalId } from '#/operator/proposal-queries.ts'
import { refuseProposal } from '#/operator/proposals.ts'
import { decideSuspense, type SuspenseDecision } from '#/operator/suspense.ts'
import { signalKeeper } from '#/settlement/keep-signals.ts'
import { selectSuspended, type Unmatched } from '#/settlement/queries.ts'
import { refundDecisionKind } from '#/settlement/refund-decide.ts'
import type { ResolveVerdict } from '#/settlement/resolve.ts'
import { amountText } from './amount.ts'
import { operatorHere, requiredReason, textOf } from './audited.ts'
import {
  refusing,
  runGroup,
  UsageError,
  type Call,
  type Command,
  type CommandDeps,
  type Option,
} from './command.ts'
import { withDatabase } from './database.ts'
import { decisionLog, whoDecides } from './decision.ts'
import { merchantIdIn } from './office.ts'
import { sayProposed } from './proposed.ts'
import { sentCommands, saySentDecided } from './suspense-sent.ts'
import { dateText, printRecord, printRows, type Column } from './table.ts'
import { withCore } from './with-core.ts'

const list: Command = {
  summary: 'Lists money that arrived and fits no payment, oldest first',
  positionals: [],
  options: {
    all: { meaning: 'Also what was decided, and what a provider reports of money that we do not hold' },
  },
  async run({ terminal, deps, json, flag }) {
    await withDatabase(deps.config(), async (sql) => {
      const rows = await selectSuspended(sql, flag('all'))
      const empty = 'No money waits for a person.'
      printRows(terminal, rows, { columns: flag('all') ? allColumns : columns, json, empty, recordOf })
    })
  },
}

const note: Option = { value: 'text', meaning: 'Why, kept with the decision' }

function credit(log: Log): Command {
  return {
    summary: "Credits the money to a merchant, into the currency's default wallet",
    positionals: ['id'],
    options: { merchant: { value: 'merchant-id', meaning: 'Whose it is; required' }, note },
    async run(call) {
      const merchantId = merchantIdOf(call)
      await decide(call, log, { id: idOf(call), merchantId })
    },
  }
}

function giveBack(log: Log): Command {
  return {
    summary: 'Records that the money went back: return it at the provider first',
    positionals: ['id'],
    options: { note },
    run: (call) => decide(call, log, { id: idOf(call) }),
  }
}

/** `log`: where decisions are logged. */
export function suspenseCommand(
  args: readonly string[],
  terminal: Terminal,
  deps: CommandDeps,
  log: Log = decisionLog(deps),
): Promise<number> {
  return runGroup(
    'suspense',
    {
      list,
      credit: credit(log),
      return: giveBack(log),
      ...sentCommands(log),
      waiting,
      approve: approve(log),
      refuse: refuse(log),
    },
    args,
    { terminal, deps },
  )
}

async function decide(call: Call, log: Log, decision: SuspenseDecision): Promise<void> {
  const text = textOf(call, 'note')
  const item = text === undefined ? decision : { ...decision, note: text }
  await withCore(call.deps.config(), async (core) => {
    const verdict = await refusing(decideSuspense(depsOf(core), operatorHere(core.config), item))
    if (verdict.kind === 'proposed') return sayProposed(call, log, verdict.proposal)
    finish(call, log, item, verdict)
  })
}

function approve(log: Log): Command {
  return {
    summary: 'Approves what another person requested, and carries it out',
    positionals: ['request-id'],
    options: {},
    async run(call) {
      await withCore(call.deps.config(), async (core) => {
        const approved = await refusing(
          approveProposal(depsOf(core), operatorHere(core.config), requestOf(call)),
        )
        const { proposal } = approved
        if (approved.about === 'unrecorded') return saySentDecided(call, log, approved.unrecorded)
        if (approved.about === 'terms' || approved.about === 'statement')
          return sayCarriedOut(call, log, proposal)
        if (approved.about !== 'suspense') return sayEnded(call, log, proposal)
        const decision = { ...(proposal.arguments as SuspenseDecision), note: proposal.reason }
        finish(call, log, decision, approved.verdict)
      })
    },
  }
}

function refuse(log: Log): Command {
  return {
    summary: 'Refuses what another person requested, or takes back your own request',
    positionals: ['request-id'],
    options: { reason: { value: 'text', meaning: 'Why; required, for the log' } },
    async run(call) {
      const reason = requiredReason(call, 'Say why.')
      const id = requestOf(call)
      await withDatabase(call.deps.config(), async (sql) => {
        await refuseProposal(sql, operatorHere(), id, reason)
        log.info(
          { request: id, by: whoDecides(), why: reason },
          'a request about money in suspense was refused',
        )
        call.terminal.out(`${call.terminal.paint.good(call.terminal.symbols.done)} It is refused.`)
      })
    },
  }
}

const waiting: Command = {
  summary: 'Lists requests that wait for another person, oldest first',
  positionals: [],
  options: {},
  async run({ terminal, deps, json }) {
    await withDatabase(deps.config(), async (sql) => {
      const rows = await selectOpenProposals(sql, { limit: 200 })
      printRows(terminal, rows, { columns: proposalColumns, json, empty: 'No request waits.' })
    })
  },
}

const proposalColumns: readonly Column<Proposal>[] = [
  { name: 'Id', value: ({ id }) => id },
  { name: 'What', value: ({ kind }) => kind },
  { name: 'About', value: ({ subject }) => subject },
  { name: 'Requested by', value: ({ byName }) => printable(byName) },
  { name: 'Why', value: ({ reason }) => printable(reason) },
]

function depsOf({ sql, clock, lane, rails, payoutRails, config, connections }: Core): ApproveDeps {
  // Live money needs keys of its own, which a message of the commands explains.
  const hasOwnKeys = config.VINTEM_MASTER_KEY !== '' && config.VINTEM_AUDIT_KEY !== ''
  const aloneMax = BigInt(config.VINTEM_SUSPENSE_ALONE_MAX)
  const kinds = { refundDecisionKind: refundDecisionKind(rails) }
  const cell = config.VINTEM_CELL
  const files = { connections, keep: signalKeeper(clock) }
  return { sql, clock, lane, rails, payoutRails, hasOwnKeys, aloneMax, cell, ...kinds, ...files }
}

function requestOf({ given }: Call): ProposalId {
  const [text = ''] = given
  if (!isUuid(text.toLowerCase()))
    throw new UsageError(`"${text}" is no id of a request.`, 'See ./vintem suspense waiting.')
  return text.toLowerCase() as ProposalId
}

/** Terms of a merchant were changed, its freeze was ended, or a statement was corrected. */
function sayCarriedOut({ terminal, json }: Call, log: Log, { id, subject, reason }: Proposal): void {
  log.info(
    { request: id, about: subject, by: whoDecides(), why: reason },
    'a person approved what another one requested',
  )
  if (json) return printRecord(terminal, { request: id, about: subject }, { labels: {}, json })
  terminal.out(`${terminal.paint.good(terminal.symbols.done)} It is carried out: ${subject}.`)
}

/** A withdrawal or a refund above the limit was ended. */
function sayEnded({ terminal, json }: Call, log: Log, { id, subject, reason }: Proposal): void {
  log.info({ request: id, about: subject, by: whoDecides(), why: reason }, 'a person approved an end')
  if (json) return printRecord(terminal, { request: id, about: subject }, { labels: {}, json })
  terminal.out(`${terminal.paint.good(terminal.symbols.done)} The end of ${subject} is recorded.`)
}

function finish(call: Call, log: Log, item: SuspenseDecision, verdict: ResolveVerdict): void {
  if (verdict.kind !== 'resolved') throw refusalOf(verdict, item)
  const { unmatched } = verdict
  log.info(
    {
      unmatched: item.id,
      resolution: unmatched.resolution,
      merchant: item.merchantId,
      amount: unmatched.amountMinor,
      currency: unmatched.currency,
      by: whoDecides(),
      why: item.note,
    },
    'a person decided on money in suspense',
  )
  say(call, unmatched)
}

function say({ terminal, json }: Call, unmatched: Unmatched): void {
  if (json) return printRecord(terminal, recordOf(unmatched), { labels: {}, json })
  const what = unmatched.walletId === null ? 'has gone back' : `is credited to wallet ${unmatched.walletId}`
  terminal.out(`${terminal.paint.good(terminal.symbols.done)} ${amountText(unmatched)} ${what}.`)
}

function refusalOf(
  verdict: Exclude<ResolveVerdict, { kind: 'resolved' }>,
  item: SuspenseDecision,
): UsageError {
  switch (verdict.kind) {
    case 'not_found':
      return new UsageError(`No money in suspense is ${item.id}.`, 'See ./vintem suspense list.')
    case 'unknown_merchant':
      return new UsageError(`There is no merchant ${item.merchantId}.`, 'See ./vintem merchant list.')
    case 'already': {
      const { resolution, resolvedAt } = verdict.unmatched
      const when = resolvedAt === null ? '' : ` at ${dateText(resolvedAt)}`
      return new UsageError(`It was ${resolution}${when}.`, 'Nothing was changed.')
    }
    case 'no_money':
      return new UsageError(
        `It reports "${verdict.unmatched.outcome}": no money came with it.`,
        'Nothing was changed.',
      )
    case 'went_back':
      return new UsageError(
        `The provider reports about it: ${verdict.unmatched.reportedSince.join(', ')}.`,
        'It went back or is about to: ./vintem suspense return.',
      )
    case 'other_mode':
      return new UsageError(
        `The money is ${verdict.unmatched.mode}, the merchant ${verdict.mode}.`,
        'Choose a merchant of the same mode.',
      )
    case 'no_wallet':
      return new UsageError(
        `The merchant has no default wallet in ${verdict.unmatched.currency}.`,
        'Create one: POST /v1/wallets.',
      )
    case 'unbookable':
      return new UsageError(
        'An account that it would move is in another currency, or its method is not set up here.',
        'Nothing was changed. ./vintem verify says which account.',
      )
  }
}

function idOf({ given }: Call): Id<'unmatched'> {
  const [text = ''] = given
  const id = text.toLowerCase()
  if (!isUuid(id))
    throw new UsageError(`"${text}" is no id of money in suspense.`, 'See ./vintem suspense list.')
  return id as Id<'unmatched'>
}

function merchantIdOf({ option }: Call): MerchantId {
  const text = option('merchant')
  if (text === undefined) throw new UsageError('--merchant is missing.', 'Name the owner of the money.')
  return merchantIdIn(text)
}

/** As `--json` shows it: what does not apply is absent. */
function recordOf(unmatched: Unmatched): Readonly<Record<string, unknown>> {
  const {
    amountMinor,
    resolvedAt,
    resolution,
    walletId,
    note: why,
    lostMerchantId,
    lostPaymentId,
    ...rest
  } = unmatched
  return {
    ...rest,
    amount: amountMinor,
    ...(lostMerchantId === null ? {} : { lostMerchantId, lostPaymentId }),
    ...(resolvedAt === null ? {} : { resolvedAt, resolution }),
    ...(walletId === null ? {} : { walletId }),
    ...(why === null ? {} : { note: why }),
  }
}

const columns: readonly Column<Unmatched>[] = [
  { name: 'Id', value: ({ id }) => id },
  { name: 'Mode', value: ({ mode }) => mode },
  { name: 'Amount', value: amountText, align: 'right' },
  { name: 'Happened', value: ({ happenedAt }) => dateText(happenedAt) },
  { name: 'Heard since', value: ({ reportedSince }) => reportedSince.join(', ') || '-' },
  { name: 'Connection', value: ({ connection }) => connection },
  { name: "Provider's reference", value: ({ providerRef }) => providerRef },
  {
    name: 'Lost payment',
    value: ({ lostMerchantId, lostPaymentId }) =>
      lostMerchantId === null ? '' : `${lostPaymentId} of merchant ${lostMerchantId}`,
  },
]

const allColumns: readonly Column<Unmatched>[] = [
  ...columns,
  { name: 'Outcome', value: ({ outcome }) => outcome },
  {
    name: 'Decided',
    value: ({ resolution, note: why }) => printable([resolution, why].filter(Boolean).join(': ')),
  },
]
