// Loaded into every test process of the quick run. Node's test runner tracks each promise and each resource by `createHook`, only
// to name the test that an error after its end belongs to; it has no switch for that, and it costs 6 to 10 % of a test process.
// Without it such an error fails the file all the same (`test-untracked.test.ts`), without the name of the test.
import asyncHooks from 'node:async_hooks'

asyncHooks.createHook = () => {
  const untracked = { enable: () => untracked, disable: () => untracked }
  return untracked
}
