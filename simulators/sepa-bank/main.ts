// A bank with euro accounts, as a program: `node simulators/sepa-bank/main.ts --data-dir DIR`.
import { parseArgs } from 'node:util'
import { failProgram, numberOption, runProgram } from '../kit/program.ts'
import { startBank, usualOptions } from './server.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4014' },
    'data-dir': { type: 'string' },
    seed: { type: 'string' },
    'retry-seconds': { type: 'string', default: usualOptions.retrySeconds.join(',') },
    'die-with-parent': { type: 'boolean', default: false },
  },
})

const { port, seed, 'data-dir': dataDir, 'die-with-parent': diesWithParent } = values
const bank = await startBank({
  dataDir: dataDir ?? failProgram('--data-dir is missing'),
  port: numberOption('--port', port, 0, 65_535),
  ...(seed === undefined ? {} : { seed: numberOption('--seed', seed, 0, 2 ** 31 - 1) }),
  retrySeconds: values['retry-seconds']
    .split(',')
    .map((each) => numberOption('--retry-seconds', each, 0, 86_400)),
})
const { apiUrl, controlUrl, seed: used } = bank
runProgram(bank, { apiUrl, controlUrl, seed: used }, { diesWithParent })
