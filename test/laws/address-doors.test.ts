// Every door at which an address comes in reads it by the one reader: mixed capitals are those of EIP-55, and nothing is sent where
// nobody has a key. A new door is a line of this table.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bscAddress } from '#/cli/bsc-settings.ts'
import { settingsFindings } from '#/cli/doctor-settings.ts'
import type { Chain } from '#/coins/chain.ts'
import { usdtAt } from '#/coins/networks.ts'
import { ConfigError, readConfig, type Config } from '#/config.ts'
import { toChecksum, type Address } from '#/evm/address.ts'
import { AppError, messageOf } from '#/kernel/error.ts'
import { checkArguments, jobKinds } from '#/operator-jobs/kinds.ts'
import { readDestination } from '#/operator/limits.ts'
import { readAddress as readAtConsole } from '#/operator/wallets.ts'
import { sandboxPolicy } from '#/signer/new-policy.ts'
import { readPolicy } from '#/signer/policy-file.ts'
import { address as messageAddress } from '#/signer/shape.ts'
import { routePayout } from '#/treasury/payout.ts'
import { asId } from '../as-id.ts'
import { partly } from '../partly.ts'

const of = (digit: string): Address => `0x${digit.repeat(40)}`
const chain = partly<Chain>({
  key: 'sandbox',
  mode: 'SANDBOX',
  connection: asId('a1-chain'),
  chainId: 31_337n,
  network: 'BSC',
  tokens: [usdtAt(of('1'))],
  treasury: of('2'),
  factory: of('3'),
  implementation: of('4'),
  confirmationsMin: 1,
})
const bscToken = '0x55d398326f99059ff775485246999027b3197955'
const good: Address = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'
const known = { tokens: [of('1')], contracts: [of('3')], ours: [of('2')] }

type Door = {
  readonly what: string
  /** The refusal in words; undefined when the address is accepted. */
  readonly try: (text: string) => string | undefined
  /** What is sent there, or is held there: it must have an owner. */
  readonly holds: boolean
  readonly token?: string
}

const bscSettings = ['VINTEM_BSC_TREASURY', 'VINTEM_BSC_HOT_WALLET', 'VINTEM_BSC_GAS_WALLET'] as const
const settings = (name: (typeof bscSettings)[number], text: string): Config =>
  readConfig({
    VINTEM_BSC_RPC_URL: 'https://node.example.com',
    VINTEM_BSC_TREASURY: of('7'),
    VINTEM_BSC_HOT_WALLET: of('8'),
    VINTEM_BSC_GAS_WALLET: of('9'),
    [name]: text,
  })

const doors: readonly Door[] = [
  {
    what: 'withdrawal, refund, batch, file, schedule',
    holds: true,
    token: of('1'),
    try: (text) => {
      const request = {
        mode: 'SANDBOX',
        merchantId: asId<'merchant'>('m'),
        currency: 'USDT',
        cryptoAddress: text,
      } as const
      const answer = routePayout([{ chain, hot: of('5') }], request)
      return answer.ok ? undefined : answer.detail
    },
  },
  {
    what: 'a destination that is added to the list, by command or console',
    holds: true,
    token: of('1'),
    try: (text) => faultOf(readDestination('CRYPTO', text, undefined, known)),
  },
  {
    what: 'a destination that is removed from it',
    holds: false,
    try: (text) => faultOf(readDestination('CRYPTO', text, undefined)),
  },
  { what: 'a wallet at the console', holds: false, try: (text) => thrown(() => readAtConsole(text)) },
  ...bscSettings.flatMap((name): readonly Door[] => [
    {
      what: name,
      holds: true,
      token: bscToken,
      try: (text) => thrown(() => bscAddress(settings(name, text), name)),
    },
    {
      what: `${name} in doctor`,
      holds: true,
      token: bscToken,
      try: (text) => {
        const [found] = settingsFindings(settings(name, text)).filter((each) => each.id === 'bsc')
        return found?.status === 'failed' ? found.what : undefined
      },
    },
  ]),
  {
    what: 'the job of a rescue',
    holds: false,
    try: (text) =>
      thrown(() => checkArguments(jobKinds.rescue, { chain: 'sandbox', address: text, token: 'native' })),
  },
  {
    what: 'the token of that job',
    holds: false,
    try: (text) =>
      thrown(() => checkArguments(jobKinds.rescue, { chain: 'sandbox', address: of('6'), token: text })),
  },
  { what: 'a message to the signer', holds: false, try: (text) => thrown(() => messageAddress(text, 'to')) },
  {
    what: 'a recipient of the signer’s policy',
    holds: true,
    try: (text) => {
      const keys = { hot: of('a'), treasury: of('b'), gas: of('c') }
      const policy = sandboxPolicy({
        chainId: 31_337n,
        token: of('1'),
        factory: of('2'),
        implementation: of('3'),
        keys,
      })
      const written = JSON.stringify(policy).replaceAll(of('a'), text)
      return thrown(() => readPolicy(written, 'policy'))
    },
  },
]

function faultOf(reading: { readonly ok: boolean; readonly message?: string }): string | undefined {
  return reading.ok ? undefined : reading.message
}

function thrown(run: () => unknown): string | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    const faults = error instanceof AppError ? (error.faults ?? []).map(({ message }) => message) : []
    return [error instanceof ConfigError ? error.message : messageOf(error), ...faults].join(' ')
  }
}

for (const door of doors)
  describe(door.what, () => {
    test('takes an address in one case, or with the capitals of EIP-55', () => {
      for (const text of [good, `0x${good.slice(2).toUpperCase()}`, toChecksum(good)])
        assert.equal(door.try(text), undefined, text)
    })

    test('refuses what is mistyped or no address', () => {
      const spelled = toChecksum(good)
      const others = Array.from(spelled.slice(2)).flatMap((digit, index) => {
        const other = digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase()
        return other === digit ? [] : [`${spelled.slice(0, index + 2)}${other}${spelled.slice(index + 3)}`]
      })
      assert.ok(others.length > 10)
      for (const text of others) assert.match(door.try(text) ?? 'accepted', /mistyped/, text)
      for (const text of [good.slice(0, -1), `${good}0`, 'vitalik.eth', good.slice(2), ` ${good}`])
        assert.match(door.try(text) ?? 'accepted', /no address/, text)
    })

    if (door.holds)
      test('refuses an address that nobody owns, in any spelling', () => {
        const dead = [
          of('0'),
          `0x${'1'.padStart(40, '0')}`,
          `0x${'1000'.padStart(40, '0')}`,
          `0x${'dead'.padStart(40, '0')}`,
          '0xdead000000000000000042069420694206942069',
          of('e'),
          of('f'),
        ] as readonly Address[]
        for (const address of dead)
          for (const text of [address, toChecksum(address)])
            assert.match(door.try(text) ?? 'accepted', /lost/, text)
        if (door.token !== undefined) assert.match(door.try(door.token) ?? 'accepted', /the token itself/)
      })
  })
