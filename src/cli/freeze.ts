// `freeze` and `unfreeze`: no money leaves, of one merchant, by one rail, or at all. Requires the database and no key, because it may
// be urgent.
import type { Config } from '#/config.ts'
import type { Sql } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import type { Terminal } from '#/kernel/terminal.ts'
import { selectAllFreezes } from '#/merchants/freeze-queries.ts'
import type { Freeze, FreezeKind, FreezeScope } from '#/merchants/freeze.ts'
import { beginFreeze, endFreeze, nameOfFrozen } from '#/operator/freezes.ts'
import { methods } from '#/rails/method.ts'
import { operatorHere, requiredReason } from './audited.ts'
import { runGroup, UsageError, type Call, type Command, type CommandDeps, type Option } from './command.ts'
import { withDatabase } from './database.ts'
import { decisionLog, whoDecides } from './decision.ts'
import { merchantNamed } from './office.ts'
import { dateText, printRows, type Column } from './table.ts'
import { decideTermsHere } from './terms.ts'

const reasonOption: Option = { value: 'text', meaning: 'Why; required, kept with it and in the audit log' }

/** The subject of a command, as the terminal shows it. */
type Subject = FreezeScope & {
  readonly kind: FreezeKind
  readonly label: string
}

type Aim = (call: Call, sql: Sql) => Promise<Subject>

const aims = {
  all: {
    positionals: [],
    what: 'of every merchant, by every rail',
    aim: async () => ({
      kind: 'FREEZE' as const,
      merchantId: null,
      rail: null,
      label: 'All money',
    }),
  },
  merchant: {
    positionals: ['merchant-id'],
    what: 'of one merchant, by every rail',
    aim: (call: Call, sql: Sql) => merchantSubject('FREEZE', call, sql),
  },
  rail: {
    positionals: [methods.join('|')],
    what: 'of every merchant, by one rail: refunds of the method, and payouts of the type',
    aim: async ({ given: [text = ''] }: Call) => {
      const rail = methods.find((each) => each === text.toUpperCase())
      if (rail === undefined)
        throw new UsageError(`There is no rail "${text}".`, `There are ${methods.join(', ')}.`)
      return { kind: 'FREEZE' as const, merchantId: null, rail, label: rail }
    },
  },
} as const satisfies Record<
  string,
  { readonly positionals: readonly string[]; readonly what: string; readonly aim: Aim }
>

async function merchantSubject(kind: FreezeKind, { given: [text = ''] }: Call, sql: Sql): Promise<Subject> {
  const { id, name } = await merchantNamed(sql, text)
  return { kind, merchantId: id, rail: null, label: name }
}

function freezeCommands(log: Log): Readonly<Record<string, Command>> {
  const commands = Object.entries(aims).map(([word, { positionals, what, aim }]): [string, Command] => [
    word,
    {
      summary: `No money leaves from now on ${what}`,
      positionals,
      options: { reason: reasonOption },
      run: (call) => freezeMoney(call, log, aim),
    },
  ])
  return { ...Object.fromEntries(commands), list }
}

function unfreezeCommands(log: Log): Readonly<Record<string, Command>> {
  const commands = Object.entries(aims).map(([word, { positionals, what, aim }]): [string, Command] => [
    word,
    {
      summary: `Ends a freeze ${what}: what waits leaves`,
      positionals,
      options: { reason: reasonOption },
      run: (call) => unfreezeMoney(call, log, aim),
    },
  ])
  return Object.fromEntries(commands)
}

/** `merchant suspend` and `merchant resume`. */
export function suspensionCommands(log: Log): { readonly suspend: Command; readonly resume: Command } {
  const aim: Aim = (call, sql) => merchantSubject('SUSPENSION', call, sql)
  const common = { positionals: ['merchant-id'], options: { reason: reasonOption } }
  return {
    suspend: {
      ...common,
      summary:
        'Takes no new payments of a merchant and lets none of its money out; it can still read everything',
      run: (call) => freezeMoney(call, log, aim),
    },
    resume: {
      ...common,
      summary: 'Ends the suspension of a merchant',
      run: (call) => unfreezeMoney(call, log, aim),
    },
  }
}

const list: Command = {
  summary: 'Shows what is frozen or suspended, since when, by whom and why',
  positionals: [],
  options: {},
  async run({ terminal, deps, json }) {
    await withDatabase(deps.config(), async (sql) => {
      printRows(terminal, await selectAllFreezes(sql), { columns, json, empty: 'Nothing is frozen.' })
    })
  },
}

