// Which folder may import which. The arrow that matters most: a rail cannot import the ledger, payments, settlement or webhooks,
// so a provider's message can become money only through settlement.
import { formats } from './formats.ts'
import { importsOf } from './imports.ts'
import { reserved } from './reserved.ts'
import type { Report, Rule } from './rule.ts'
import { codeFiles, isTest, type SourceFile, type Tree } from './tree.ts'

/** `may`: folders (ending in a slash), files and patterns that this one may import besides its own folder. */
type Row = {
  readonly of: RegExp
  readonly ownFolder?: boolean
  readonly may: readonly (string | RegExp)[]
  /** What it must never import, whatever else is allowed. */
  readonly never?: { readonly paths: readonly string[]; readonly why: string }
}

const kernel = ['src/kernel/']
/** What the API's requests and answers look like: no code, so whoever makes a record may know its shape. */
const shown = [...kernel, 'src/contract/']
const books = [
  ...shown,
  'src/db/',
  'src/ledger/',
  'src/merchants/',
  'src/people/',
  'src/webhooks/announce.ts',
  'src/webhooks/event.ts',
]
/** The files of `src/rails/` that say what a rail is; they know no rail. */
const railShapes = 'rail disputes method attempt receipt connection payout-rail routing refusal shown'.split(
  ' ',
)
/** What is said of methods, as data: the contract and the pages of browsers are made of it. */
const methodData = /^src\/rails\/(?:descriptor|methods|[^/]+\/method|acquirer\/methods\/[^/]+)\.ts$/
/** What networks and tokens there are, and the exact scale of their units, as data. */
const tokens = ['src/coins/networks.ts', 'src/coins/units.ts']
const shapes = ['src/contract/', methodData, ...tokens, ...railShapes.map((name) => `src/rails/${name}.ts`)]
const explained = [methodData, 'src/rails/method.ts', 'src/rails/receipt.ts']
const records = [...books, ...shapes, 'src/rails/all.ts', 'src/finding/']
const line = [
  ...records,
  'src/jobs/',
  'src/payments/',
  'src/refunds/',
  'src/disputes/',
  'src/money-out/',
  'src/wallets/',
  'src/withdrawals/',
  'src/coins/fact.ts',
]
const domain = [
  ...line,
  'src/endpoints/',
  'src/operator-jobs/',
  'src/edge/',
  'src/explain/',
  'src/insights/',
  'src/payment-links/',
  'src/templates/',
  'src/rails/',
  'src/requests/',
  'src/settlement/',
  'src/webhooks/',
]
/** Markup as data, and the parts of the pages that the sandbox and the simulators show to developers. */
const pages = 'web/live/'
const builds = ['web/build.ts', 'web/build-dashboard.ts', 'web/build-docs.ts']
const rail = [...kernel, ...shapes, 'src/rails/http.ts', 'src/rails/kit/', 'src/rails/module.ts']

/** What an inspection may import: formats. It reads rows by queries of its own. */
const readable = [...kernel, 'src/db/', ...shapes, ...formats]

/**
 * Code that decides about money. An inspection that used it would not notice its mistakes, and an explanation would narrate what should be
 * in the books instead of what is there.
 */
const deciding = [
  'src/settlement/',
  'src/money-out/',
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
  'src/money-out/limits.ts',
  'src/wallets/transfer.ts',
  'src/wallets/family.ts',
  'src/wallets/give-grant.ts',
  'src/webhooks/announce.ts',
]

