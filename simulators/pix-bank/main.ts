// A bank in the Pix network, as a program: `node simulators/pix-bank/main.ts --data-dir DIR`.
import { failProgram, numberOption, runProgram } from '../kit/program.ts'
import { isAmount } from './money.ts'
import { startBank, usualOptions } from './server.ts'

const { speed, tokenSeconds, capital, locationHost } = usualOptions
await runProgram(
  {
    port: '4010',
    'control-port': '4011',
    'no-magic': false,
    speed: `${speed}`,
    'token-seconds': `${tokenSeconds}`,
    capital,
    'location-host': locationHost,
  },
  (common, own) => {
    if (!isAmount(own.capital)) failProgram('--capital is an amount such as 1000000.00')
    return startBank({
      ...common,
      controlPort: numberOption('--control-port', own['control-port'], 0, 65_535),
      magic: !own['no-magic'],
      speed: numberOption('--speed', own.speed, 1, 10_000),
      tokenSeconds: numberOption('--token-seconds', own['token-seconds'], 1, 86_400),
      capital: own.capital,
      locationHost: own['location-host'],
    })
  },
)
