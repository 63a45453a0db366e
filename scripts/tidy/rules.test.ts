import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bannedRules, bans, leftovers, strayStatements } from './banned.ts'
import { circles } from './circles.ts'
import { claims, dueTimes, limits } from './clocks.ts'
import { documented } from './documented.ts'
import { decisions, lengths, machinePaths, names } from './layout.ts'
import { links } from './links.ts'
import { methodNames } from './method-names.ts'
import { differences, hashesPath, migrations } from './migrations.ts'
import { faultsIn } from './plant.ts'
import { rules } from './rules.ts'

const plain = 'export const x = 1\n'

/** For each ban, what is found, where, and what is not. */
const examples: Readonly<
  Record<string, { found: readonly [string, string][]; fine: readonly [string, string][] }>
> = {
  'process.env': {
    found: [
      ['src/app.ts', 'process.env.PORT'],
      ['src/app.ts', "process['env']"],
      ['src/app.ts', 'const { env } = process'],
    ],
    fine: [
      ['src/config.ts', 'process.env.PORT'],
      ['src/app.test.ts', 'process.env.PORT'],
      ['src/app.ts', '// process.env'],
    ],
  },
  'the time of the machine': {
    found: [
      ['src/app.ts', 'Date.now()'],
      ['src/app.ts', 'new Date()'],
      ['src/app.ts', 'performance.now()'],
    ],
    fine: [
      ['src/kernel/time.ts', 'new Date()'],
      ['src/app.ts', 'new Date(row.at)'],
      ['src/app.ts', 'const at: Date = f()'],
    ],
  },
  'Math.random': { found: [['src/app.ts', 'Math.random()']], fine: [['src/app.ts', "'Math.random()'"]] },
  'a float near money': {
    found: [
      ['src/ledger/post.ts', 'Number(minor)'],
      ['src/settlement/settle.ts', 'parseFloat(text)'],
      ['src/wallets/wallet.ts', 'x.toFixed(2)'],
      ['src/kernel/money.ts', 'function toDecimal() {\n  return Number(minor)\n}'],
      ['src/http/payments.ts', 'Number(verdict.roomMinor)'],
      ['src/http/query.ts', 'function readSpan() {\n  return Number(text)\n}'],
    ],
    fine: [
      ['src/kernel/money.ts', 'function toJsonInteger() {\n  return Number(minor)\n}'],
      ['src/http/query.ts', 'function asInteger() {\n  return Number(value)\n}'],
      ['src/http/json-body.ts', 'function numberOf() {\n  return Number(source)\n}'],
      ['src/checkout/language.ts', 'Number(weight)'],
      ['src/ledger/post.ts', 'Number.MAX_SAFE_INTEGER'],
    ],
  },
  'an amount of JSON read by hand': {
    found: [
      ['src/http/sandbox.ts', 'BigInt(amount)'],
      ['src/payments/create.ts', 'BigInt(request.amount)'],
      ['src/refunds/choose-piece.ts', 'BigInt(item.request?.amount)'],
    ],
    fine: [
      ['src/kernel/money.ts', 'function amountFromJson() {\n  return BigInt(amount)\n}'],
      ['src/checkout/panel.ts', 'BigInt(deposit.amount)'],
      ['src/http/events.ts', 'BigInt(after)'],
    ],
  },
  fetch: {
    found: [
      ['src/payments/create.ts', 'await fetch(url)'],
      ['src/app.ts', 'globalThis.fetch(url)'],
    ],
    fine: [
      ['src/rails/http.ts', 'fetch(url)'],
      ['src/webhooks/deliver.ts', 'fetch(url)'],
      ['src/app.ts', 'cache.fetch(key)'],
    ],
  },
  'SQL outside queries.ts': {
    found: [
      ['src/payments/create.ts', 'await sql`select 1`'],
      ['src/payments/create.ts', 'await tx<{ id: string }[]>`select 1`'],
      ['src/payments/create.ts', 'await tx.unsafe(text)'],
    ],
    fine: [
      ['src/payments/queries.ts', 'await sql`select 1`'],
      ['src/db/lane.ts', 'sql`select 1`'],
      ['src/app.test.ts', 'sql`select 1`'],
    ],
  },
  'export default': {
    found: [
      ['src/app.ts', 'export default 1'],
      ['src/app.ts', 'export { x as default }'],
    ],
    fine: [],
  },
  'enum or namespace': {
    found: [
      ['src/app.ts', 'enum A { B }'],
      ['src/app.ts', 'declare namespace A {}'],
    ],
    fine: [['src/app.ts', 'a.enum']],
  },
  'a class that is no error': {
    found: [
      ['src/app.ts', 'class A {}'],
      ['src/app.ts', 'export class A extends B {}'],
    ],
    fine: [
      ['src/app.ts', 'class A extends Error {}'],
      ['src/app.ts', 'class B extends AppError {}'],
    ],
  },
  'BigInt.prototype': { found: [['src/app.ts', 'BigInt.prototype.toJSON = f']], fine: [] },
  console: {
    found: [
      ['src/app.ts', 'console.log(1)'],
      ['simulators/chain/main.ts', 'console.error(1)'],
    ],
    fine: [
      ['src/main.ts', 'console.log(1)'],
      ['src/cli/start.ts', 'console.log(1)'],
      ['scripts/check.ts', 'console.log(1)'],
    ],
  },
  'a forced type': {
    found: [
      ['src/app.ts', 'x as any'],
      ['src/app.ts', 'x as unknown as Y'],
      ['src/app.test.ts', 'x as object as Y'],
      ['src/app.test.ts', 'f(x as never)'],
    ],
    fine: [['src/app.ts', "(x as unknown, 'was never')"]],
  },
  'a conditional spread': {
    found: [
      ['src/app.ts', '...(a === undefined ? {} : { a })'],
      ['src/app.ts', '...(a === undefined ? {} : { b: a })'],
    ],
    fine: [['src/app.ts', '...(a === undefined ? {} : { a: f(a) })']],
  },
  'a test left out': {
    found: [
      ['src/app.test.ts', 'test.skip(f)'],
      ['src/app.test.ts', 'it.only(f)'],
    ],
    fine: [],
  },
  'an end of a test that may not be reached': {
    found: [
      ['src/app.test.ts', 'after(async () => {\n  assert.ok(1)\n  await world[Symbol.asyncDispose]()\n})'],
      ['src/app.test.ts', 'after(async () => {\n  await line.verify()\n  await sql.end()\n})'],
      ['test/world.ts', 't.after(() => {\n  must(x)\n  rmSync(folder)\n})'],
    ],
    fine: [
      ['src/app.test.ts', 'after(async () => {\n  await using _ = world\n  assert.ok(1)\n})'],
      ['src/app.test.ts', 'after(async () => {\n  await sql.end()\n  assert.ok(1)\n})'],
      ['src/app.test.ts', 'after(() => {\n  assert.ok(1)\n})\ntest(f, () => {\n  x.close()\n})'],
    ],
  },
  'a silenced tool': {
    found: [
      ['src/app.ts', `// @ts-ignore`],
      ['src/app.ts', `/* oxlint-disable */`],
      ['src/app.ts', `// eslint-disable-next-line`],
    ],
    fine: [['src/app.ts', `const x = '@ts-ignore'`]],
  },
  'work left undone': {
    found: [
      ['src/app.ts', `// TODO: later`],
      ['src/app.ts', `/* FIXME */`],
    ],
    fine: [['src/app.ts', `mkdtemp('XXX')`]],
  },
}

