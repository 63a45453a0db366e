// `payer`: what a person who paid may ask for. Erases what is known of them where the books do not have to keep it.
import { ConfigError } from '#/config.ts'
import { connect, type Sql } from '#/db/client.ts'
import { leastId } from '#/db/lists.ts'
import { erasePayer, isAny, previewErasure, type ErasedCounts, type ErasurePreview } from '#/erasure/erase.ts'
import { payerPlaces, type PayerPlace } from '#/erasure/places.ts'
import { selectPaymentsOf, type KnownBy } from '#/erasure/queries.ts'
import { plainTaxId } from '#/kernel/foreign-tax-id.ts'
import { given } from '#/kernel/given.ts'
import { isUuid, type MerchantId, type PaymentId } from '#/kernel/id.ts'
import { toJson } from '#/kernel/json.ts'
import { confirmCell } from '#/ledger/head.ts'
import { amountText } from './amount.ts'
import { operator, requiredReason, textOf } from './audited.ts'
import { group, UsageError, type Call, type Command, FoundFault } from './command.ts'
import { openCommandDatabase } from './database.ts'
import { merchantNamed } from './office.ts'
import { dateText, printRows, type Column } from './table.ts'

/** Payments of one run; a further run takes the next ones. */
const paymentsMax = 500

const erase: Command = {
  summary:
    'Erases what is known of the payer of ended payments; shows what it would erase, unless --confirm is given',
  positionals: ['merchant'],
  options: {
    payment: { value: 'ids', meaning: 'Of these payments, separated by commas' },
    'tax-id': {
      value: 'number',
      meaning: 'Of all payments whose record shows this CPF, CNPJ or other tax id',
    },
    email: { value: 'address', meaning: 'Of all payments whose record shows this e-mail address' },
    reason: {
      value: 'text',
      meaning:
        'Why, for the audit log, which keeps it: the number of the request, and nothing about the payer',
    },
    confirm: { meaning: 'Erase it. It cannot be undone' },
  },
  async run(call) {
    const selection = selectionOf(call)
    const reason = call.flag('confirm') ? requiredReason(call, 'Name the request that you answer.') : ''
    await asOwner(call, async (sql, cell) => {
      const merchantId = await merchantOf(call, sql)
      const { ids, hasMore } = await idsOf(sql, merchantId, selection)
      const previews = await previewErasure(sql, merchantId, ids)
      requireAll(selection, previews)
      if (!call.flag('confirm')) return show(call, previews, hasMore)
      const erased = []
      for (const { id } of previews) {
        const order = { merchantId, paymentId: id, by: operator(), reason }
        const verdict = await erasePayer({ sql, cell }, order, (counts) =>
          call.terminal.progress(`${id}: ${textOfCounts(counts)}`),
        )
        erased.push({ id, ...verdict })
      }
      say(call, erased, hasMore)
    })
  },
}

const places: Command = {
  summary:
    'Lists every column in which the data of a payer may stand, whether an erasure erases it, and why not',
  async run({ terminal, json }) {
    printRows(terminal, payerPlaces, { columns: placeColumns, json, empty: '' })
  },
}

/** Erases the data of payers. */
export const payerCommand = group('payer', { erase, places })

type Selection = { readonly payments: readonly PaymentId[] } | KnownBy

function selectionOf(call: Call): Selection {
  const payments = textOf(call, 'payment', 40 * paymentsMax)
  const taxId = textOf(call, 'tax-id')
  const email = textOf(call, 'email')
  if ([payments, taxId, email].filter((each) => each !== undefined).length !== 1)
    throw new UsageError(
      'Say whose data: one of --payment, --tax-id and --email.',
      'See ./vintem payer erase --help.',
    )
  // The record has tax ids without their masks.
  if (taxId !== undefined) return { taxId: plainTaxId(taxId) }
  if (email !== undefined) return { email }
  const ids = (payments ?? '').split(',').map((each) => each.trim().toLowerCase())
  const wrong = ids.find((each) => !isUuid(each))
  if (wrong !== undefined) throw noPayment(wrong)
  if (ids.length > paymentsMax)
    throw new UsageError(`One run takes ${paymentsMax} payments.`, 'Name fewer of them.')
  return { payments: [...new Set(ids)] as PaymentId[] }
}

