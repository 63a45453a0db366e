// `template`: how a merchant's checkouts look, what they ask and which methods they offer. A change is a new revision;
// existing payments keep the revision with which they were created.
import { printable } from '#/kernel/terminal.ts'
import type { MerchantRow } from '#/merchants/queries.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { checkTemplate } from '#/templates/check.ts'
import { logoUrl } from '#/templates/logo.ts'
import { listRevisions } from '#/templates/queries.ts'
import {
  findRevision,
  findTemplate,
  listTemplates,
  setTemplate,
  switchTemplate,
  type Also,
  type Template,
} from '#/templates/record.ts'
import { defaultSlug, isSlug, type Revision } from '#/templates/template.ts'
import { byOperator } from './audited.ts'
import { group, showNext, UsageError, type Call, type Command, type Office } from './command.ts'
import { listing } from './listing.ts'
import { merchantNamed, within } from './office.ts'
import { dateText, printRecord, printRows, type Column } from './table.ts'
import { readTemplateFile } from './template-file.ts'

const merchantOption = { value: 'merchant-id', meaning: 'Whose templates they are' }

const list = listing({
  summary: "Lists a merchant's checkout templates",
  options: { merchant: merchantOption },
  rows: async (sql, call) => listTemplates(sql, (await merchantOf(call, { sql })).id),
  columns: () => columns,
  empty: 'This merchant has no templates.',
  needs: 'keys',
})

const show: Command = {
  summary:
    'Shows the content of a template, now or in an earlier revision, in the form that template set reads',
  positionals: ['slug'],
  options: {
    merchant: merchantOption,
    revision: { value: 'number', meaning: 'Absent: the present one' },
    document: { meaning: 'Only the document: what --file of template set reads' },
  },
  async run(call) {
    const { terminal, json, flag } = call
    await within(call, async (office) => {
      const merchant = await merchantOf(call, office)
      const template = await templateOf(call, office, merchant)
      const revision = await revisionOf(call, office, merchant, template)
      const document = documentOf(revision)
      if (flag('document')) terminal.out(JSON.stringify(document, undefined, json ? undefined : 2))
      else if (json) terminal.out(JSON.stringify({ ...template, shownRevision: revision.number, document }))
      else {
        printRecord(terminal, { ...template, shownRevision: revision.number }, { labels, json })
        terminal.out()
        for (const line of JSON.stringify(shortened(document), undefined, 2).split('\n'))
          terminal.out(printable(line))
      }
    })
  },
}

const set: Command = {
  summary:
    'Creates a template, or a new revision of one, from a JSON file; docs/checkout.md lists its fields',
  positionals: ['slug'],
  options: {
    merchant: merchantOption,
    file: { value: 'template.json', meaning: 'The content of the template' },
  },
  async run(call) {
    const slug = slugOf(call)
    const file = call.option('file')
    if (file === undefined)
      throw new UsageError('--file is missing.', 'docs/checkout.md shows what it holds.')
    const sent = await readTemplateFile(file)
    await within(call, async (office) => {
      const merchant = await merchantOf(call, office)
      const checked = checkTemplate(sent, merchant.mode)
      if (!checked.ok) {
        for (const { pointer, message } of checked.faults)
          call.terminal.err(`  ${printable(`${pointer === '' ? '(the file)' : pointer}: ${message}`)}`)
        const count = checked.faults.length === 1 ? '1 fault' : `${checked.faults.length} faults`
        throw new UsageError(`${file} has ${count}; nothing was changed.`, 'Correct it and try again.')
      }
      const { template, isNew } = await setTemplate(
        office,
        { merchantId: merchant.id, slug },
        checked,
        noting(merchant, 'template.set'),
      )
      printRecord(call.terminal, { ...template, isNew }, { labels, json: call.json })
      if (!call.json && !template.isActive)
        showNext(call.terminal, `./vintem template activate ${slug} --merchant ${merchant.id}`)
    })
  },
}

const revisions: Command = {
  summary: 'Lists the revisions of a template, newest first',
  positionals: ['slug'],
  options: { merchant: merchantOption },
  async run(call) {
    const { terminal, json } = call
    await within(call, async (office) => {
      const merchant = await merchantOf(call, office)
      const { slug } = await templateOf(call, office, merchant)
      const rows = await listRevisions(office.sql, { merchantId: merchant.id, slug })
      const empty = 'It was never changed: it is the template that every merchant has.'
      printRows(terminal, rows, { columns: revisionColumns, json, empty })
    })
  },
}

