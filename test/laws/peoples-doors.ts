// The doors of people's acts, read from the code: routes of the API, the dashboard's own routes, the console's, and the commands. For each door
// and each rule one line says that the rule is asked there, and which test walks it, or why it does not apply. peoples-acts.test.ts compares the
// lines with the code, so that a new door has to be judged before it passes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandNames, findCommand } from '#/cli/commands.ts'
import { readConfig } from '#/config.ts'
import { createTerminal } from '#/kernel/terminal.ts'

/**
 * - `right`: a scope, a permission or a role.
 * - `factor`: a second factor of the last five minutes, where it concerns money, people, where payers are sent or events go.
 * - `second`: a second person who is no member, where the actor is a member of the merchant concerned (operators), or two persons (merchants).
 * - `audit`: a row in the audit log, in the transaction of the change.
 * - `within`: nobody gives more than they have, nor becomes somebody else.
 */
export const rules = ['right', 'factor', 'second', 'audit', 'within'] as const
export type Rule = (typeof rules)[number]
export type Sort = 'api' | 'dashboard' | 'console' | 'command'

/** The tests that walk all doors of a sort for a rule, or why the rule does not apply to any of them. */
export const walks: Readonly<
  Record<Sort, Readonly<Record<Rule, readonly string[] | { readonly because: string }>>>
> = {
  api: {
    right: ['test/contract/keys.test.ts'],
    factor: {
      because: 'a key is no person: its scopes, networks and end bound it, and people made it with a factor',
    },
    second: [
      'test/contract/four-eyes.test.ts',
      'test/contract/one-person.test.ts',
      'test/laws/ways-out.test.ts',
    ],
    audit: ['test/dashboard/access.test.ts', 'test/dashboard/audited-acts.test.ts'],
    within: ['test/contract/managed-keys.test.ts', 'test/contract/rolled-keys.test.ts'],
  },
  dashboard: {
    right: ['test/dashboard/access.test.ts'],
    factor: ['test/dashboard/edges.test.ts'],
    second: { because: 'money is asked for by routes of the API, which the dashboard serves as they are' },
    audit: ['test/dashboard/answers.test.ts'],
    within: ['test/laws/people-roles.test.ts', 'test/dashboard/member-keys.test.ts'],
  },
  console: {
    right: ['test/dashboard/operator-access.test.ts'],
    factor: ['test/dashboard/operator-access.test.ts', 'test/dashboard/edges.test.ts'],
    second: ['test/dashboard/operator-interest.test.ts'],
    audit: ['test/dashboard/answers.test.ts'],
    within: ['test/dashboard/operator-money.test.ts'],
  },
  command: {
    right: { because: 'whoever may run it on the machine has its database' },
    factor: { because: 'whoever may run it on the machine has its database' },
    second: ['test/dashboard/operator-interest.test.ts'],
    audit: ['src/cli/audited-commands.test.ts'],
    within: { because: 'whoever may run it on the machine has its database' },
  },
}

/** Acts of the console that operator-interest.test.ts does not walk, and why. */
export const actsAlone: Readonly<Record<string, string>> = {
  createMerchant: 'it has no members yet',
  rotateMerchantWebhookSecret: 'no money and no terms',
  inviteToMerchant: 'no money and no terms: who joins is bound by this rule from then on',
  activateSubAccount: 'refused to members of the sub-account and its parent: see above',
  suspendMerchant: 'money stays in: in an emergency nobody waits for another person',
  freezeMerchant: 'money stays in: in an emergency nobody waits for another person',
  freezeMoney: 'of every merchant',
  unfreezeMoney: 'of every merchant',
  makeDefaultWallet: 'between wallets of the merchant, as the merchant may choose itself',
  addConnection:
    'a change of where money is, with its own checks; it is bound to its own account at a provider',
  replaceConnection: 'as addConnection',
  switchConnection: 'as addConnection',
  testConnection: 'changes nothing',
  registerConnection: 'as addConnection',
  requestJob: 'of the installation',
  cancelJob: 'of the installation',
  approveProposal: 'the second person of these acts: walked above',
  refuseProposal: 'nothing is carried out',
  proposeOwner: 'nothing moves: confirmOwner is refused to members',
  confirmOwner: 'refused to members of the merchant to which the coins go: found-coins.ts',
  resolveWithdrawal: 'requested by a member, as the end of a refund: operator-payouts.test.ts walks both',
  endRefund: 'requested by a member: operator-payouts.test.ts walks it',
  retryWithdrawal: 'what was decided is tried again, under the same rules',
  retryRefund: 'what was decided is tried again, under the same rules',
  stopPayout: 'it stays in the books, and ends by a decision of another route',
  beginUpload: 'a file of a bank: what it says is checked against its balances',
  addUploadPart: 'as beginUpload',
  acceptTypo: 'refused to members of the merchant whose payment it would be: statements.ts',
  refuseTypo: 'the money goes to suspense',
  requestCorrection: 'a request: another person approves, and one of the two is no member: proposals.ts',
  decideHeldMovement:
    'refused to members of the merchant whose money it would be: operator-interest-banks.test.ts',
  closeSubAccount: 'refused to members of the merchant and of its parent: close-sub-account.ts',
  endForeignMoney:
    'refused to members of the merchant whose own account it is: operator-interest-banks.test.ts',
  makePaymentFile: 'of payouts that were decided',
  takePaymentFile: 'of payouts that were decided',
  liftChain: 'of the installation',
  liftHotWallet: 'of the installation',
  retrySignal: 'a report of a provider is read again',
  dropSignal:
    'refused to members of the merchant whose own connection it is: operator-interest-banks.test.ts',
  disableUser: 'people of the installation',
  enableUser: 'people of the installation',
  removeUserFactors: 'people of the installation',
  createResetLink: 'people of the installation',
}

