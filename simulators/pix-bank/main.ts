// A bank in the Pix network, as a program: `node simulators/pix-bank/main.ts --data-dir DIR`.
import { parseArgs } from 'node:util'
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
let ending = false
const end = () => {
  if (ending) return
  ending = true
  void bank.close().then(() => process.exit(0))
}
process.on('SIGTERM', end)
process.on('SIGINT', end)
if (values['die-with-parent']) {
  // The pipe closes when whoever started this is gone, however it went.
  process.stdin.on('end', end).on('close', end).on('error', end).resume()
}
const { apiUrl, controlUrl, seed } = bank
process.stdout.write(`${JSON.stringify({ ready: true, apiUrl, controlUrl, seed })}\n`)

function optionsOf(given: typeof values): BankOptions {
  const dataDir = given['data-dir']
  if (dataDir === undefined) fail('--data-dir is missing')
  if (!isAmount(given.capital)) fail('--capital is an amount such as 1000000.00')
  return {
    dataDir,
    port: number('--port', given.port, 0, 65_535),
    controlPort: number('--control-port', given['control-port'], 0, 65_535),
    ...(given.seed === undefined ? {} : { seed: number('--seed', given.seed, 0, 2 ** 31 - 1) }),
    magic: !given['no-magic'],
    speed: number('--speed', given.speed, 1, 10_000),
    tokenSeconds: number('--token-seconds', given['token-seconds'], 1, 86_400),
    capital: given.capital,
    locationHost: given['location-host'],
  }
}

function number(name: string, text: string, min: number, max: number): number {
  const value = /^\d{1,12}$/.test(text) ? Number.parseInt(text, 10) : -1
  if (value < min || value > max) fail(`${name} is a whole number from ${min} to ${max}`)
  return value
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}