/** Runs `work` as the owner of the tables: nobody else may change what is written once. */
async function asOwner(call: Call, work: (sql: Sql, cell: string) => Promise<void>): Promise<void> {
  const config = call.deps.config()
  const database = await openCommandDatabase(config)
  try {
    if (database.ownerUrl === undefined)
      throw new ConfigError(
        'DATABASE_OWNER_URL is not set.',
        'Set it for this command: only the owner of the tables may erase.',
      )
    const sql = connect(database.ownerUrl, { max: 2, applicationName: 'vintem-erase' })
    try {
      await confirmCell(sql, config.VINTEM_CELL)
      await work(sql, config.VINTEM_CELL)
    } finally {
      await sql.end({ timeout: 5 })
    }
  } finally {
    await database.close()
  }
}

async function merchantOf({ given }: Call, sql: Sql): Promise<MerchantId> {
  const [text = ''] = given
  return (await merchantNamed(sql, text)).id
}

async function idsOf(
  sql: Sql,
  merchantId: MerchantId,
  selection: Selection,
): Promise<{ readonly ids: readonly PaymentId[]; readonly hasMore: boolean }> {
  if ('payments' in selection) return { ids: selection.payments, hasMore: false }
  const page = { after: leastId, limit: paymentsMax + 1 }
  const found = await selectPaymentsOf(sql, merchantId, selection, page)
  return { ids: found.slice(0, paymentsMax), hasMore: found.length > paymentsMax }
}

function requireAll(selection: Selection, previews: readonly ErasurePreview[]): void {
  if (!('payments' in selection)) return
  const missing = selection.payments.find((id) => !previews.some((each) => each.id === id))
  if (missing !== undefined) throw noPayment(missing)
}

function noPayment(text: string): UsageError {
  return new UsageError(`The merchant has no payment ${text}.`, 'Nothing was erased.')
}

function show(call: Call, previews: readonly ErasurePreview[], hasMore: boolean): void {
  const { terminal, json } = call
  if (json) return terminal.out(toJson({ confirmed: false, payments: previews.map(recordOf), more: hasMore }))
  printRows(terminal, previews, { columns, json, empty: 'There is no such payment: nothing to erase.' })
  if (hasMore) terminal.out(`There are more than ${paymentsMax}: run it again after these.`)
  if (previews.some(({ why, counts }) => why === undefined && isAny(counts)))
    terminal.out('Nothing was erased. To erase it for good: the same with --confirm and --reason.')
}

type Erased = { readonly id: PaymentId } & Awaited<ReturnType<typeof erasePayer>>

function say({ terminal, json }: Call, erased: readonly Erased[], hasMore: boolean): void {
  const remaining = erased.filter(({ kind }) => kind === 'open')
  if (json) terminal.out(toJson({ confirmed: true, payments: erased, more: hasMore }))
  else {
    const { done, fail } = terminal.symbols
    for (const each of erased) {
      const isDone = each.kind === 'erased'
      const mark = isDone ? terminal.paint.good(done) : terminal.paint.bad(fail)
      terminal.out(`${mark} ${each.id}  ${isDone ? textOfCounts(each.counts) : `left: it ${each.why}`}`)
    }
    if (erased.length === 0) terminal.out('There is no such payment: nothing to erase.')
    if (hasMore) terminal.out(`There are more than ${paymentsMax}: run it again.`)
  }
  const count = remaining.length
  if (count > 0)
    throw new FoundFault(
      count === 1 ? '1 payment was left as it is.' : `${count} payments were left as they are.`,
      'Run it again when they have ended.',
    )
}

function recordOf(preview: ErasurePreview) {
  const { id, status, amountMinor, currency, createdAt, erasedAt, why, counts } = preview
  return {
    id,
    status,
    amount: amountMinor,
    currency,
    createdAt,
    ...(erasedAt !== null && { erasedAt }),
    ...given({ open: why }),
    counts,
  }
}

function textOfCounts(counts: ErasedCounts): string {
  if (!isAny(counts)) return 'nothing is left to erase'
  const { bodies, evidence, requests, answers, others } = counts
  return [
    `${bodies} bodies of events`,
    `${evidence} reports of providers`,
    `${requests} requests`,
    `${answers} answers to webhooks`,
    `${others} others`,
  ].join(', ')
}

const columns: readonly Column<ErasurePreview>[] = [
  { name: 'Payment', value: ({ id }) => id },
  { name: 'Created', value: ({ createdAt }) => dateText(createdAt) },
  { name: 'Status', value: ({ status }) => status },
  {
    name: 'Amount',
    value: amountText,
    align: 'right',
  },
  {
    name: 'Would erase',
    value: ({ why, counts }) => (why === undefined ? textOfCounts(counts) : `nothing yet: it ${why}`),
  },
]

const placeColumns: readonly Column<PayerPlace>[] = [
  { name: 'Column', value: ({ column }) => column },
  { name: 'What happens', value: ({ fate }) => fate },
  { name: 'Why, or what stays', value: ({ why }) => why },
]