test('every banned construct is found where it is banned, and only there', () => {
  assert.deepEqual(Object.keys(examples).sort(), bans.map(({ name }) => name).sort())
  for (const [name, { found, fine }] of Object.entries(examples)) {
    const rule = bannedRules.find((each) => each.name === `banned: ${name}`)
    assert.ok(rule)
    for (const [path, text] of found) {
      const faults = faultsIn(rule, { 'src/other.ts': plain, [path]: `${plain}${text}\n` })
      assert.equal(faults.length, 1, `${name}: ${path}: ${text}: ${faults.join()}`)
      assert.match(faults[0] ?? '', /^\S+:[23] has .*: use ./)
    }
    for (const [path, text] of fine) {
      const files = { 'src/other.ts': plain, 'src/ledger/other.ts': plain, [path]: `${plain}${text}\n` }
      assert.deepEqual(faultsIn(rule, files), [], `${name}: ${path}: ${text}`)
    }
  }
})

test('a statement behind a tag of any name is found', () => {
  assert.equal(faultsIn(strayStatements, { 'src/app.ts': 'const x = await connection`select 1`' }).length, 1)
  assert.equal(
    faultsIn(strayStatements, { 'src/app.ts': 'const x = f<Row>`\n  with a as (select 1)`' }).length,
    1,
  )
  assert.deepEqual(faultsIn(strayStatements, { 'src/app.ts': 'const x = `select a wallet`' }), [])
})

test('work left undone in SQL is found', () => {
  assert.equal(faultsIn(leftovers, { 'migrations/0001_a.sql': `-- TODO\n` }).length, 1)
})

