// Faults of the two scales: an amount of the books that a token's contract is given, or the other way round.
import type { Fault } from './fault.ts'
import { planted } from './planted.ts'

const law = 'test/laws/decimals.test.ts'

export const decimalFaults: readonly Fault[] = [
  ...planted('watcher', 'src/coins/units.ts', law, [
    {
      what: 'units of a token are read as units of the books',
      find: 'return raw * factorOf(token)',
      put: 'return raw',
    },
    {
      what: 'units of the books are given to a token',
      find: 'return { raw: baseUnits / factor }',
      put: 'return { raw: baseUnits }',
    },
    {
      what: 'the factor has the decimals of the token, and not those that it lacks',
      find: '10n ** BigInt(bookDecimals - decimals)',
      put: '10n ** BigInt(decimals)',
    },
  ]),
  ...planted('watcher', 'src/coins/units.ts', 'src/coins/units.test.ts', [
    {
      what: 'an amount that a token cannot hold is rounded down',
      find: '  invariant(baseUnits % factor === 0n, `${baseUnits} base units are exact with ${token.decimals} decimals`)\n',
      put: '',
    },
    {
      what: 'a token that cannot hold a cent is accepted',
      find: 'decimals >= 2 &&',
      put: 'decimals >= 0 &&',
    },
  ]),
  ...planted('watcher', 'src/rails/crypto/scan.ts', law, [
    {
      what: 'the value of a log is credited as the contract counts it',
      find: 'toBookUnits(token, transfer.value)',
      put: 'transfer.value.raw',
    },
  ]),
  ...planted('watcher', 'src/rails/crypto/queries.ts', law, [
    {
      what: 'every token is recorded with 18 decimals',
      find: 'address: bytesOf(address), decimals })',
      put: 'address: bytesOf(address), decimals: Math.max(decimals, 18) })',
    },
  ]),
  ...planted('watcher', 'src/rails/crypto/rail.ts', law, [
    {
      what: 'a wallet is told to transfer the amount of the books',
      find: 'toTokenUnits({ decimals }, BigInt(requestedUnits)).raw.toString()',
      put: 'requestedUnits',
    },
    {
      what: 'the payer’s page takes every token for one of 18 decimals',
      find: '    decimals,\n    confirmations: chain.confirmationsMin,',
      put: '    decimals: Math.max(decimals, 18),\n    confirmations: chain.confirmationsMin,',
    },
  ]),
  ...planted('treasury', 'src/treasury/payout.ts', law, [
    {
      what: 'a payout of 12.34 transfers a million million times as much',
      find: 'transferCall(recipient, toTokenUnits(token, units))',
      put: 'transferCall(recipient, { raw: units })',
    },
  ]),
  ...planted('treasury', 'src/treasury/refill.ts', law, [
    {
      what: 'a refill transfers the amount of the books',
      find: 'transferCall(hot, toTokenUnits(token, units))',
      put: 'transferCall(hot, { raw: units })',
    },
  ]),
  ...planted('treasury', 'src/treasury/compare.ts', law, [
    {
      what: 'a balance is compared with the books as the contract counts it',
      find: 'toBookUnits(chain.token, balance)',
      put: 'balance.raw',
    },
  ]),
  ...planted('treasury', 'src/treasury/hot-wallet-follow.ts', law, [
    {
      what: 'a wallet has a millionth of a millionth of its funds',
      find: "toBookUnits(token, { raw: BigInt(toData(balance, 'balanceOf', 32)) })",
      put: "BigInt(toData(balance, 'balanceOf', 32))",
    },
    {
      what: 'a movement that happened is not recognised',
      find: 'toBookUnits(token, moved.value) === tx.units',
      put: 'moved.value.raw === tx.units',
    },
  ]),
  ...planted('treasury', 'src/treasury/hot-wallet-queue.ts', law, [
    {
      what: 'the signer’s limits are taken for amounts of the books',
      find: 'toBookUnits(token, { raw: cap.cap - cap.spent })',
      put: 'cap.cap - cap.spent',
    },
  ]),
  ...planted('watcher', 'src/checkout/methods/crypto.ts', 'src/checkout/page-state-sums.test.ts', [
    {
      what: 'the link for a wallet has the amount of the books',
      find: 'const { raw } = toTokenUnits(coin, units)',
      put: 'const raw = units',
    },
    {
      what: 'a deposit is shown as if the contract had counted it',
      find: 'format.units(BigInt(amount), bookDecimals, token)',
      put: 'format.units(BigInt(amount), coin?.decimals ?? bookDecimals, token)',
    },
  ]),
  ...planted('watcher', 'src/evm/deploy.ts', 'src/evm/deploy.test.ts', [
    {
      what: 'a token of other decimals than the records have is connected',
      find: '    answerFault(rpc, tokenDecimals(expected)),\n',
      put: '',
    },
  ]),
]
