// A handle of the database that runs EXPLAIN ANALYZE for every statement before the statement: how many rows it examined, and how many it
// returned or changed. So the test measures the real functions with the plans that PostgreSQL makes of their statements.
import type { Sql, Tx } from '#/db/client.ts'
import { splitStatements } from '#/db/sql-statements.ts'
import { answeredBy } from '#/db/statement.ts'

export type Explained = {
  /** Its text, with its parameters as numbers. */
  readonly text: string
  /** Rows that scans found, and those that a filter removed again. */
  readonly examined: number
  /** Rows that it returned, or changed. */
  readonly returned: number
  /** The scans that examined the most rows. */
  readonly scans: readonly string[]
}

type Node = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly Node[]
}

/**
 * A `tx` for functions of queries, in a transaction that is rolled back in the end. Each statement is explained first, which changes rows;
 * these changes are undone, and then the statement is run, because the function needs its result.
 */
export function explaining(tx: Tx, explained: Explained[]): Sql {
  let last: Promise<unknown> = Promise.resolve()
  /** One after the other: each statement needs the savepoint for itself. */
  const inTurn = (work: () => Promise<void>) => (last = last.then(work, work))

  const explain = async (run: () => Promise<readonly unknown[]>, text: string) => {
    await tx.unsafe('savepoint explained')
    const [row] = (await run()) as readonly { 'QUERY PLAN': readonly { Plan: Node }[] }[]
    await tx.unsafe('rollback to savepoint explained')
    const plan = row?.['QUERY PLAN'][0]?.Plan
    if (plan !== undefined) explained.push(judge(numbered(plan), text))
  }

  const tagged = (strings: TemplateStringsArray, ...args: readonly never[]): unknown => {
    return answeredBy(tx(strings, ...args) as unknown, async (send) => {
      const answer: { result?: unknown } = {}
      await inTurn(async () => {
        const again = tx(strings, ...args)
        await explain(() => tx`explain (analyze, timing off, format json) ${again}`, strings.join('$'))
        answer.result = await new Promise(send)
      })
      return answer.result
    })
  }

  /** Several statements in one text: settings of a transaction, mostly. */
  const unsafe = async (text: string): Promise<unknown> => {
    const results: unknown[] = []
    await inTurn(async () => {
      for (const { text: each } of splitStatements(text)) {
        if (/^(?:select|with|update|delete|insert)\b/i.test(each)) {
          await explain(() => tx.unsafe(`explain (analyze, timing off, format json) ${each}`), each)
        }
        results.push(await tx.unsafe(each))
      }
    })
    return results.length === 1 ? results[0] : results
  }

  return new Proxy(tx, {
    apply: (target, self, args): unknown =>
      Array.isArray(args[0]) && 'raw' in args[0]
        ? Reflect.apply(tagged, undefined, args)
        : Reflect.apply(target, self, args),
    get(target, name, self): unknown {
      if (name === 'unsafe') return unsafe
      // Functions that start a transaction of their own run in this one.
      if (name === 'begin') {
        return (first: unknown, second?: unknown) => ((second ?? first) as (handle: unknown) => unknown)(self)
      }
      return Reflect.get(target, name)
    },
  }) as Sql
}

function judge(plan: Node, text: string): Explained {
  const scans = [...scansOf(plan)].sort((a, b) => b.rows - a.rows)
  return {
    text: text.replaceAll(/\s+/g, ' ').trim(),
    examined: scans.reduce((sum, { rows }) => sum + rows, 0),
    returned: Math.max(answered(plan), ...changes(plan)),
    scans: scans.slice(0, 3).map(({ name, rows }) => `${name}: ${rows}`),
  }
}

/** With plain numbers: those of a plan have decimals ("2.00"), which our connections keep as they are written. */
const numbered = (plan: Node) => JSON.parse(JSON.stringify(plan)) as Node

const answered = (node: Node) => node['Actual Rows'] * node['Actual Loops']

/** Rows that each part of the statement changed. */
function changes(node: Node): readonly number[] {
  const inner = node.Plans ?? []
  const changed = node['Node Type'] === 'ModifyTable' ? inner.slice(0, 1).map(answered) : []
  return [...changed, ...inner.flatMap(changes)]
}

function* scansOf(node: Node): Generator<{ readonly name: string; readonly rows: number }> {
  const type = node['Node Type']
  // The heap's part of a bitmap scan counts; of the index's parts only those that are and-ed or or-ed together.
  const isScan = type.endsWith('Scan') && node['Relation Name'] !== undefined
  if (isScan) {
    const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
    const rows = Math.round((node['Actual Rows'] + removed) * node['Actual Loops'])
    yield { name: `${type} ${node['Index Name'] ?? ''} of ${node['Relation Name']}`.replace('  ', ' '), rows }
  }
  for (const inner of node.Plans ?? []) {
    if (
      type.startsWith('Bitmap') &&
      type !== 'Bitmap Heap Scan' &&
      inner['Node Type'] === 'Bitmap Index Scan'
    ) {
      yield { name: `Bitmap Index Scan ${inner['Index Name']}`, rows: Math.round(answered(inner)) }
    }
    yield* scansOf(inner)
  }
}
