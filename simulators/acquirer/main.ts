// An acquirer of cards, as a program: `node simulators/acquirer/main.ts --data-dir DIR`.
import { parseArgs } from 'node:util'
import { failProgram, numberOption, runProgram } from '../kit/program.ts'
import { startAcquirer, usualOptions } from './server.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4012' },
    'data-dir': { type: 'string' },
    seed: { type: 'string' },
    speed: { type: 'string', default: `${usualOptions.speed}` },
    'die-with-parent': { type: 'boolean', default: false },
  },
})

const { port, seed, speed, 'data-dir': dataDir, 'die-with-parent': diesWithParent } = values
const acquirer = await startAcquirer({
  dataDir: dataDir ?? failProgram('--data-dir is missing'),
  port: numberOption('--port', port, 0, 65_535),
  ...(seed === undefined ? {} : { seed: numberOption('--seed', seed, 0, 2 ** 31 - 1) }),
  speed: numberOption('--speed', speed, 1, 10_000),
})
const { apiUrl, controlUrl, seed: used } = acquirer
runProgram(acquirer, { apiUrl, controlUrl, seed: used }, { diesWithParent })