/** Refused to members instead of requested: the function of the operator that refuses. A command of the same act calls the same. */
export const refusedToMembers: Readonly<Record<string, string>> = {
  activateSubAccount: 'activateSubAccount',
  closeSubAccount: 'closeSubAccount',
  confirmOwner: 'confirmOwnerAs',
  acceptTypo: 'decideTypo',
  decideHeldMovement: 'decideHeldAs',
  endForeignMoney: 'decideForeignAs',
  dropSignal: 'dropSignal',
  'command: merchant pass-on': 'passOnKept',
  'command: statement recall': 'decideRecallAs',
  'command: statement no-recall': 'decideRecallAs',
}

/** Commands that have no act of the console, and need no second person for a member. Those with one are judged as that act. */
export const commandsAlone: readonly (readonly [because: string, commands: RegExp])[] = [
  [
    'it reads, or moves nothing',
    /^(?:config|doctor|env|help|mcp|listen|demo|trigger|rehearse|statement recalls|backup \S+|key list|chain contracts)$/,
  ],
  [
    'it runs the service, or the machine',
    /^(?:start|api|worker|watcher|migrate|reset|rekey|signer|cell|sandbox (?:create|archive)|connection (?:reseal|publish-key))$/,
  ],
  [
    'it makes or ends keys of a merchant, each with its holder: their own rules hold for what they do',
    /^key (?:create|revoke|rotate)$/,
  ],
  [
    'people of the installation: who operates and who they are is decided at the machine',
    /^user (?:create|remove|account|promote|demote)$/,
  ],
  [
    'a request: another person approves it, and one of the two is no member',
    /^suspense (?:charge|write-off|came-back)$/,
  ],
  ['it only lists', /^suspense sent$/],
  ['the repair after a restore asks two people of its own', /^restored$/],
  ['it erases data of a payer, and moves no money', /^payer$/],
  ['of the installation: the operator’s own money and chain', /^coins (?:refill|forget-refill)$/],
  ['how pages look; where payers are sent is kept as the merchant set it', /^template$/],
]

/** Acts by which somebody gets a right, and what bounds it. Every act that concerns people has a line. */
export const rightsGiven: Readonly<Record<string, string>> = {
  createApiKey: 'test/contract/managed-keys.test.ts',
  changeApiKey: 'test/contract/managed-keys.test.ts',
  rollApiKey: 'test/contract/rolled-keys.test.ts',
  createSubAccount: 'test/contract/sub-accounts.test.ts',
  createSubAccountKey: 'test/contract/sub-accounts.test.ts',
  changeMember: 'test/laws/people-roles.test.ts',
  removeMember: 'test/laws/people-roles.test.ts',
  createInvitation: 'test/laws/people-roles.test.ts',
  createMerchant: 'test/dashboard/operator-acts.test.ts',
  inviteToMerchant: 'test/dashboard/operator-acts.test.ts',
  disableUser: 'test/dashboard/member-keys.test.ts',
  enableUser: 'test/dashboard/operator-money.test.ts',
  removeUserFactors: 'test/dashboard/operator-money.test.ts',
  createResetLink: 'test/dashboard/operator-money.test.ts',
}

const root = join(import.meta.dirname, '../..')

/** The acts of the console by command, as docs/console.md says: its own test compares that with commands and routes. */
export function actsByCommand(): ReadonlyMap<string, readonly string[]> {
  const text = readFileSync(join(root, 'docs/console.md'), 'utf8')
  return new Map(
    text.split('\n').flatMap((line) => {
      const [, command, where] = /^\| `([a-z][a-z -]*\*?)` \| (.+) \| [^|]+ \|$/.exec(line) ?? []
      if (command === undefined || where === undefined) return []
      const found = [...where.matchAll(/`([A-Z]+ \/operator[^`]*)`/g)].map(([, route = '']) => route)
      return [[command.replace(/ \*$/, ''), found]]
    }),
  )
}

/** Every command, with its words: `group word`. */
export async function foundCommands(): Promise<readonly string[]> {
  const rows = actsByCommand()
  const found = await Promise.all(
    commandNames.map((name) => (rows.has(name) ? Promise.resolve([name]) : below(name))),
  )
  return found.flat()
}

async function below(name: string): Promise<readonly string[]> {
  let out = ''
  const streams = { stdout: { write: (part: string) => (out += part) }, stderr: { write: () => true } }
  const [first = '', ...rest] = name.split(' ')
  const terminal = createTerminal(streams, {})
  await findCommand(first)([...rest, '--help'], { terminal, config: () => readConfig({}) })
  const words = out.split('\n').flatMap((line) => /^ {2}([a-z][a-z-]*)(?: |$)/.exec(line)?.[1] ?? [])
  if (words.length === 0) return [name]
  const deeper = words.map((word) =>
    `${name} ${word}` === 'withdrawal destination'
      ? below(`${name} ${word}`)
      : Promise.resolve([`${name} ${word}`]),
  )
  return (await Promise.all(deeper)).flat()
}
