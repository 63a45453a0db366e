// What folders must hold, planted in trees of a few files.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { railFolders, roomReadmes, testNames } from './layout.ts'
import { faultsIn } from './plant.ts'

const plain = 'export const x = 1\n'

test('a rail without one of its parts, or without its line in the registry, is found', () => {
  const registry = "import { pixModule } from './pix/module.ts'\n"
  const parts = {
    'src/rails/kit/probe.ts': plain,
    'src/rails/pix/module.ts': plain,
    'src/rails/pix/rail.ts': plain,
    'src/rails/registry.ts': registry,
  }
  assert.deepEqual(faultsIn(railFolders, parts), ['src/rails/pix has no README.md'])
  const whole = { ...parts, 'src/rails/pix/README.md': '# PIX\n' }
  assert.deepEqual(faultsIn(railFolders, whole), [])
  assert.deepEqual(faultsIn(railFolders, { ...whole, 'src/rails/registry.ts': plain }), [
    'src/rails/pix has no line in src/rails/registry.ts',
  ])
})

test('a room of eleven files without a README, and a file that a README names and nobody has, are found', () => {
  const files = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`src/room/sub/a${n}.ts`, plain]))
  const small = { 'src/small/a.ts': plain, 'src/small/README.md': 'See `a.ts`.\n' }
  assert.deepEqual(faultsIn(roomReadmes, { ...files, ...small }), ['src/room has 11 files and no README.md'])
  const pages = { ...small, 'src/room/README.md': '[`sub/a1.ts`](sub/a1.ts), then `b.ts`.\n' }
  assert.deepEqual(faultsIn(roomReadmes, { ...files, ...pages }), [
    'src/room/README.md names b.ts, which does not exist',
  ])
})

test('a test that is called after no file of its folder is found', () => {
  const files = {
    'src/ledger/post.ts': plain,
    'src/ledger/post.test.ts': plain,
    'src/ledger/post-currency.test.ts': plain,
    'src/wallets/tally.ts': plain,
    'src/ledger/tally.test.ts': plain,
    'src/ledger/postcard.test.ts': plain,
    'test/laws/anything.test.ts': plain,
  }
  assert.deepEqual(faultsIn(testNames, files), [
    'src/ledger/postcard.test.ts is called after no file of its folder',
    'src/ledger/tally.test.ts is called after no file of its folder',
  ])
})