export function freezeCommand(
  args: readonly string[],
  terminal: Terminal,
  deps: CommandDeps,
  log: Log = decisionLog(deps),
): Promise<number> {
  return runGroup('freeze', freezeCommands(log), args, { terminal, deps })
}

export function unfreezeCommand(
  args: readonly string[],
  terminal: Terminal,
  deps: CommandDeps,
  log: Log = decisionLog(deps),
): Promise<number> {
  return runGroup('unfreeze', unfreezeCommands(log), args, { terminal, deps })
}

async function freezeMoney(call: Call, log: Log, aim: Aim): Promise<void> {
  const reason = requiredReason(call, 'Say why.')
  const { terminal, deps, json } = call
  await withDatabase(deps.config(), async (sql) => {
    const subject = await aim(call, sql)
    const { kind, merchantId, rail, label } = subject
    const deciding = operatorHere()
    const { isNew, isEffective } = await beginFreeze(
      freezeDeps(sql, deps.config()),
      deciding,
      subject,
      reason,
    )
    if (isNew)
      log.info(
        { ...aboutOf(freezeDeps(sql, deps.config()), subject), why: reason, by: deciding.name },
        'a person froze money',
      )
    if (json) return terminal.out(JSON.stringify({ kind, merchantId, rail, isNew }))
    const mark = terminal.paint.good(terminal.symbols.done)
    const state = kind === 'FREEZE' ? 'frozen' : 'suspended'
    terminal.out(`${mark} ${label} is ${state}${isNew ? '' : ' already'}. ./vintem freeze list shows it.`)
    if (!isEffective) terminal.out('The books are busy: what they accept at this moment waits as well.')
  })
}

async function unfreezeMoney(call: Call, log: Log, aim: Aim): Promise<void> {
  const reason = requiredReason(call, 'Say why.')
  const { terminal, deps, json } = call
  await withDatabase(deps.config(), async (sql) => {
    const subject = await aim(call, sql)
    const { kind, merchantId, rail, label } = subject
    const { merchantId: ofMerchant } = subject
    const about = ofMerchant === null ? undefined : { ...subject, merchantId: ofMerchant }
    const lifted = await endHere(call, sql, { subject, about }, reason)
    if (lifted === 'requested') return
    const state = kind === 'FREEZE' ? 'frozen' : 'suspended'
    if (lifted === undefined) throw new UsageError(`${label} is not ${state}.`, 'See ./vintem freeze list.')
    log.info(
      { ...aboutOf(freezeDeps(sql, deps.config()), subject), why: reason, by: whoDecides() },
      'a person ended a freeze',
    )
    if (json) return terminal.out(JSON.stringify({ kind, merchantId, rail }))
    terminal.out(`${terminal.paint.good(terminal.symbols.done)} ${label} is ${state} no more.`)
    if (lifted.isStillFrozen)
      terminal.out('Another freeze may still keep this money in: ./vintem freeze list')
  })
}

/** Of one merchant it is requested where the person is a member of it. Undefined: it was not frozen. */
async function endHere(
  call: Call,
  sql: Sql,
  {
    subject,
    about,
  }: { readonly subject: Subject; readonly about: (Subject & { merchantId: MerchantId }) | undefined },
  reason: string,
): Promise<{ readonly isStillFrozen: boolean } | undefined | 'requested'> {
  if (about === undefined)
    return endFreeze(freezeDeps(sql, call.deps.config()), operatorHere(), subject, reason)
  const { kind, merchantId, rail } = about
  const done = await decideTermsHere(
    call,
    sql,
    { kind: 'freeze.end', subject: { kind, merchantId, rail } },
    reason,
  )
  if (done === undefined) return 'requested'
  return done.isFound ? done : undefined
}

function freezeDeps(sql: Sql, { VINTEM_CELL: cell }: Config) {
  return { sql, cell }
}

function aboutOf({ cell }: { readonly cell: string }, subject: Subject) {
  return { kind: subject.kind, subject: nameOfFrozen(cell, subject) }
}

type Shown = Freeze & { readonly merchantName: string | null }

const states = { FREEZE: 'frozen', SUSPENSION: 'suspended', RESTORE: 'restored' } as const

const columns: readonly Column<Shown>[] = [
  { name: 'What', value: whatOf },
  { name: 'State', value: ({ kind }) => states[kind] },
  { name: 'Since', value: ({ at }) => dateText(at) },
  { name: 'By', value: ({ decidedBy }) => decidedBy },
  { name: 'Why', value: ({ reason }) => reason },
]

function whatOf({ merchantId, merchantName, rail }: Shown): string {
  if (merchantId !== null) return `${merchantName ?? ''} (${merchantId})`
  return rail ?? 'everything'
}
