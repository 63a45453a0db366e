// A bank with euro accounts, as a program: `node simulators/sepa-bank/main.ts --data-dir DIR`.
import { runProgram, secondsOption } from '../kit/program.ts'
import { startBank, usualOptions } from './server.ts'

await runProgram(
  { port: '4014', 'retry-seconds': usualOptions.retrySeconds.join(',') },
  (common, { 'retry-seconds': seconds }) =>
    startBank({ ...common, retrySeconds: secondsOption('--retry-seconds', seconds) }),
)
