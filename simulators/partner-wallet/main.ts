// A wallet app with a merchant API, as a program: `node simulators/partner-wallet/main.ts --data-dir DIR`.
import { failProgram, numberOption, runProgram, secondsOption } from '../kit/program.ts'
import { startWallet, usualOptions } from './server.ts'

const { speed, toleranceMs, retrySeconds } = usualOptions
await runProgram(
  {
    port: '4013',
    'public-url': '',
    speed: `${speed}`,
    'tolerance-ms': `${toleranceMs}`,
    'retry-seconds': retrySeconds.join(','),
  },
  (common, own) => {
    const publicUrl = own['public-url']
    if (publicUrl !== '' && !/^https?:\/\/[^/]+$/.test(publicUrl))
      failProgram('--public-url is an address such as http://localhost:4013')
    return startWallet({
      ...common,
      ...(publicUrl === '' ? {} : { publicUrl }),
      speed: numberOption('--speed', own.speed, 1, 10_000),
      toleranceMs: numberOption('--tolerance-ms', own['tolerance-ms'], 1, 600_000),
      retrySeconds: secondsOption('--retry-seconds', own['retry-seconds']),
    })
  },
)
