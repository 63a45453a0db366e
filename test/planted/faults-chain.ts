// Faults of our own coins on chains, of the wallet that sends, of addresses, and of what payers are shown of money on its way.
import type { Fault } from './fault.ts'
import { planted } from './planted.ts'

const sandbox = 'src/treasury/hot-wallet-sandbox.test.ts'
const freeze = 'src/treasury/hot-wallet-freeze.test.ts'
const receipts = 'src/treasury/hot-wallet-receipts.test.ts'
const doors = 'test/laws/address-doors.test.ts'
const states = 'src/checkout/state.test.ts'
const sums = 'src/checkout/page-state-sums.test.ts'

export const chainFaults: readonly Fault[] = [
  ...planted('treasury', 'src/treasury/payout-queries.ts', sandbox, [
    {
      what: 'past refills are counted twice when a chain is rebuilt',
      find: "and wallet = place.address and purpose = 'PAYOUT' and state = 'FINAL'",
      put: "and wallet = place.address and state = 'FINAL'",
    },
  ]),
  ...planted('treasury', 'src/treasury/hot-wallet-sandbox.ts', sandbox, [
    {
      what: 'a wallet whose gas no check had recorded has none on a rebuilt chain',
      find: 'return wei < sandboxGas.enoughWei ? sandboxGas.fillWei : wei',
      put: 'return wei < 0n ? 0n : wei',
    },
  ]),
  ...planted('treasury', 'src/evm/mine.ts', sandbox, [
    {
      what: 'gas and coins of a rebuilt chain are not final when the wallets begin',
      find: "await rpc.call('anvil_mine', ['0x3'])",
      put: "await rpc.call('anvil_mine', ['0x0'])",
    },
  ]),
  ...planted('treasury', 'src/treasury/hot-wallet.ts', sandbox, [
    {
      what: 'a wallet sends to a node whose chain is not rebuilt yet',
      find: 'if (await deps.isLost?.()) return isBusy',
      put: 'if ((await deps.isLost?.()) === undefined && !isBusy) return isBusy',
    },
  ]),
  ...planted('treasury', 'src/treasury/hot-wallet-queue.ts', freeze, [
    {
      what: 'the gate is asked about queued payouts, and its answer is not heard',
      find: 'const leaving = page.filter(({ subject }) => allowed.has(subject))',
      put: 'const leaving = page.filter(({ subject }) => allowed.has(subject) || subject.length > 0)',
    },
    {
      what: 'payouts that the gate stops keep others out of the places',
      find: 'if (leaving.length === page.length || page.length < places || taken.length === places)',
      put: 'if (leaving.length <= page.length || page.length < places || taken.length === places)',
    },
  ]),
  ...planted('treasury', 'src/settlement/payout.ts', 'src/settlement/payout-still-leaving.test.ts', [
    {
      what: 'a queued withdrawal of a suspended account gets a nonce',
      find: 'return withdrawals.filter((each) => mayGo(allowed(each), each)).map(({ id }) => id)',
      put: 'return withdrawals.filter((each) => mayGo(allowed(each), each) || each.id !== undefined).map(({ id }) => id)',
    },
    {
      what: 'a queued withdrawal gets a nonce although a second person is asked for since',
      find: 'return verdict.ok && (!verdict.needsApproval || decidedBy !== undefined)',
      put: 'return verdict.ok && (decidedBy === undefined || decidedBy !== undefined)',
    },
  ]),
  ...planted('banks', 'src/rails/sepa/batch.ts', 'src/rails/sepa/payout.test.ts', [
    {
      what: 'a payout of a suspended account goes into a file of payments',
      find: 'leaving.push(...page.filter(({ payoutId }) => allowed.has(payoutId)))',
      put: "leaving.push(...page.filter(({ payoutId }) => allowed.has(payoutId) || payoutId !== ''))",
    },
  ]),
  ...planted('treasury', 'src/treasury/hot-wallet-send.ts', receipts, [
    {
      what: 'a node that answers "underpriced" is offered more in each pass',
      find: 'sent?.isCheap === true && view.head > sent.last',
      put: 'sent?.isCheap === true',
    },
  ]),
  ...planted('treasury', 'src/treasury/hot-wallet-follow.ts', receipts, [
    {
      what: 'a block that the node does not show proves a stranger',
      find: "if (found === undefined) return { by: 'unknown', reason:",
      put: "if (found === undefined) return number > 0n ? { by: 'foreign' } : { by: 'unknown', reason:",
    },
    {
      what: 'what the watcher saw of ours is not asked',
      find: 'await selectMovedIn(sql, used.chain, hashes)',
      put: 'await selectMovedIn(sql, used.chain, [])',
    },
  ]),
  ...planted('treasury', 'src/treasury/hot-wallet.ts', receipts, [
    {
      what: 'a wallet stays stopped although the receipt appeared',
      find: 'if (isOver) await queries.writeStopped(tx, keyOf(deps), null)',
      put: 'if (isOver && ends.length > 99) await queries.writeStopped(tx, keyOf(deps), null)',
    },
  ]),
  ...planted('treasury', 'src/evm/read.ts', 'src/evm/read.test.ts', [
    {
      what: 'a block near the head that is not served yet is a history that is too short',
      find: 'if (head.number - first < nearHead)',
      put: 'if (head.number - first < 0n)',
    },
  ]),
  ...planted('treasury', 'src/kernel/evm-address.ts', doors, [
    {
      what: 'mixed capitals are no checksum',
      find: 'return isPlain || text === toChecksum(address)',
      put: 'return isPlain || address === text.toLowerCase()',
    },
    {
      what: 'a precompiled contract has an owner',
      find: "if (BigInt(address) <= lastReserved) return 'RESERVED'",
      put: "if (BigInt(address) === 0n) return 'RESERVED'",
    },
  ]),
  ...planted('treasury', 'src/treasury/payout.ts', doors, [
    {
      what: 'a mistyped address is paid to',
      find: "const reading = readRecipient(text ?? '', {",
      put: "const reading = readRecipient((text ?? '').toLowerCase(), {",
    },
  ]),
  ...planted('treasury', 'src/operator/limits.ts', doors, [
    {
      what: 'a mistyped address is put on the list, with a valid checksum',
      find: 'const reading = known === undefined ? readAddress(text) : readRecipient(text, known)',
      put: 'const reading = known === undefined ? readAddress(text) : readRecipient(text.toLowerCase(), known)',
    },
  ]),
  ...planted('treasury', 'src/cli/bsc-settings.ts', doors, [
    {
      what: 'a mistyped treasury is set',
      find: 'const reading = readRecipient(text, {',
      put: 'const reading = readRecipient(text.toLowerCase(), {',
    },
  ]),
  ...planted('treasury', 'src/cli/bsc-settings.ts', 'src/cli/doctor.test.ts', [
    {
      what: 'a hot wallet is the deposit address of a payment',
      find: '.filter(({ address }) => deposits.includes(address))',
      put: ".filter(({ name, address }) => name === 'VINTEM_BSC_TREASURY' && deposits.includes(address))",
    },
  ]),
  ...planted('treasury', 'src/signer/shape.ts', doors, [
    {
      what: 'the signer takes a mistyped address',
      find: 'const reading = read(value)',
      put: 'const reading = read(value.toLowerCase())',
    },
  ]),
  ...planted('treasury', 'src/operator-jobs/kinds.ts', doors, [
    {
      what: 'a job takes a mistyped address',
      find: 'const reading = readAddress(text)',
      put: 'const reading = readAddress(text.toLowerCase())',
    },
  ]),
  ...planted('withdrawals', 'src/kernel/same-call.ts', 'test/contract/same-call.test.ts', [
    {
      what: 'a call repeated with the checksum of its address is another call',
      find: '  inChecksum,\n  spelling(',
      put: '  spelling(',
    },
    {
      what: 'a call with another address is the same call',
      find: 'return address === undefined ? request : { ...request, cryptoAddress: write(address) }',
      put: "return address === undefined ? request : { ...request, cryptoAddress: '' }",
    },
  ]),
  ...planted('watcher', 'src/checkout/step.ts', states, [
    {
      what: 'a canceled payment shows nothing of money on its way',
      find: "return arriving > kept ? 'confirming' : 'canceled'",
      put: "return 'canceled'",
    },
    {
      what: 'the page of a canceled payment is final while money is on its way',
      find: 'return payment.seenMinor === 0n && !mayCome(payment, payment.expiresAt, now)',
      put: 'return !mayCome(payment, payment.expiresAt, now)',
    },
  ]),
  ...planted('watcher', 'src/checkout/message.ts', states, [
    {
      what: 'a paid payment says nothing of a second transfer',
      find: 'if (payment.seenMinor === 0n) return notice',
      put: 'if (payment.seenMinor >= 0n) return notice',
    },
  ]),
  ...planted('watcher', 'src/checkout/methods/crypto.ts', sums, [
    {
      what: 'a fraction of a cent is neither received nor taken off what is missing',
      find: '* baseUnitsPerCent + (all % baseUnitsPerCent)',
      put: '* baseUnitsPerCent',
    },
  ]),
  ...planted('watcher', 'src/checkout/message.ts', sums, [
    {
      what: 'what came is rounded, and what is missing is exact',
      find: 'exact === undefined ? rounded : { ...rounded, received: exact.received.text }',
      put: 'exact === undefined ? rounded : { ...rounded }',
    },
  ]),
  ...planted('watcher', 'src/explain/event-cause.ts', 'src/explain/sentences.test.ts', [
    {
      what: 'an explanation has what is missing in cents, and what came exactly',
      find: 'missing: { ...missing, exact: decimal(open) },',
      put: 'missing,',
    },
  ]),
  ...planted('watcher', 'src/rails/crypto/rail.ts', 'src/rails/crypto/rail.test.ts', [
    {
      what: 'a record says nothing of a fraction of a cent',
      find: '% baseUnitsPerCent === 0n ? {}',
      put: '>= 0n ? {}',
    },
  ]),
]