/** The first row that fits a file applies. */
const rows: readonly Row[] = [
  { of: /^src\/kernel\//, may: [] },
  // The contract with callers: it follows from which methods there are, and the rooms that make records follow from it.
  { of: /^src\/contract\//, may: [...kernel, methodData] },
  { of: methodData, ownFolder: false, may: [...kernel, methodData] },
  { of: /^src\/(?:db|jobs|ledger)\//, may: [...kernel, 'src/db/'] },
  // What a member may do begins with what a key may do.
  { of: /^src\/people\//, may: [...kernel, 'src/db/', 'src/contract/keys.ts'] },
  { of: /^src\/(?:requests|webhooks)\//, may: [...shown, 'src/db/'] },
  { of: /^src\/merchants\//, may: [...shown, 'src/db/', 'src/people/'] },
  // The directory of cells, and the configuration of the proxy in front of them.
  { of: /^src\/cells\//, may: [...kernel, 'src/db/'] },
  { of: /^src\/sealing\//, may: [...kernel, 'src/db/', 'src/ledger/'] },
  // The repair after a restore: it jumps event numbers, notifies merchants, freezes all money that leaves, and compares what left with the
  // lists of providers and the journals of signers; settlement books it.
  {
    of: /^src\/restored\//,
    may: [
      ...kernel,
      ...shapes,
      'src/coins/chain.ts',
      'src/coins/departed-queries.ts',
      'src/db/',
      'src/ledger/',
      'src/merchants/',
      'src/people/',
      'src/settlement/unrecorded.ts',
      'src/settlement/unrecorded-queries.ts',
      'src/signer/journal-copy.ts',
      'src/treasury/lost-signatures.ts',
      'src/treasury/outgoing.ts',
      'src/evm/nonces.ts',
      'src/webhooks/event.ts',
    ],
  },
  // What is handed out, in files outside of the database; what a restore lost of it, and its end at providers.
  {
    of: /^src\/issuance\//,
    may: [...kernel, 'src/db/', 'src/jobs/', 'src/people/', ...shapes],
  },
  // What is sealed lies in several rooms: each exports the key and the place that its values are bound to.
  {
    of: /^src\/rekey\//,
    may: [
      ...kernel,
      'src/db/',
      'src/ledger/queries.ts',
      'src/mail/',
      'src/merchants/',
      'src/people/',
      'src/webhooks/sign.ts',
    ],
  },
  // Both are under the head's lock. The audit has inspections of its own.
  {
    of: /^src\/erasure\//,
    may: [...kernel, 'src/db/', 'src/ledger/queries.ts', 'src/people/'],
  },
  { of: /^src\/finding\//, may: [...kernel, 'src/db/', 'src/jobs/'] },
  { of: /^src\/(?:signer|edge)\//, may: kernel },
  { of: /^src\/reference\//, may: [...kernel, 'src/edge/'] },
  { of: /^src\/mail\//, may: [...kernel, 'src/db/', 'src/jobs/', 'src/people/'] },
  { of: /^src\/evm\//, may: [...kernel, 'contracts/artifacts.json'] },
  { of: /^src\/coins\//, may: [...kernel, 'src/db/', 'src/evm/'] },
  {
    of: /^src\/treasury\//,
    may: [...kernel, 'src/db/', 'src/evm/', 'src/coins/', ...shapes, 'src/signer/client.ts'],
  },
  {
    of: new RegExp(`^src/rails/(?:${railShapes.join('|')})\\.ts$`),
    may: [...shown, 'src/db/client.ts'],
  },
  { of: /^src\/rails\/http\.ts$/, ownFolder: false, may: [...kernel, 'src/rails/connection.ts'] },
  { of: /^src\/rails\/all\.ts$/, ownFolder: false, may: [...kernel, 'src/db/client.ts', ...shapes] },
  { of: /^src\/rails\/kit\//, may: [...kernel, ...shapes] },
  {
    of: /^src\/rails\/module\.ts$/,
    ownFolder: false,
    may: [...kernel, ...shapes, 'src/db/client.ts', 'src/coins/chain.ts', 'src/rails/kit/'],
  },
  { of: /^src\/rails\/registry\.ts$/, ownFolder: false, may: ['src/rails/'] },
  { of: /^src\/rails\/connection-types\.ts$/, ownFolder: false, may: [...kernel, 'src/rails/'] },
  {
    of: /^src\/rails\/crypto\//,
    may: [...rail, 'src/db/', 'src/evm/', 'src/coins/'],
  },
  // Its bank has no API: what it knows is in files, which it keeps in tables of its own.
  { of: /^src\/rails\/sepa\//, may: [...rail, 'src/db/'] },
  { of: /^src\/rails\/[^/]+\//, may: rail },
  { of: /^src\/templates\//, may: [...kernel, 'src/db/', ...shapes] },
  { of: /^src\/payments\//, may: [...records, 'src/jobs/', 'src/templates/'] },
  // The gate for money that leaves, its limits and the destinations that are ours: all rooms from which money leaves are above it.
  { of: /^src\/money-out\//, may: records },
  { of: /^src\/wallets\//, may: [...records, 'src/money-out/'] },
  // It counts from the records' own tables, by queries of its own.
  { of: /^src\/insights\//, may: [...shown, 'src/db/', 'src/wallets/', 'src/rails/payout-rail.ts'] },
  { of: /^src\/endpoints\//, may: [...books, 'src/webhooks/'] },
  { of: /^src\/withdrawals\//, may: [...records, 'src/jobs/', 'src/money-out/', 'src/wallets/'] },
  // A refund that we send ourselves counts towards the limits of withdrawals.
  {
    of: /^src\/refunds\//,
    may: [...records, 'src/jobs/', 'src/money-out/', 'src/payments/', 'src/wallets/pure-kind.ts'],
  },
  { of: /^src\/disputes\//, may: [...records, 'src/jobs/', 'src/money-out/', 'src/payments/'] },
  { of: /^src\/payment-links\//, may: [...records, 'src/payments/'] },
  { of: /^src\/settlement\//, may: [...line, 'src/coins/chain.ts', 'src/coins/departed-queries.ts'] },
  // Records are made by the functions that make real ones; nothing that books or announces may be reached.
  {
    of: /^src\/rehearsals\//,
    may: [
      ...kernel,
      ...tokens,
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
  // What an operator requests of a worker: each kind calls the function that the command of the same name calls.
  {
    of: /^src\/operator-jobs\//,
    may: [
      ...kernel,
      ...shapes,
      'src/db/',
      'src/jobs/',
      'src/people/',
      'src/audit/verify.ts',
      'src/coins/',
      'src/evm/',
      'src/rails/kit/',
      'src/settlement/balances.ts',
      'src/treasury/',
    ],
  },
  { of: /^src\/http\//, may: [...domain, 'src/sandbox/', 'src/rehearsals/'] },
  { of: /^src\/checkout\//, may: [...domain, pages] },
  {
    of: /^src\/dashboard\//,
    may: [
      ...domain,
      pages,
      'src/checkout/',
      'src/http/',
      'src/insights/',
      'src/mail/letter.ts',
      'src/mail/notices.ts',
      'src/mail/settings.ts',
      'src/operator/',
      'src/operator-jobs/',
    ],
  },
  // Operators read the same figures in the console.
  {
    of: /^src\/metrics\//,
    may: [
      ...kernel,
      'src/db/',
      'src/edge/server.ts',
      'src/operator/backup-queries.ts',
      'src/operator/chain-queries.ts',
      'src/operator/connections.ts',
      'src/operator/expiry.ts',
      'src/operator/queue-queries.ts',
    ],
  },
  // What an operator does, for the commands and the console: it joins rooms, and says who did it.
  { of: /^src\/operator\//, may: [...domain, 'src/coins/', 'src/evm/', 'src/treasury/'] },
  {
    of: /^src\/sandbox\//,
    may: [
      ...kernel,
      pages,
      'src/db/',
      // The clock of a sandbox is moved under the lane's lock, by a worker.
      'src/ledger/kind.ts',
      'src/ledger/post.ts',
      'src/jobs/',
      'src/merchants/',
      'src/people/',
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
      ...explained,
      'src/webhooks/event.ts',
      'src/payments/payment.ts',
      'src/refunds/refund.ts',
      'src/withdrawals/withdrawal.ts',
    ],
    never: { paths: deciding, why: 'it decides, and an explanation tells what the books hold' },
  },
  { of: /^src\/config\.ts$/, ownFolder: false, may: kernel },
  {
    of: /^src\/(?:main\.ts$|app\/)/,
    ownFolder: false,
    may: ['src/', ...builds, 'package.json', 'contracts/artifacts.json'],
  },
  { of: /^src\/cli(?:\/|[^/]*\.ts$)/, may: ['src/', 'package.json', 'contracts/artifacts.json'] },
]

/** Compares every import with the table. */
export const boundaries: Rule = {
  name: 'boundaries: every import is one that the table of folders allows',
  check: (tree): Report => {
    const files = codeFiles(tree).filter(({ path }) => /^(?:src|simulators)\//.test(path))
    const results = files.map((file) => judge(tree, file))
    return {
      checked: results.reduce((sum, { checked }) => sum + checked, 0),
      what: `imports in ${files.length} files`,
      findings: results.flatMap(({ findings }) => findings),
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
  if (row.ownFolder !== false && roomOf(target) === roomOf(path)) return undefined
  if (row.never?.paths.some((each) => fits(each, target))) return row.never.why
  const closed = reserved.find((each) => isWithin(each.path, target) && !each.by.test(path))
  if (closed !== undefined) return closed.why
  const allowed = row.may.some((each) => fits(each, target))
  return allowed ? undefined : `${roomOf(path)} may import only ${row.may.join(', ') || 'its own files'}`
}

function isWithin(path: string | RegExp, target: string): boolean {
  return typeof path === 'string' ? target.startsWith(path) : path.test(target)
}

function fits(path: string | RegExp, target: string): boolean {
  return typeof path !== 'string' || path.endsWith('/') ? isWithin(path, target) : target === path
}

/** The folder of src that a file lives in; each provider's folder under rails is a room of its own. */
function roomOf(path: string): string {
  const parts = path.split('/').slice(0, -1)
  return parts.slice(0, parts[1] === 'rails' ? 3 : 2).join('/')
}