test('vague names, wrong case and long files are found', () => {
  assert.equal(faultsIn(names, { 'src/payments/service.ts': plain }).length, 1)
  assert.equal(faultsIn(names, { 'src/utils/money.ts': plain }).length, 1)
  assert.equal(faultsIn(names, { 'src/payments/index.ts': plain }).length, 1)
  assert.equal(faultsIn(names, { 'src/payments/createPayment.ts': plain }).length, 1)
  assert.deepEqual(
    faultsIn(names, { 'src/payments/create.soak.test.ts': plain, 'src/partner-pay/rail.ts': plain }),
    [],
  )
  assert.equal(faultsIn(lengths, { 'src/a.ts': 'x\n'.repeat(401) }).length, 1)
  assert.deepEqual(faultsIn(lengths, { 'src/a.ts': 'x\n'.repeat(400) }), [])
  assert.equal(faultsIn(lengths, { 'ARCHITECTURE.md': 'x\n'.repeat(201) }).length, 1)
})

test('a path of this machine is found', () => {
  assert.equal(faultsIn(machinePaths, { 'docs/a.md': 'see /root/notes' }).length, 1)
  assert.equal(faultsIn(machinePaths, { 'src/a.ts': "const x = '/tmp/x'" }).length, 1)
})

test('a method that is named outside of its own file is found', () => {
  const found = [
    ['src/checkout/state.ts', "const isOpen = method === 'CRYPTO'"],
    ['src/checkout/receipt.ts', "if ('PIX' !== method) return"],
    ['src/checkout/marks.ts', "switch (method) {\n  case 'PARTNER_PAY':\n    return 1\n}"],
    ['src/checkout/page-request.ts', "rails.get('PARTNER_PAY')?.brand"],
    ['src/checkout/step.ts', "const elsewhere = ['PIX', 'CRYPTO']"],
    ['web/checkout/view.tsx', "live(state.panel?.method !== 'CREDIT_CARD')"],
    ['src/sandbox/pay.ts', 'const payers = {\n  PIX: payByPix,\n}'],
    ['src/http/sandbox.ts', "scenarioByMethod([['CRYPTO', cryptoScenarios]])"],
  ] as const
  const fine = [
    ['src/checkout/methods/crypto.ts', "method === 'CRYPTO'"],
    ['web/checkout/panels/pix.tsx', "method === 'PIX'"],
    ['src/sandbox/methods/all.ts', 'const all = {\n  PIX: {},\n}'],
    ['src/checkout/state.test.ts', "assert.ok(panel?.method === 'CRYPTO')"],
    ['src/payments/create.ts', "method === 'CRYPTO'"],
    ['src/checkout/state.ts', '// where method === \'CRYPTO\' stood\nconst text = `["PIX"],`'],
    ['src/sandbox/demo.ts', "create(story, inBrl, 'PIX')"],
  ] as const
  for (const [path, text] of found)
    assert.equal(faultsIn(methodNames, { [path]: text }).length, 1, `${path}: ${text}`)
  for (const [path, text] of fine)
    assert.deepEqual(
      faultsIn(methodNames, { 'src/checkout/a.ts': plain, [path]: text }),
      [],
      `${path}: ${text}`,
    )
})

test('a decision without a heading, and a gap in their numbers, are found', () => {
  const page = '# One\n\n## Context\n\n## Decision\n\n## Consequences\n'
  assert.deepEqual(faultsIn(decisions, { 'decisions/0001-one.md': page }), [])
  assert.equal(faultsIn(decisions, { 'decisions/0001-one.md': page.replace('Context', 'Story') }).length, 1)
  assert.equal(
    faultsIn(decisions, { 'decisions/0001-one.md': page, 'decisions/0003-three.md': page }).length,
    1,
  )
})

test('a broken link, anchor or path is found', () => {
  const page = (text: string) => ({ 'docs/a.md': `# A page\n\n${text}\n`, 'src/app.ts': plain })
  for (const text of [
    '[b](b.md)',
    '[b](../src/none.ts)',
    '[b](#elsewhere)',
    'see `src/none.ts`',
    '[b]: ./none.md',
  ]) {
    assert.equal(faultsIn(links, page(text)).length, 1, text)
  }
  for (const text of [
    '[b](../src/app.ts)',
    '[b](#a-page)',
    '[b](/docs/)',
    'see `src/app.ts`',
    '`[b](none.md)` [c](a.md)',
  ]) {
    assert.deepEqual(faultsIn(links, page(text)), [], text)
  }
})

