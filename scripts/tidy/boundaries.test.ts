import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundaries } from './boundaries.ts'
import { faultsIn } from './plant.ts'

/** The faults of one file with this text; an import elsewhere keeps the check from being empty. */
const faultsOf = (path: string, text: string) =>
  faultsIn(boundaries, { [path]: text, 'src/db/client.ts': "import '#/kernel/check.ts'\n" })

test('a rail that imports the ledger is found, in whatever form it is written', () => {
  for (const text of [
    "import { post } from '#/ledger/post.ts'",
    "import { post } from '../../ledger/post.ts'",
    "import type { Posting } from '#/ledger/post.ts'",
    "import {\n  type Posting, // a comment with a 'quote'\n  post,\n} from '#/ledger/post.ts'",
    "import * as ledger from '#/ledger/post.ts'",
    "import '#/ledger/post.ts'",
    "export { post } from '#/ledger/post.ts'",
    "export * from '#/ledger/post.ts'",
    "export type * as ledger from '#/ledger/post.ts'",
    "const { post } = await import('#/ledger/post.ts')",
    "type Posting = import('#/ledger/post.ts').Posting",
    "const worker = new Worker(new URL('../../ledger/post.ts', import.meta.url))",
    "const path = import.meta.resolve('#/ledger/post.ts')",
  ]) {
    const faults = faultsOf('src/rails/pix/rail.ts', `const before = 1\n${text}\n`)
    assert.equal(faults.length, 1, text)
    assert.match(
      faults[0] ?? '',
      /^src\/rails\/pix\/rail\.ts:\d imports .*ledger\/post\.ts: src\/rails\/pix may import only/,
    )
  }
})

test('an import whose target is known only at run time is refused', () => {
  assert.equal(faultsOf('src/payments/create.ts', 'await import(`#/${name}.ts`)').length, 1)
  assert.equal(faultsOf('src/payments/create.ts', 'await import(name)').length, 1)
})

test('every arrow that the table forbids is found', () => {
  for (const [path, target] of [
    ['src/kernel/money.ts', 'db/client.ts'],
    ['src/contract/payments.ts', 'payments/payment.ts'],
    ['src/contract/payments.ts', 'db/client.ts'],
    ['src/kernel/money.ts', 'contract/words.ts'],
    ['src/contract/words.ts', 'rails/pix/module.ts'],
    ['src/rails/methods.ts', 'rails/pix/module.ts'],
    ['src/rails/pix/method.ts', 'rails/pix/client.ts'],
    ['src/rails/pix/method.ts', 'contract/words.ts'],
    ['src/rails/acquirer/methods/ideal.ts', 'rails/acquirer/wire.ts'],
    ['src/db/lane.ts', 'ledger/post.ts'],
    ['src/ledger/post.ts', 'payments/payment.ts'],
    ['src/webhooks/deliver.ts', 'merchants/merchant.ts'],
    ['src/rails/rail.ts', 'db/lane.ts'],
    ['src/rails/http.ts', 'db/client.ts'],
    ['src/rails/pix/client.ts', 'db/client.ts'],
    ['src/rails/pix/client.ts', 'rails/acquirer/wire.ts'],
    ['src/rails/pix/client.ts', 'rails/all.ts'],
    ['src/rails/all.ts', 'rails/crypto/rail.ts'],
    ['src/rails/kit/settings.ts', 'rails/pix/settings.ts'],
    ['src/payments/create.ts', 'rails/registry.ts'],
    ['src/http/server.ts', 'rails/registry.ts'],
    ['src/rails/crypto/rail.ts', 'signer/keys.ts'],
    ['src/rails/crypto/rail.ts', 'signer/client.ts'],
    ['src/rails/crypto/watch.ts', 'treasury/sweep-queries.ts'],
    ['src/rails/pix/client.ts', 'evm/address.ts'],
    ['src/evm/client.ts', 'db/client.ts'],
    ['src/audit/settlement/payment.ts', 'ledger/recipes.ts'],
    ['src/audit/settlement/payment.ts', 'settlement/settle.ts'],
    ['src/audit/wallets.ts', 'wallets/tally-queries.ts'],
    ['src/audit/withdrawals.ts', 'money-out/limits.ts'],
    ['src/explain/explain.ts', 'settlement/credit.ts'],
    ['src/explain/ledger-cause.ts', 'ledger/recipes.ts'],
    ['src/explain/ledger-cause.ts', 'ledger/apply.ts'],
    ['src/explain/sources.ts', 'withdrawals/decide.ts'],
    ['src/settlement/settle.ts', 'audit/settlement/payment.ts'],
    ['src/coins/queries.ts', 'treasury/outgoing.ts'],
    ['src/treasury/payout.ts', 'rails/crypto/queries.ts'],
    ['src/treasury/payout.ts', 'settlement/settle.ts'],
    ['src/rails/crypto/rail.ts', 'settlement/settle.ts'],
    ['src/payments/create.ts', 'evm/address.ts'],
    ['src/payments/create.ts', 'webhooks/deliver.ts'],
    ['src/payments/create.ts', 'wallets/wallet.ts'],
    ['src/settlement/settle.ts', 'webhooks/deliver.ts'],
    ['src/settlement/settle.ts', 'rails/crypto/rail.ts'],
    ['src/settlement/settle.ts', 'http/server.ts'],
    ['src/http/server.ts', 'checkout/page.ts'],
    ['src/http/server.ts', 'signer/keys.ts'],
    ['src/dashboard/page.ts', 'app/core.ts'],
    ['src/dashboard/page.ts', 'audit/verify.ts'],
    ['src/checkout/page.ts', 'http/server.ts'],
    ['src/http/server.ts', 'dashboard/server.ts'],
    ['src/sandbox/inbox.ts', 'settlement/settle.ts'],
    ['src/payments/create.ts', 'config.ts'],
    ['src/http/server.ts', 'config.ts'],
    ['src/http/server.ts', 'app/core.ts'],
    ['src/signer/serve.ts', 'db/client.ts'],
    ['src/cli/start.ts', 'http/server.ts'],
    ['src/main.ts', 'http/server.ts'],
    ['src/config.ts', 'db/client.ts'],
    ['src/app/core.ts', 'main.ts'],
    // The treasury has functions for queries of its tables.
    ['src/cli/coins.ts', 'treasury/refill-queries.ts'],
    ['src/cli/coins.ts', 'treasury/queries.ts'],
    ['src/app/core.ts', 'treasury/payout-queries.ts'],
    ['src/app/work.ts', 'treasury/hot-wallet-queries.ts'],
    ['src/sandbox/chain.ts', 'treasury/sweep-queries.ts'],
  ]) {
    assert.equal(faultsOf(path ?? '', `import { x } from '#/${target}'`).length, 1, `${path} → ${target}`)
  }
})