const activate = switching(true, 'Lets new payments name the template')
const deactivate = switching(false, 'Refuses new payments that name the template; those that have it keep it')

const commands = { list, show, set, revisions, activate, deactivate } as const satisfies Record<
  string,
  Command
>

function switching(isActive: boolean, summary: string): Command {
  return {
    summary,
    positionals: ['slug'],
    options: { merchant: merchantOption },
    async run(call) {
      const slug = slugOf(call)
      await within(call, async (office) => {
        const merchant = await merchantOf(call, office)
        const template = await switchTemplate(
          office.sql,
          { merchantId: merchant.id, slug },
          isActive,
          noting(merchant, isActive ? 'template.activate' : 'template.deactivate'),
        )
        if (template === undefined) throw noTemplate(slug, merchant)
        printRecord(call.terminal, { ...template }, { labels, json: call.json })
      })
    },
  }
}

export const templateCommand = group('template', commands)

function noting({ id: merchantId }: MerchantRow, action: string): Also {
  return async (tx, { slug, revision, isActive }) => {
    const entry = {
      action,
      subject: `template:${merchantId}/${slug}`,
      merchantId,
      after: { revision, isActive },
    }
    await writeAudit(tx, [byOperator(entry)])
  }
}

function slugOf({ given }: Call): string {
  const [slug = ''] = given
  if (isSlug(slug)) return slug
  throw new UsageError(
    `"${slug}" is no slug.`,
    'It is lower case letters and digits, with hyphens within, at most 64 characters: my-shop.',
  )
}

async function merchantOf({ option }: Call, { sql }: Pick<Office, 'sql'>): Promise<MerchantRow> {
  const text = option('merchant')
  if (text === undefined) throw new UsageError('--merchant is missing.', 'See ./vintem merchant list.')
  return merchantNamed(sql, text)
}

async function templateOf(call: Call, { sql }: Office, merchant: MerchantRow): Promise<Template> {
  const slug = slugOf(call)
  const template = await findTemplate(sql, { merchantId: merchant.id, slug })
  if (template === undefined) throw noTemplate(slug, merchant)
  return template
}

function noTemplate(slug: string, { id }: MerchantRow): UsageError {
  return new UsageError(`There is no template ${slug}.`, `See ./vintem template list --merchant ${id}.`)
}

async function revisionOf(
  { option }: Call,
  { sql }: Office,
  merchant: MerchantRow,
  { slug, revision }: Template,
): Promise<Revision> {
  const text = option('revision')
  const number = text === undefined ? revision : Number(text)
  const isNumber = Number.isInteger(number) && number >= 0 && number < 2 ** 31
  const found = isNumber ? await findRevision(sql, { merchantId: merchant.id, slug }, number) : undefined
  if (found !== undefined) return found
  const see = `See ./vintem template revisions ${slug} --merchant ${merchant.id}.`
  throw new UsageError(`${slug} has no revision ${text ?? String(number)}.`, see)
}

/** The document with its logo inserted. */
function documentOf({ document, logo }: Revision) {
  if (logo === undefined) return document
  return { ...document, brand: { ...document.brand, logo: logoUrl(logo) } }
}

/** For people, without the bytes of the picture. */
function shortened(document: ReturnType<typeof documentOf>) {
  const { brand } = document
  if (!('logo' in brand)) return document
  return { ...document, brand: { ...brand, logo: `${brand.logo.slice(0, 40)}…` } }
}

const columns: readonly Column<Template>[] = [
  { name: 'Slug', value: ({ slug }) => slug },
  { name: 'Active', value: ({ isActive }) => (isActive ? 'active' : 'inactive') },
  { name: 'Revision', value: ({ revision }) => String(revision), align: 'right' },
  {
    name: 'Changed',
    value: ({ slug, changedAt }) =>
      changedAt === undefined && slug === defaultSlug ? 'as every merchant has it' : dateOf(changedAt),
  },
]

function dateOf(at: Date | undefined): string {
  return at === undefined ? '' : dateText(at)
}

const revisionColumns: readonly Column<Awaited<ReturnType<typeof listRevisions>>[number]>[] = [
  { name: 'Revision', value: ({ number }) => String(number), align: 'right' },
  { name: 'Made', value: ({ createdAt }) => dateText(createdAt) },
  { name: 'Name', value: ({ name }) => name },
]

const labels: Readonly<Record<string, string>> = {
  slug: 'Template',
  isActive: 'Active',
  revision: 'Revision',
  shownRevision: 'Shown',
  changedAt: 'Changed',
  isNew: 'New revision',
}