test('an edited, missing or unrecorded migration is found', () => {
  // As sha256sum prints it for this text.
  const hash = '8903abffd68710879da59014708c6187f8e839fadc2bdf94ae73a036aa591623'
  const files = (recorded: object) => ({
    'migrations/0001_a.sql': 'select 1\n',
    [hashesPath]: JSON.stringify(recorded),
  })
  assert.deepEqual(faultsIn(migrations, files({ '0001_a.sql': hash })), [])
  assert.match(
    faultsIn(migrations, files({ '0001_a.sql': `0${hash.slice(1)}` })).join(),
    /0001_a\.sql was changed/,
  )
  assert.match(faultsIn(migrations, files({})).join(), /0001_a\.sql is not recorded/)
  assert.deepEqual(differences({ a: '1', b: '2' }, { a: '1', c: '3' }), ['b is gone'])
})

test('a name without an explanation, and an explanation without a name, are found', () => {
  const source = 'export const problems = {\n  not_found: { status: 404 },\n} as const\n'
  const rule = documented[0]
  assert.ok(rule)
  const faults = (page: string) => faultsIn(rule, { 'src/kernel/error.ts': source, 'docs/errors.md': page })
  assert.deepEqual(faults('## `not_found`\n'), [])
  assert.deepEqual(faults('nothing\n'), ['`not_found` is not explained in docs'])
  assert.deepEqual(faults('| `not_found` | 404 |\n| `gone` | 410 |\n'), [
    'docs/errors.md explains `gone`, which does not exist',
  ])
})

test('no rule passes on an empty tree', () => {
  for (const rule of rules)
    assert.match(faultsIn(rule, { 'picture.png': '' }).join(), /nothing to check/, rule.name)
})

test('a loop of imports is found, of types and of what is loaded later too', () => {
  const loop = (back: string) =>
    faultsIn(circles, { 'src/a.ts': "import { b } from './kit/b.ts'", 'src/kit/b.ts': back })
  const found = ['src/a.ts imports src/kit/b.ts imports src/a.ts: move what both need']
  assert.deepEqual(loop("const a = () => import('../a.ts')"), found)
  assert.deepEqual(loop("import type { A } from '#/a.ts'"), found)
  assert.deepEqual(loop("import { a } from '../other.ts'"), [])
})

test('what is due is dated and compared by the one clock', () => {
  const found = (statement: string) =>
    faultsIn(dueTimes, { 'src/refunds/queries.ts': `sql\`${statement}\`\n` }).length
  for (const other of [
    'select from x where due_at <= ${at}',
    'update x set due_at = clock_timestamp()',
    'update x set lease_until = ${until}',
    'select from payment where expires_at < ${now}',
    'insert into x (id, due_at) values (${id}, ${at})',
    "insert into x ${valuesOf(tx, rows, { due_at: 'timestamptz' })}",
  ])
    assert.equal(found(other), 1, other)
  for (const fine of [
    'select from x where due_at <= ${dueNow(sql)}',
    'update x set due_at = ${dueIn(sql, waitMs)}',
    'select from payment where expires_at <= ${dueIn(sql, -silenceMs)}',
    'insert into x (id, due_at) select id, ${dueNow(tx)} from y',
    'update payment set expires_at = new.expires_at',
  ])
    assert.equal(found(fine), 0, fine)
})

test('a claim of rows beside the runner is found', () => {
  const found = (path: string, statement: string) =>
    faultsIn(claims, { 'src/other.ts': plain, [path]: `sql\`${statement}\`\n` })
  const statement = 'select from x order by due_at for update skip locked'
  assert.match(found('src/refunds/queries.ts', statement).join(), /^src\/refunds\/queries\.ts:1 passes over/)
  assert.equal(found('src/db/migrator.ts', 'select from x for update of x\n  SKIP  LOCKED').length, 1)
  assert.equal(found('src/jobs/worker.ts', statement).length, 1)
  for (const path of [
    'src/jobs/due-queries.ts',
    'src/webhooks/due/queries.ts',
    'src/refunds/due.test.ts',
    'test/law.ts',
  ])
    assert.deepEqual(found(path, statement), [], path)
  assert.deepEqual(found('src/refunds/queries.ts', 'select from x for update'), [])
})

test('a transaction without limits is found', () => {
  const found = (text: string) => faultsIn(limits, { 'src/refunds/queries.ts': text }).length
  assert.equal(found('const sql = postgres(url)\n'), 1)
  assert.equal(found('await sql.unsafe(`begin; select 1`)\n'), 1)
  assert.equal(found('connect(url, { transactionSeconds: 0 })\n'), 1)
  assert.equal(found('await sql.begin((tx) => tx`select 1`)\n'), 0)
})
