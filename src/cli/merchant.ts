// `merchant`: an operator creates merchants, shows them, and sets their fees.
import { placeMerchant } from '#/cells/directory.ts'
import { payoutTypes } from '#/contract/withdrawals.ts'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { currencies, type Currency } from '#/kernel/money.ts'
import { suggestedApprovalAbove } from '#/kernel/suggested-approval.ts'
import type { FeeRule } from '#/merchants/fee.ts'
import { selectKeys } from '#/merchants/key-queries.ts'
import { webhookSecretsOf } from '#/merchants/merchant.ts'
import {
  selectAllFreezes,
  selectFeeRules,
  selectMerchant,
  selectMerchants,
  type MerchantRow,
} from '#/merchants/queries.ts'
import { payoutCurrencies, type Approvals } from '#/money-out/limits.ts'
import { resumeMerchant, suspendMerchant } from '#/operator/acts/freezes.ts'
import { activateAccount, closeAccount, type SubAccountNow } from '#/operator/acts/merchants.ts'
import { rateExponent, setFeeAct } from '#/operator/acts/terms.ts'
import { addMerchant, rotateSecret } from '#/operator/merchants.ts'
import { passOnKept } from '#/operator/pass-on-kept.ts'
import { showWebhookSecret } from '#/webhooks/sign.ts'
import { commandsOf } from './act-commands.ts'
import { amountText, formatDecimal, parseDecimal } from './amount.ts'
import { operatorHere, requiredReason } from './audited.ts'
import { directoryOf } from './cell-directory.ts'
import { group, showNext, UsageError, type Call, type Command, type Office } from './command.ts'
import { listing } from './listing.ts'
import { merchantNamed, merchantOf, requireOwnKeys, within } from './office.ts'
import { dateText, printRecord, printRows, type Column } from './table.ts'
import { withCore } from './with-core.ts'

const create: Command = {
  summary: 'Creates a merchant with default wallets and a webhook secret',
  positionals: ['name'],
  options: {
    mode: {
      value: 'live|sandbox',
      meaning: "Whose money it moves: real, or the sandbox's (the default while VINTEM_SANDBOX is on)",
    },
    'approval-above': {
      value: 'type=amount|none',
      repeats: true,
      meaning:
        'Above which amount of a type a second person approves, such as pix=2000.00; pix=none: one person pays out any amount',
    },
    cell: { value: 'code', meaning: 'In which cell, where there are several: VINTEM_CELL of these settings' },
  },
  async run(call) {
    const [name = ''] = call.given
    if (name.trim() === '' || name.length > 200)
      throw new UsageError(
        "A merchant's name has 1 to 200 characters.",
        'See ./vintem merchant create --help.',
      )
    const mode = modeOf(call.option('mode') ?? usualMode(call))
    const approvals = approvalsIn(call)
    requireOwnKeys(call.deps.config(), mode)
    requireCell(call)
    await within(call, async (office) => {
      const { merchant, webhookSecret } = await makeMerchant(call, office, { mode, name, approvals })
      const { terminal, json } = call
      printRecord(
        terminal,
        { ...merchant, webhookSecret: showWebhookSecret(webhookSecret) },
        { labels, json },
      )
      if (json) return
      if (mode === 'LIVE') saySuggested(call, merchant.id, approvals)
      showNext(terminal, `./vintem key create ${merchant.id}`)
    })
  },
}

/** Who pays out, as it is chosen on the command line. */
function approvalsIn({ all }: Call): Approvals {
  return all('approval-above').map((text) => {
    const [word = '', amount = ''] = text.split('=')
    const type = payoutTypes.find((each) => each === word.toUpperCase())
    const isNone = amount === 'none'
    const minor =
      type === undefined || isNone
        ? undefined
        : parseDecimal(amount, currencies[payoutCurrencies[type]].exponent)
    if (type === undefined || (minor === undefined && !isNone))
      throw new UsageError(
        `--approval-above is "${text}".`,
        `Write it as pix=2000.00 or pix=none; the types are ${payoutTypes.join(', ')}.`,
      )
    return { type, approvalAboveMinor: minor ?? null }
  })
}

