// A bank in the Pix network, as a program: `node simulators/pix-bank/main.ts --data-dir DIR`.
import { parseArgs } from 'node:util'
import { failProgram, numberOption, runProgram } from '../kit/program.ts'
import type { BankOptions } from './bank.ts'
import { isAmount } from './money.ts'
import { startBank, usualOptions } from './server.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4010' },
    'control-port': { type: 'string', default: '4011' },
    'data-dir': { type: 'string' },
    seed: { type: 'string' },
    'no-magic': { type: 'boolean', default: false },
    speed: { type: 'string', default: `${usualOptions.speed}` },
    'token-seconds': { type: 'string', default: `${usualOptions.tokenSeconds}` },
    capital: { type: 'string', default: usualOptions.capital },
    'location-host': { type: 'string', default: usualOptions.locationHost },
    'die-with-parent': { type: 'boolean', default: false },
  },
})

const bank = await startBank(optionsOf(values))
const { apiUrl, controlUrl, seed } = bank
runProgram(bank, { apiUrl, controlUrl, seed }, { diesWithParent: values['die-with-parent'] })

function optionsOf(given: typeof values): BankOptions {
  const dataDir = given['data-dir']
  if (dataDir === undefined) failProgram('--data-dir is missing')
  if (!isAmount(given.capital)) failProgram('--capital is an amount such as 1000000.00')
  return {
    dataDir,
    port: numberOption('--port', given.port, 0, 65_535),
    controlPort: numberOption('--control-port', given['control-port'], 0, 65_535),
    ...(given.seed === undefined ? {} : { seed: numberOption('--seed', given.seed, 0, 2 ** 31 - 1) }),
    magic: !given['no-magic'],
    speed: numberOption('--speed', given.speed, 1, 10_000),
    tokenSeconds: numberOption('--token-seconds', given['token-seconds'], 1, 86_400),
    capital: given.capital,
    locationHost: given['location-host'],
  }
}