test('every arrow that the table allows passes', () => {
  for (const [path, target] of [
    ['src/ledger/post.ts', 'db/lane.ts'],
    ['src/ledger/post.ts', 'ledger/apply.ts'],
    ['src/sealing/seal.ts', 'ledger/kind.ts'],
    ['src/rails/rail.ts', 'db/client.ts'],
    ['src/contract/words.ts', 'rails/methods.ts'],
    ['src/rails/methods.ts', 'rails/pix/method.ts'],
    ['src/rails/registry.ts', 'rails/crypto/module.ts'],
    ['src/rails/pix/settings.ts', 'rails/kit/settings.ts'],
    ['src/app/core.ts', 'rails/registry.ts'],
    ['src/cli/verify.ts', 'rails/registry.ts'],
    ['src/rails/pix/client.ts', 'rails/http.ts'],
    ['src/rails/crypto/watch.ts', 'db/client.ts'],
    ['src/treasury/payout.ts', 'signer/client.ts'],
    ['src/treasury/payout.ts', 'rails/payout-rail.ts'],
    ['src/rails/crypto/watch.ts', 'evm/read.ts'],
    ['src/coins/queries.ts', 'evm/address.ts'],
    ['src/audit/wallets.ts', 'wallets/own-transfer.ts'],
    ['src/audit/rails/pix.ts', 'rails/pix/wire.ts'],
    ['src/cli/verify.ts', 'audit/ledger.ts'],
    ['src/cli/coins.ts', 'treasury/refill.ts'],
    ['src/treasury/refill.ts', 'treasury/refill-queries.ts'],
    ['src/app/core.ts', 'withdrawals/queries.ts'],
    ['src/payments/create.ts', 'webhooks/announce.ts'],
    ['src/settlement/settle.ts', 'payments/payment.ts'],
    ['src/http/payments.ts', 'sandbox/inbox.ts'],
    ['src/http/payments.ts', 'settlement/settle.ts'],
    ['src/sandbox/provision.ts', 'evm/address.ts'],
    ['src/app/server.ts', 'http/server.ts'],
    ['src/main.ts', 'cli/start.ts'],
    ['src/cli/start.ts', 'config.ts'],
    ['src/cli/start.ts', 'app/core.ts'],
    ['src/db/lane.test.ts', 'ledger/post.ts'],
  ]) {
    assert.deepEqual(faultsOf(path ?? '', `import { x } from '#/${target}'`), [], `${path} → ${target}`)
  }
})

test('simulators and src share no code', () => {
  assert.equal(faultsOf('simulators/chain/server.ts', "import { x } from '../../src/kernel/id.ts'").length, 1)
  assert.equal(faultsOf('simulators/chain/server.test.ts', "import { x } from '#/kernel/id.ts'").length, 1)
  assert.equal(faultsOf('src/app/core.ts', "import { x } from '../../simulators/chain/server.ts'").length, 1)
})

test('src imports neither its tests’ tools nor its scripts', () => {
  assert.equal(faultsOf('src/payments/create.ts', "import { x } from '../../../test/postgres.ts'").length, 1)
  assert.equal(faultsOf('src/app/core.ts', "import { x } from '../../scripts/check.ts'").length, 1)
})

test('a folder that the table does not know is found', () => {
  assert.match(faultsOf('src/misc/thing.ts', 'export const x = 1').join(), /no row/)
})

test('texts that only look like imports are none', () => {
  const text = [
    "// import { post } from '#/ledger/post.ts'",
    'const text = "import { post } from \'#/ledger/post.ts\'"',
    "const sql = `select x from '#/ledger/post.ts'`",
    "const list = Array.from('#/ledger/post.ts')",
    "import { createHash } from 'node:crypto'",
  ].join('\n')
  assert.deepEqual(faultsOf('src/rails/pix/rail.ts', text), [])
})

test('a tree without an import has not passed', () => {
  assert.match(faultsIn(boundaries, { 'README.md': 'nothing' }).join(), /nothing to check/)
})