/** Says what is in force for the types for which nobody has chosen, and how to choose. */
function saySuggested({ terminal }: Call, id: MerchantId, approvals: Approvals): void {
  const open = payoutTypes.filter((type) => !approvals.some((each) => each.type === type))
  if (open.length === 0) return
  const amounts = open.map((type) => {
    const suggested = { amountMinor: suggestedApprovalAbove[type], currency: payoutCurrencies[type] }
    return `${amountText(suggested)} by ${type}`
  })
  terminal.out(`Suggested: a second person approves withdrawals above ${amounts.join(', ')}.`)
  terminal.out(
    `Another amount, or none for one person: ./vintem withdrawal limit ${id} --type pix --approval-above 2000.00`,
  )
}

/** Where there is no sandbox nobody may have meant one: the mode never changes, and a key of it moves no real money. */
function usualMode({ deps }: Call): 'sandbox' {
  if (deps.config().VINTEM_SANDBOX === 'on') return 'sandbox'
  throw new UsageError(
    '--mode is missing, and VINTEM_SANDBOX is off.',
    'Say --mode live for real money, or --mode sandbox.',
  )
}

type NewMerchant = Awaited<ReturnType<typeof addMerchant>>

/** Makes the merchant in this cell, through the directory where there is one. */
async function makeMerchant(
  { deps }: Call,
  office: Office,
  request: { readonly mode: Mode; readonly name: string; readonly approvals: Approvals },
): Promise<NewMerchant> {
  const config = deps.config()
  const usesDirectory = config.VINTEM_DIRECTORY_URL !== ''
  const make = (id?: MerchantId) =>
    addMerchant({ ...office, hasOwnKeys: true, usesDirectory }, operatorHere(), {
      ...request,
      ...given({ id }),
    })
  if (!usesDirectory) return make()
  const find = async (id: MerchantId): Promise<NewMerchant | undefined> => {
    const merchant = await selectMerchant(office.sql, id)
    if (merchant === undefined) return undefined
    const [webhookSecret] = await webhookSecretsOf(office, id)
    return { merchant, webhookSecret: must(webhookSecret, 'a merchant has a webhook secret') }
  }
  const directory = await directoryOf(config)
  try {
    const placement = { mode: request.mode, name: request.name.trim(), cell: config.VINTEM_CELL }
    return await placeMerchant(directory, placement, { find, make })
  } finally {
    await directory.close()
  }
}

/** A merchant is made with the keys and in the database of its cell, which are those of the settings. */
function requireCell({ option, deps }: Call): void {
  const { VINTEM_CELL, VINTEM_DIRECTORY_URL } = deps.config()
  const cell = option('cell')
  if (cell === undefined) return
  if (VINTEM_DIRECTORY_URL === '')
    throw new UsageError(
      '--cell needs VINTEM_DIRECTORY_URL, which is not set.',
      'Without it there is one cell.',
    )
  if (cell !== VINTEM_CELL)
    throw new UsageError(
      `--cell is ${cell}, and these are the settings of cell ${VINTEM_CELL}.`,
      'Run it with the settings of that cell: its keys and its database make the merchant.',
    )
}

const list = listing({
  summary: 'Lists all merchants, oldest first',
  rows: selectMerchants,
  columns: () => columns,
  empty: 'There are no merchants yet. ./vintem merchant create <name> creates one.',
  needs: 'keys',
})

const show: Command = {
  summary: 'Shows one merchant',
  positionals: ['merchant-id'],
  async run(call) {
    const { terminal, json } = call
    await within(call, async (office) => {
      const merchant = await merchantOf(call, office)
      const [keys, rules, freezes] = await Promise.all([
        selectKeys(office.sql, merchant.id),
        selectFeeRules(office.sql, [merchant.id]),
        selectAllFreezes(office.sql),
      ])
      const freezesOfIt = freezes.filter(({ merchantId }) => merchantId === merchant.id)
      const inForce = keys.filter(({ revokedAt, isExpired }) => revokedAt === null && !isExpired)
      const fees = rules.map(feeText)
      printRecord(
        terminal,
        {
          ...merchant,
          keysInForce: inForce.length,
          ...(freezesOfIt.length === 0 ? {} : { keptIn: freezesOfIt.map(({ kind }) => kind).join(', ') }),
          fees: json ? rules.map(feeRecord) : fees.join(', ') || 'none',
        },
        { labels, json },
      )
    })
  },
}

async function printFees(call: Call, sql: Office['sql']): Promise<void> {
  const { terminal, json } = call
  const { id } = await merchantOf(call, { sql })
  const rows = (await selectFeeRules(sql, [id])).map(feeRecord)
  printRows(terminal, rows, { columns: feeColumns, json, empty: 'This merchant pays no fees.' })
}

