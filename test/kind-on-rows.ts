// Work of the ledger lane on a test's own rows, without the lane: its decisions post to books that only record, and its changes are written.
import type { Tx } from '#/db/client.ts'
import type { Posting } from '#/ledger/apply.ts'
import type { AccountSpec } from '#/ledger/chart.ts'
import type { Batch, RunnableKind } from '#/ledger/kind.ts'

/** `2.hold WITHDRAWAL available>held 100`: the step, the kind, the accounts without their ids, and the amount. */
function postingText({ step, kind, debit, credit, minor }: Posting): string {
  return `${step} ${kind} ${accountWord(debit)}>${accountWord(credit)} ${minor}`
}

/** The account without mode, ids and currency. */
function accountWord({ key }: AccountSpec): string {
  const [, name = ''] = key.split('/')
  const [kind = '', ...rest] = name.split(':')
  return kind === 'wallet' ? (rest.at(-1) ?? '') : kind
}

/** What the books do: they accept all accounts and hold nothing, unless the test says otherwise. */
export type RecordedBooks = {
  readonly at: Date
  readonly accepts?: (account: AccountSpec) => boolean
  readonly balance?: (account: AccountSpec) => bigint
  /** These balances change with what is posted. */
  readonly isMoving?: boolean
}

/** What these postings add to the balance of the account. */
function added(postings: readonly Posting[], { key, side }: AccountSpec): bigint {
  const sum = (word: 'debit' | 'credit') =>
    postings.filter((each) => each[word].key === key).reduce((total, { minor }) => total + minor, 0n)
  return side === 'CREDIT' ? sum('credit') - sum('debit') : sum('debit') - sum('credit')
}

export type RanOnRows<Verdict, Draft> = {
  readonly verdicts: readonly Verdict[]
  readonly events: readonly Draft[]
  /** Of more than nothing. An account that was not loaded cannot be posted to. */
  readonly posted: readonly string[]
}

/** Runs the items as one batch, and writes what they change. */
export async function runOnRows<Item, Verdict, Draft>(
  tx: Tx,
  kind: RunnableKind<Item, Verdict, Draft>,
  items: readonly Item[],
  { at, accepts = () => true, balance = () => 0n, isMoving = false }: RecordedBooks,
): Promise<RanOnRows<Verdict, Draft>> {
  const loaded = new Set<string>()
  const posted: Posting[] = []
  const isLoaded = (account: AccountSpec) => {
    if (!loaded.has(account.key)) throw new Error(`${account.key} was not loaded`)
    return account
  }
  const books: Batch['books'] = {
    async load(accounts) {
      for (const { key } of accounts) loaded.add(key)
    },
    post(postings) {
      for (const { debit, credit } of postings) [debit, credit].forEach(isLoaded)
      posted.push(...postings)
      return { ok: true }
    },
    accepts: (account) => accepts(isLoaded(account)),
    isMixed: () => true,
    balance: (account) => balance(isLoaded(account)) + (isMoving ? added(posted, account) : 0n),
  }
  const { verdicts, events, write } = await kind.run({ tx, books, at, now: at, number: 1n }, items)
  await write?.()
  return { verdicts, events, posted: posted.filter(({ minor }) => minor > 0n).map(postingText) }
}
