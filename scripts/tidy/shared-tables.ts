// Tables that several purposes share: a query says of which purpose it is, or it is listed here with the reason why it is of all. A sum
// over all purposes counts a movement twice that another table has too.
import { lineAt } from './lex.ts'
import type { Report, Rule } from './rule.ts'
import { codeFiles, isTest, type SourceFile, type Tree } from './tree.ts'

type Shared = {
  readonly table: string
  /** The column that says for what a row is. */
  readonly purpose: string
  /** By file, the functions whose queries are of every purpose, and why that is right. */
  readonly all: Readonly<Record<string, Readonly<Record<string, string>>>>
}

const gas = 'every transaction costs gas'
const byId = 'the caller names the rows'
const nonces = 'a wallet has one line of nonces'

const sharedTables: readonly Shared[] = [
  {
    table: 'chain_tx',
    purpose: 'purpose',
    all: {
      'src/audit/rails/crypto-coins-queries.ts': {
        selectGasRows: gas,
        selectCoinsAmong: byId,
        selectWalletSums: gas,
      },
      'src/restored/money-out-queries.ts': {
        selectSigningWallets: nonces,
        selectQueuedTx: byId,
        selectGivenNonces: nonces,
      },
      'src/treasury/coin-movements-queries.ts': { dueGas: gas, selectDueGas: gas, markGasBooked: gas },
      'src/treasury/gas-queries.ts': { selectGasWallets: nonces },
      'src/treasury/hot-wallet-queries.ts': {
        isWalletDue: nonces,
        selectWalletStates: nonces,
        reserveNonces: byId,
      },
      'src/treasury/lost-signatures-queries.ts': { selectLost: nonces, bindLost: byId },
      'src/treasury/outgoing-queries.ts': {
        selectOpen: nonces,
        insertAttempts: byId,
        writeProgress: byId,
        writeCancel: byId,
        writeTaken: nonces,
        writeEnds: byId,
      },
      'src/treasury/payout-queries.ts': { selectPlaces: nonces },
      'src/treasury/rescue-queries.ts': { selectTx: byId },
    },
  },
  {
    table: 'coin_move',
    purpose: 'booked_as',
    all: {
      'src/audit/rails/crypto-coins-queries.ts': {
        selectMoveRows: 'each movement is inspected',
        selectCoinsAmong: byId,
        selectPlaceRows: 'what two people decided about has a row in unrecorded',
      },
      'src/coins/departed-queries.ts': { moves: 'its callers name the purpose', deductDeparted: byId },
      'src/coins/queries.ts': {
        deleteMoves: 'what left the chain is gone for every purpose',
        finalizeMoves: 'a block is final for every purpose',
      },
      'src/treasury/coin-movements-queries.ts': { meetRefills: byId },
      'src/treasury/outgoing-queries.ts': { selectMovedIn: byId },
      'src/treasury/compare-queries.ts': { selectRecordedPlaces: 'a payout is known by its transaction' },
    },
  },
]

export const sharedTableRules: readonly Rule[] = sharedTables.map((shared) => ({
  name: `a query over ${shared.table} names its ${shared.purpose}, or is listed as one of every purpose`,
  check: (tree) => check(tree, shared),
}))

function check(tree: Tree, shared: Shared): Report {
  const files = codeFiles(tree).filter(({ path }) => path.startsWith('src/') && !isTest(path))
  return {
    checked: files.length,
    what: 'files',
    findings: files.flatMap((file) => findingsIn(file, shared)),
  }
}

function findingsIn({ path, text }: SourceFile, { table, purpose, all }: Shared): readonly string[] {
  const uses = new RegExp(String.raw`\b(?:from|join|update|using)\s+${table}\b`, 'g')
  const names = new RegExp(String.raw`\b${purpose}\b`)
  const listed = all[path] ?? {}
  const nameless = [...text.matchAll(uses)].filter(({ index }) => !names.test(scopeAt(text, index)))
  const found = nameless.flatMap(({ index }) => {
    const by = functionAt(text.slice(0, index))
    return listed[by] === undefined
      ? [`${path}:${lineAt(text, index)} ${by} reads ${table} without ${purpose}: name it, or list why not`]
      : []
  })
  const used = new Set(nameless.map(({ index }) => functionAt(text.slice(0, index))))
  const stale = Object.keys(listed).filter((name) => !used.has(name))
  return [...found, ...stale.map((name) => `${path} ${name} is listed for ${table} and needs no exception`)]
}

/** The statement, or the part of it in parentheses, that is around an index. */
function scopeAt(text: string, at: number): string {
  return text.slice(edge(text, at, -1), edge(text, at, 1))
}

function edge(text: string, at: number, step: -1 | 1): number {
  const [opens, closes] = step === 1 ? ['(', ')'] : [')', '(']
  let depth = 0
  let index = at
  for (; index >= 0 && index < text.length && text[index] !== '`'; index += step) {
    if (text[index] === opens) depth += 1
    else if (text[index] === closes && depth-- === 0) break
  }
  return index
}

/** The function that is declared last before an index. */
function functionAt(before: string): string {
  return (
    [
      ...before.matchAll(
        /^(?:export )?(?:async )?function\s+([\w$]+)|^(?:export )?const\s+([\w$]+)\s*=\s*\(/gm,
      ),
    ]
      .at(-1)
      ?.slice(1)
      .find(Boolean) ?? '?'
  )
}
