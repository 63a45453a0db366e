// An acquirer of cards, as a program: `node simulators/acquirer/main.ts --data-dir DIR`.
import { numberOption, runProgram } from '../kit/program.ts'
import { startAcquirer, usualOptions } from './server.ts'

await runProgram({ port: '4012', speed: `${usualOptions.speed}` }, (common, { speed }) =>
  startAcquirer({ ...common, speed: numberOption('--speed', speed, 1, 10_000) }),
)
