// `restored`: repairs forward after the database was restored to an earlier moment. Every step may be run again.
import type { Config } from '#/config.ts'
import type { Sql } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { toJson } from '#/kernel/json.ts'
import { beginRepair, usualJump } from '#/restored/begin.ts'
import type { InForce } from '#/restored/queries.ts'
import {
  nextStep,
  revivedSubjects,
  subjects,
  type RevivedSubject,
  type Step,
  type StepName,
  type Subject,
} from '#/restored/restore.ts'
import { confirm, eachInForce, isRevived, open, standingOf } from '#/restored/review.ts'
import { createSealer } from '#/sealing/seal.ts'
import { operatorHere, requiredReason, textOf } from './audited.ts'
import { group, showNext, UsageError, type Call, type Command } from './command.ts'
import { withDatabase } from './database.ts'
import { faultOfHead } from './kept-head.ts'
import { findIssued, listLost, lostText } from './restored-issued.ts'
import { moneyOut } from './restored-money-out.ts'
import { dateText, formatTable, printRows, type Column } from './table.ts'
import { withCore } from './with-core.ts'

const lower = (names: readonly string[]) =>
  names.map((name) => name.toLowerCase().replace('_', '-')).join('|')

const meanings: Readonly<Record<StepName, string>> = {
  epoch: 'The new epoch stands in the chain; an earlier one is refused; no money leaves',
  numbers: 'The event numbers of every merchant jumped over those that may be lost',
  told: 'Every merchant has service.restored',
  keys: 'API keys that were revoked since are revoked again',
  roles: 'Members and operators who were removed since are removed again',
  limits: 'Limits of withdrawals are as they were set last',
  destinations: 'Destinations that were removed since are removed again',
  money_out: 'What providers sent since is compared with the books; another person confirms it',
  money_in: 'What came since is read again (./vintem restored issued, lost), and its suspense resolved',
  open: 'Money leaves again; another person than who began opens',
}

const begin: Command = {
  summary:
    'Begins the repair, or goes on with it: a new epoch, the jump of event numbers, service.restored to each merchant. No money leaves from then on',
  options: {
    reason: { value: 'text', meaning: 'What was restored, and why; required, kept in the audit log' },
    jump: {
      value: 'number',
      meaning: `How far event numbers jump: more than any merchant's events since the restored moment (default: ${usualJump})`,
    },
    anyway: { meaning: 'Also where this machine does not know that the database lost anything' },
  },
  async run(call) {
    const reason = requiredReason(call, 'Say what was restored, and why.')
    const eventJump = jumpOf(call)
    const config = call.deps.config()
    await withCore(
      config,
      async ({ sql, lane }) => {
        if (!call.flag('anyway')) await requireLoss(sql, config)
        const deciding = operatorHere()
        const opening = { ...deciding, reason, eventJump }
        const { kind, number } = await beginRepair({ sql, lane }, opening, (merchants) =>
          call.terminal.progress(`${merchants} merchants`),
        )
        // The entry of the audit log that says what the epoch is.
        const sealer = createSealer({ sql, lane })
        while ((await sealer.poll()) > 0);
        if (kind === 'started')
          call.log.info(
            { epoch: number, why: reason, by: deciding.name },
            'a person began the repair after a restore',
          )
        show(call, await standingOf(sql))
      },
      'asRepair',
    )
  },
}

const showSteps: Command = {
  summary: 'Shows the steps of the last repair, which of them are done, and what is next',
  async run(call) {
    await withDatabase(call.deps.config(), async (sql) => {
      const standing = await standingOf(sql)
      const lost = standing && (await lostText(sql, standing.restore.number))
      show(call, standing, lost)
    })
  },
}

const list: Command = {
  summary: 'Lists what is in force in the restored state: what had been revoked since is in force again',
  positionals: [lower(revivedSubjects)],
  async run(call) {
    const subject = subjectOf(call)
    if (!isRevived(subject)) throw new UsageError(`There is no list of ${call.given[0]}.`, 'See --help.')
    await withDatabase(call.deps.config(), async (sql) => {
      const { terminal, json } = call
      // Page by page: there may be many.
      let separator = '['
      const count = await eachInForce(sql, subject, (rows) => {
        if (json)
          for (const row of rows) {
            terminal.out(separator + toJson(row))
            separator = ','
          }
        else for (const line of formatTable(rows, columns, terminal.width).slice(1)) terminal.out(line)
      })
      if (json) return terminal.out(separator === '[' ? '[]' : ']')
      terminal.out(`${count} in all. One that had been ended since is ended by ${ends[subject]}`)
      showNext(terminal, `./vintem restored confirm ${subject.toLowerCase()} --seen ${count} --note '…'`)
    })
  },
}

const ends: Readonly<Record<RevivedSubject, string>> = {
  KEYS: './vintem key revoke <merchant-id> <key-id>',
  ROLES: './vintem user remove <email> --merchant <merchant-id>, an operator by ./vintem user demote <email>',
  LIMITS: './vintem withdrawal limit <merchant-id> …',
  DESTINATIONS: './vintem withdrawal destination remove <merchant-id> …',
}

