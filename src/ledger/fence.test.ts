// Which of two ends of the books is the newer one, and which end is refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#/kernel/error.ts'
import { sha256 } from '#/kernel/secret.ts'
import { createFence, faultOf, type Standing } from './fence.ts'

const known = end(2, 10n)

function end(epoch: number, batch: bigint, hash = 'the hash'): Standing {
  return { epoch, batch, hash: sha256(hash) }
}

/** Each end, whether it is newer than the known one, and what is wrong with it. */
const ends: readonly (readonly [Standing, isNewer: boolean, fault: RegExp | undefined])[] = [
  [end(1, 9n), false, /epoch 1, before/],
  [end(1, 11n), false, /epoch 1, before/],
  [end(2, 9n), false, /what came after is lost/],
  [end(2, 10n), false, undefined],
  [end(2, 10n, 'another hash'), false, /another batch 10/],
  [end(2, 11n, 'another hash'), true, undefined],
  [end(3, 1n, 'another hash'), true, undefined],
  [end(3, 10n, 'another hash'), true, undefined],
]

test('a fence remembers the newest end that it was told, and passes no older and no other one', () => {
  for (const [found, isNewer, fault] of ends) {
    const fence = createFence()
    let doubts = 0
    fence.onDoubt(() => void doubts++)
    assert.equal(fence.newest(), undefined)
    fence.pass(found)
    assert.equal(fence.newest(), undefined, 'what was only passed is not remembered')
    fence.note(known)
    if (fault === undefined) fence.pass(found)
    else
      assert.throws(
        () => fence.pass(found),
        (error) => error instanceof AppError && error.code === 'unavailable',
      )
    assert.equal(doubts, fault === undefined ? 0 : 1)
    assert.match(faultOf(known, found) ?? '', fault ?? /^$/)
    fence.note(found)
    assert.equal(fence.newest(), isNewer ? found : known)
  }
})