const rotate: Command = {
  summary: 'Gives a merchant a new webhook secret; the present one signs beside it for 24 hours',
  positionals: ['merchant-id'],
  async run(call) {
    const { terminal, json } = call
    await within(call, async (office) => {
      const merchant = await merchantOf(call, office)
      requireOwnKeys(call.deps.config(), merchant.mode)
      const secret = await rotateSecret({ ...office, hasOwnKeys: true }, operatorHere(), merchant.id)
      printRecord(terminal, { id: merchant.id, webhookSecret: showWebhookSecret(secret) }, { labels, json })
    })
  },
}

const passOn: Command = {
  summary: 'Moves what a closed sub-account still has to its parent',
  positionals: ['merchant-id'],
  options: { reason: { value: 'text', meaning: 'Why; required, kept in the audit log' } },
  async run(call) {
    const { terminal, json, deps } = call
    const reason = requiredReason(call, 'Say how you know of it, such as ./vintem verify.')
    const config = deps.config()
    await withCore(config, async (core) => {
      const { id } = await merchantNamed(core.sql, call.given[0] ?? '')
      const { transfers, remaining } = await passOnKept(core, operatorHere(config), id, reason)
      const rows = transfers.map(({ id: transferId, currency, request: { amount } }) => ({
        id: transferId,
        amount: BigInt(amount),
        currency,
      }))
      printRows(terminal, rows, { columns: movedColumns, json, empty: '' })
      if (remaining.length > 0)
        terminal.err(`Its parent has no wallet in ${remaining.join(', ')}: that money stays.`)
    })
  },
}

/** A sub-account, as it is now. */
const print = ({ terminal, json }: Call, account: SubAccountNow) =>
  printRecord(terminal, account, { labels, json })

export const merchantCommand = group('merchant', {
  create,
  list,
  show,
  ...commandsOf(setFeeAct, { table: { unless: ['fixed', 'rate'], print: printFees } }),
  ...commandsOf(activateAccount, { print }),
  ...commandsOf(closeAccount, { print }),
  'pass-on': passOn,
  'rotate-webhook-secret': rotate,
  ...commandsOf(suspendMerchant),
  ...commandsOf(resumeMerchant),
})

function modeOf(text: string): Mode {
  if (text === 'live') return 'LIVE'
  if (text === 'sandbox') return 'SANDBOX'
  throw new UsageError(`--mode is "${text}".`, 'It is live or sandbox.')
}

type FeeRecord = {
  readonly method: string
  readonly currency: Currency
  readonly fixed: bigint
  readonly rate: string
}

/** As `--json` shows it: the fixed part in minor units, the rate in percent. */
function feeRecord({ method, currency, fixedMinor, ratePpm }: FeeRule): FeeRecord {
  return { method, currency, fixed: fixedMinor, rate: formatDecimal(ratePpm, rateExponent) }
}

function feeText(rule: FeeRule): string {
  const { method, currency, fixed, rate } = feeRecord(rule)
  return `${method} ${currency} ${fixedText(fixed, currency)} + ${rate}%`
}

function fixedText(minor: bigint, currency: Currency): string {
  return formatDecimal(minor, currencies[currency].exponent)
}

const columns: readonly Column<MerchantRow>[] = [
  { name: 'Id', value: ({ id }) => id },
  { name: 'Mode', value: ({ mode }) => mode },
  { name: 'Created', value: ({ createdAt }) => dateText(createdAt) },
  { name: 'Name', value: ({ name }) => name },
]

const feeColumns: readonly Column<FeeRecord>[] = [
  { name: 'Method', value: ({ method }) => method },
  { name: 'Currency', value: ({ currency }) => currency },
  { name: 'Fixed', value: ({ fixed, currency }) => fixedText(fixed, currency), align: 'right' },
  { name: 'Rate', value: ({ rate }) => `${rate}%`, align: 'right' },
]

const movedColumns: readonly Column<{
  readonly id: string
  readonly amount: bigint
  readonly currency: Currency
}>[] = [
  { name: 'Transfer', value: ({ id }) => id },
  { name: 'Amount', value: ({ amount, currency }) => fixedText(amount, currency), align: 'right' },
]

const labels: Readonly<Record<string, string>> = {
  id: 'Merchant',
  name: 'Name',
  mode: 'Mode',
  createdAt: 'Created',
  webhookSecret: 'Webhook secret',
  keysInForce: 'Keys in force',
  keptIn: 'Money kept in by',
  state: 'State',
  fees: 'Fees',
}
