// A wallet app with a merchant API, as a program: `node simulators/partner-wallet/main.ts --data-dir DIR`.
import { parseArgs } from 'node:util'
import { given } from '../kit/given.ts'
import { failProgram, numberOption, runProgram } from '../kit/program.ts'
import { startWallet, usualOptions } from './server.ts'
import type { WalletOptions } from './wallet.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4013' },
    'data-dir': { type: 'string' },
    'public-url': { type: 'string' },
    seed: { type: 'string' },
    speed: { type: 'string', default: `${usualOptions.speed}` },
    'tolerance-ms': { type: 'string', default: `${usualOptions.toleranceMs}` },
    'retry-seconds': { type: 'string', default: usualOptions.retrySeconds.join(',') },
    'die-with-parent': { type: 'boolean', default: false },
  },
})

const wallet = await startWallet(optionsOf(values))
const { apiUrl, controlUrl, seed } = wallet
runProgram(wallet, { apiUrl, controlUrl, seed }, { diesWithParent: values['die-with-parent'] })

function optionsOf(parsed: typeof values): WalletOptions {
  const { 'data-dir': dataDir, 'public-url': publicUrl } = parsed
  if (dataDir === undefined) failProgram('--data-dir is missing')
  if (publicUrl !== undefined && !/^https?:\/\/[^/]+$/.test(publicUrl))
    failProgram('--public-url is an address such as http://localhost:4013')
  const retries = parsed['retry-seconds'].split(',')
  return {
    dataDir,
    port: numberOption('--port', parsed.port, 0, 65_535),
    ...given({ publicUrl }),
    ...(parsed.seed === undefined ? {} : { seed: numberOption('--seed', parsed.seed, 0, 2 ** 31 - 1) }),
    speed: numberOption('--speed', parsed.speed, 1, 10_000),
    toleranceMs: numberOption('--tolerance-ms', parsed['tolerance-ms'], 1, 600_000),
    retrySeconds: retries.map((each) => numberOption('--retry-seconds', each, 0, 86_400)),
  }
}
