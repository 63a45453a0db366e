// Which folder may import which. The arrow that matters most: a rail cannot import the ledger, payments, settlement or webhooks,
// so a provider's message can become money only through settlement.
import { importsOf } from './imports.ts'
import type { Report, Rule } from './rule.ts'
import { codeFiles, isTest, type SourceFile, type Tree } from './tree.ts'

/** `may`: folders (ending in a slash) and files that this one may import besides its own folder. */
type Row = {
  readonly of: RegExp
  readonly own?: boolean
  readonly may: readonly string[]
  /** What it must never import, whatever else is allowed. */
  readonly never?: { readonly paths: readonly string[]; readonly why: string }
}

const kernel = ['src/kernel/']
const books = [
  ...kernel,
  'src/db/',
  'src/ledger/',
  'src/merchants/',
  'src/people/',
  'src/webhooks/announce.ts',
  'src/webhooks/event.ts',
]
const shapes = [
  'src/rails/rail.ts',
  'src/rails/words.ts',
  'src/rails/payout-rail.ts',
  'src/rails/routing.ts',
  'src/rails/refusal.ts',
  'src/rails/shown.ts',
]
const records = [...books, ...shapes, 'src/rails/all.ts', 'src/finding/']
const line = [
  ...records,
  'src/jobs/',
  'src/payments/',
  'src/refunds/',
  'src/disputes/',
  'src/wallets/',
  'src/withdrawals/',
  'src/coins/fact.ts',
]
const domain = [
  ...line,
  'src/endpoints/',
  'src/edge/',
  'src/explain/',
  'src/templates/',
  'src/rails/',
  'src/requests/',
  'src/settlement/',
  'src/webhooks/',
]
const rail = [...kernel, ...shapes, 'src/rails/http.ts', 'src/rails/kit/', 'src/rails/module.ts']

/**
 * What an inspection may import: the words of records, and formats, which are hashes, fingerprints, parsers and the derivation
 * of addresses. It reads rows by queries of its own.
 */
const readable = [
  ...kernel,
  'src/db/',
  'src/evm/address.ts',
  'src/evm/wire.ts',
  'src/coins/chain.ts',
  'src/ledger/chain.ts',
  'src/ledger/chart.ts',
  'src/payments/payment.ts',
  'src/payments/money.ts',
  'src/refunds/refund.ts',
  'src/disputes/dispute.ts',
  'src/withdrawals/withdrawal.ts',
  'src/wallets/own-transfer.ts',
  'src/webhooks/event.ts',
  ...shapes,
  'src/rails/pix/br-code.ts',
  'src/rails/pix/pix-key.ts',
  'src/rails/pix/receipts.ts',
  'src/rails/pix/wire.ts',
]
/**
 * Code that decides about money: an inspection that used it would not notice its mistakes, and an explanation would tell what should
 * be in the books instead of what is.
 */
const deciding = [
  'src/settlement/',
  'src/treasury/',
  'src/ledger/apply.ts',
  'src/ledger/recipes.ts',
  'src/ledger/books.ts',
  'src/ledger/post.ts',
  'src/payments/initiate.ts',
  'src/payments/end.ts',
  'src/payments/create.ts',
  'src/payments/capture-kind.ts',
  'src/refunds/request.ts',
  'src/withdrawals/request.ts',
  'src/withdrawals/decide.ts',
  'src/withdrawals/limits.ts',
  'src/wallets/transfer.ts',
  'src/webhooks/announce.ts',
]