const confirmSubject: Command = {
  summary: 'Notes that you have looked it through, and that it is right now',
  positionals: [lower(subjects)],
  options: {
    seen: { value: 'number', meaning: 'How many the list showed; required for what has a list' },
    without: {
      value: 'ids',
      meaning: 'For money-out: connections whose lists you compared by hand, with commas between them',
    },
    note: { value: 'text', meaning: 'By what you know it, such as the decision log; required' },
  },
  async run(call) {
    const subject = subjectOf(call)
    const note = textOf(call, 'note')
    if (note === undefined) throw new UsageError('--note is missing.', 'Say by what you know it.')
    const reviewed = isRevived(subject) ? { reviewedCount: numberOf(call, 'seen') } : {}
    const named = (call.option('without') ?? '').split(',').filter(Boolean)
    const without = named.map((id) => id as ConnectionId)
    await withDatabase(call.deps.config(), async (sql) => {
      const deciding = operatorHere()
      if (await confirm(sql, deciding, { subject, note, ...reviewed, without }))
        call.log.info({ subject, why: note, by: deciding.name }, 'a person confirmed a step of the repair')
      show(call, await standingOf(sql))
    })
  },
}

const openMoney: Command = {
  summary: 'Lets money out again, when all other steps are done. Another person than who began does it',
  options: { reason: { value: 'text', meaning: 'Why it is right now; required, kept in the audit log' } },
  async run(call) {
    const reason = requiredReason(call, 'Say why it is right now.')
    await withDatabase(call.deps.config(), async (sql) => {
      const deciding = operatorHere()
      await open(sql, deciding, reason)
      call.log.info({ why: reason, by: deciding.name }, 'a person let money out again after a restore')
      show(call, await standingOf(sql))
    })
  },
}

export const restoredCommand = group('restored', {
  begin,
  show: showSteps,
  list,
  'money-out': moneyOut,
  confirm: confirmSubject,
  open: openMoney,
  issued: findIssued,
  lost: listLost,
})

/** A repair stops all money that leaves. Where nothing was lost, a repair would be a mistake. */
async function requireLoss(sql: Sql, config: Config): Promise<void> {
  const standing = await standingOf(sql)
  if (standing !== undefined && standing.restore.openedAt === null) return
  if ((await faultOfHead({ sql }, config)) !== undefined) return
  throw new UsageError(
    'This machine does not know that the database lost anything.',
    'If it was restored to an earlier moment all the same, add --anyway.',
  )
}

function subjectOf({ given: [text = ''] }: Call): Subject {
  const found = subjects.find((each) => each === text.toUpperCase().replace('-', '_'))
  if (found === undefined) throw new UsageError(`There is no "${text}".`, `There are ${lower(subjects)}.`)
  return found
}

function numberOf({ option }: Call, name: string): number {
  const text = option(name) ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`--${name} is missing or no number.`, 'The list says it: ./vintem restored list.')
}

function jumpOf({ option }: Call): bigint {
  const text = option('jump')
  if (text === undefined) return usualJump
  if (/^[1-9]\d{0,8}$/.test(text)) return BigInt(text)
  throw new UsageError('--jump is a number from 1 to 999,999,999.', 'See ./vintem restored begin --help.')
}

type Standing = NonNullable<Awaited<ReturnType<typeof standingOf>>>

function show({ terminal, json }: Call, standing: Standing | undefined, lost?: string): void {
  if (standing === undefined) {
    if (json) return terminal.out('null')
    return terminal.out('No restore was repaired here. After one: ./vintem restored begin --reason …')
  }
  const { restore, steps } = standing
  if (json) {
    const { number, lastBatch, lastAt, at, eventJump } = restore
    const more = lost === undefined ? {} : { lost }
    return terminal.out(toJson({ epoch: number, lastBatch, lastAt, at, eventJump, steps, ...more }))
  }
  terminal.out(
    `Epoch ${restore.number}: restored up to batch ${restore.lastBatch} of ${dateText(restore.lastAt)}. What came later is lost.`,
  )
  printRows(terminal, steps, { columns: stepColumns, json, empty: '' })
  if (lost !== undefined) terminal.out(lost)
  const next = nextStep(steps)
  if (next !== undefined) showNext(terminal, commandOf(next))
}

function commandOf(step: StepName): string {
  if (step === 'epoch' || step === 'numbers' || step === 'told') return "./vintem restored begin --reason '…'"
  if (step === 'money_out') return './vintem restored money-out'
  if (step === 'open') return "./vintem restored open --reason '…'"
  const subject = step.replace('_', '-')
  const isListed = revivedSubjects.some((each) => each.toLowerCase() === step)
  return isListed ? `./vintem restored list ${subject}` : `./vintem restored confirm ${subject} --note '…'`
}

const stepColumns: readonly Column<Step>[] = [
  { name: 'Done', value: ({ at }) => (at === null ? '' : dateText(at)) },
  { name: 'Step', value: ({ name }) => name.replace('_', ' ') },
  {
    name: 'What',
    value: ({ name, note }) => (note === null ? meanings[name] : `${meanings[name]} (${note})`),
  },
]

const columns: readonly Column<InForce>[] = [
  { name: 'Merchant', value: ({ merchantId }) => merchantId ?? 'operator' },
  { name: 'Name', value: ({ name }) => name },
  { name: 'Since', value: ({ since }) => (since === null ? '' : dateText(since)) },
  { name: 'What', value: ({ what }) => what },
]