/** The first row that fits a file applies. */
const rows: readonly Row[] = [
  { of: /^src\/kernel\//, may: [] },
  { of: /^src\/(?:db|ledger|people|requests|webhooks)\//, may: [...kernel, 'src/db/'] },
  { of: /^src\/merchants\//, may: [...kernel, 'src/db/', 'src/people/'] },
  { of: /^src\/jobs\//, may: [...kernel, 'src/db/'] },
  { of: /^src\/finding\//, may: [...kernel, 'src/db/', 'src/jobs/'] },
  { of: /^src\/(?:signer|edge|reference)\//, may: kernel },
  { of: /^src\/evm\//, may: [...kernel, 'contracts/artifacts.json'] },
  { of: /^src\/coins\//, may: [...kernel, 'src/db/', 'src/evm/'] },
  {
    of: /^src\/treasury\//,
    may: [...kernel, 'src/db/', 'src/evm/', 'src/coins/', ...shapes, 'src/signer/client.ts'],
  },
  {
    of: /^src\/rails\/(?:rail|words|payout-rail|routing|refusal|shown)\.ts$/,
    may: [...kernel, 'src/db/client.ts'],
  },
  { of: /^src\/rails\/http\.ts$/, own: false, may: kernel },
  { of: /^src\/rails\/all\.ts$/, own: false, may: [...kernel, 'src/db/client.ts', ...shapes] },
  { of: /^src\/rails\/kit\//, may: [...kernel, ...shapes] },
  {
    of: /^src\/rails\/module\.ts$/,
    own: false,
    may: [...kernel, ...shapes, 'src/coins/chain.ts', 'src/rails/kit/'],
  },
  { of: /^src\/rails\/(?:registry|fields)\.ts$/, own: false, may: ['src/rails/'] },
  {
    of: /^src\/rails\/crypto\//,
    may: [...rail, 'src/db/', 'src/evm/', 'src/coins/'],
  },
  { of: /^src\/rails\/[^/]+\//, may: rail },
  { of: /^src\/templates\//, may: [...kernel, 'src/db/', ...shapes] },
  { of: /^src\/payments\//, may: [...records, 'src/jobs/', 'src/templates/'] },
  { of: /^src\/wallets\//, may: records },
  { of: /^src\/endpoints\//, may: [...books, 'src/webhooks/'] },
  { of: /^src\/withdrawals\//, may: [...records, 'src/jobs/', 'src/wallets/'] },
  // A refund that we send ourselves counts towards the limits of withdrawals.
  {
    of: /^src\/refunds\//,
    may: [
      ...records,
      'src/jobs/',
      'src/payments/',
      'src/withdrawals/limits.ts',
      'src/withdrawals/limit-queries.ts',
    ],
  },
  { of: /^src\/disputes\//, may: [...records, 'src/payments/'] },
  { of: /^src\/settlement\//, may: line },
  // Records are made by the functions that make real ones; nothing that books or announces may be reached.
  {
    of: /^src\/rehearsals\//,
    may: [
      ...kernel,
      'src/db/',
      'src/jobs/',
      'src/payments/payment.ts',
      'src/payments/record.ts',
      'src/refunds/refund.ts',
      'src/disputes/dispute.ts',
      'src/rails/pix/br-code.ts',
      'src/webhooks/event.ts',
      'src/webhooks/send.ts',
      'src/webhooks/sign.ts',
    ],
  },
  { of: /^src\/http\//, may: [...domain, 'src/sandbox/', 'src/rehearsals/'] },
  { of: /^src\/(?:checkout|dashboard)\//, may: domain },
  {
    of: /^src\/sandbox\//,
    may: [
      ...kernel,
      'src/db/',
      // The clock of a sandbox is moved under the lane's lock, by a worker.
      'src/ledger/kind.ts',
      'src/ledger/post.ts',
      'src/jobs/',
      'src/merchants/',
      'src/payments/',
      'src/rails/',
      'src/evm/',
      'src/coins/',
      'src/treasury/',
      'src/webhooks/',
      'contracts/artifacts.json',
    ],
  },
  {
    of: /^src\/audit\//,
    may: readable,
    never: { paths: deciding, why: 'it decides, and an inspection must find its mistakes' },
  },
  {
    of: /^src\/explain\//,
    may: [
      ...kernel,
      'src/db/client.ts',
      'src/rails/words.ts',
      'src/webhooks/event.ts',
      'src/payments/payment.ts',
      'src/refunds/refund.ts',
      'src/withdrawals/withdrawal.ts',
    ],
    never: { paths: deciding, why: 'it decides, and an explanation tells what the books hold' },
  },
  { of: /^src\/config\.ts$/, own: false, may: kernel },
  {
    of: /^src\/(?:main|app|app-work|app-pages)\.ts$/,
    own: false,
    may: ['src/', 'web/build.ts', 'package.json', 'contracts/artifacts.json'],
  },
  { of: /^src\/cli(?:\/|[^/]*\.ts$)/, may: ['src/', 'package.json', 'contracts/artifacts.json'] },
]

/** Files and folders that only these may import, whatever their own row allows. `path`: a prefix, or a pattern. */
const reserved: readonly { readonly path: string | RegExp; readonly by: RegExp; readonly why: string }[] = [
  {
    path: /^src\/treasury\/(?:[^/]*-)?queries\.ts$/,
    by: /^src\/treasury\//,
    why: 'the treasury has a function for queries of its tables',
  },
  {
    path: 'src/signer/client.ts',
    by: /^src\/(?:treasury|cli)\//,
    why: 'only what sends our money, and the commands, call the signer',
  },
  { path: 'src/audit/', by: /^src\/cli\//, why: 'only the commands inspect' },
  {
    path: 'src/rails/registry.ts',
    by: /^src\/(?:app\.ts|cli\/)/,
    why: 'an import of it pulls in all rails: app.ts and the commands pass each folder its part',
  },
  { path: 'src/http/', by: /^src\/app\.ts$/, why: 'only app.ts mounts it' },
  { path: 'src/checkout/', by: /^src\/app-pages\.ts$/, why: 'only app-pages.ts mounts it' },
  { path: 'src/reference/', by: /^src\/app-pages\.ts$/, why: 'only app-pages.ts mounts it' },
  { path: 'src/dashboard/', by: /^src\/app\.ts$/, why: 'only app.ts mounts it' },
  {
    path: 'src/config.ts',
    by: /^src\/(?:main\.ts|app(?:-work|-pages)?\.ts|cli)/,
    why: 'parts get their settings as arguments',
  },
  { path: 'src/app', by: /^src\/(?:main\.ts|app|cli)/, why: 'only the commands start it' },
  { path: 'src/main.ts', by: /^$/, why: 'nothing imports the program itself' },
  { path: 'src/cli', by: /^src\/(?:main\.ts|cli)/, why: 'only main.ts runs the commands' },
]

/** Compares every import with the table. */
export const boundaries: Rule = {
  name: 'boundaries: every import is one that the table of folders allows',
  check: (tree): Report => {
    const files = codeFiles(tree).filter(({ path }) => /^(?:src|simulators)\//.test(path))
    const judged = files.map((file) => judge(tree, file))
    return {
      checked: judged.reduce((sum, { checked }) => sum + checked, 0),
      what: `imports in ${files.length} files`,
      findings: judged.flatMap(({ findings }) => findings),
    }
  },
}

function judge(
  tree: Tree,
  file: SourceFile,
): { readonly checked: number; readonly findings: readonly string[] } {
  const imports = importsOf(tree, file)
  const row = rows.find(({ of }) => of.test(file.path))
  const findings = imports.flatMap(({ line, specifier, target }) => {
    const fault = specifier === undefined ? unreadable(file.path) : faultOf(file.path, row, target)
    return fault === undefined
      ? []
      : [`${file.path}:${line} imports ${specifier ?? 'an expression'}: ${fault}`]
  })
  const unplaced = file.path.startsWith('src/') && row === undefined && !isTest(file.path)
  if (unplaced)
    findings.push(`${file.path} lies where no row of scripts/tidy/boundaries.ts says what it may import`)
  return { checked: imports.length, findings }
}

function unreadable(path: string): string | undefined {
  return isTest(path) ? undefined : 'write the path as a literal, so that it can be checked'
}

function faultOf(path: string, row: Row | undefined, target: string | undefined): string | undefined {
  if (target === undefined) return undefined
  if (path.startsWith('simulators/')) {
    return target.startsWith('src/') ? 'a simulator shares no code with src' : undefined
  }
  if (isTest(path) || row === undefined) return undefined
  if (target.startsWith('simulators/')) return 'src shares no code with the simulators'
  if (row.own !== false && roomOf(target) === roomOf(path)) return undefined
  if (row.never?.paths.some((each) => fits(each, target))) return row.never.why
  const closed = reserved.find((each) => isWithin(each.path, target) && !each.by.test(path))
  if (closed !== undefined) return closed.why
  const allowed = row.may.some((each) => fits(each, target))
  return allowed ? undefined : `${roomOf(path)} may import only ${row.may.join(', ') || 'its own files'}`
}

function isWithin(path: string | RegExp, target: string): boolean {
  return typeof path === 'string' ? target.startsWith(path) : path.test(target)
}

function fits(path: string, target: string): boolean {
  return path.endsWith('/') ? target.startsWith(path) : target === path
}

/** The folder of src that a file lives in; each provider's folder under rails is a room of its own. */
function roomOf(path: string): string {
  const parts = path.split('/').slice(0, -1)
  return parts.slice(0, parts[1] === 'rails' ? 3 : 2).join('/')
}
