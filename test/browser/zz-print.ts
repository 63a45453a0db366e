import { createTerminal } from '#/sandbox/terminal.ts'
import { printWelcome } from '#/sandbox/welcome.ts'
import { exampleSandbox } from './welcome-server.ts'
import { printHelp } from '#/cli/help.ts'
import { configCommand } from '#/cli/config.ts'
import { merchantCommand } from '#/cli/merchant.ts'
import { keyCommand } from '#/cli/key.ts'
import { readConfig } from '#/config.ts'
const out = { write: (t: string) => process.stdout.write(t), isTTY: true, columns: 100, getColorDepth: () => 1 }
const t = createTerminal({ stdout: out, stderr: out }, { LANG: 'C.UTF-8' })
printWelcome(t, exampleSandbox('http://127.0.0.1:4000'), { startedInMs: 3120, version: '0.1.0' })
printHelp(t, '0.1.0')
const deps = { config: () => readConfig(), open: async () => { throw new Error('x') } }
for (const args of [[], ['--help'], ['--json']]) { console.log('--- config', args); console.log(await configCommand(args, t, deps)) }
for (const args of [[], ['foo'], ['create'], ['create', '--help'], ['create', 'x', '--mode', 'foo'], ['create', 'x', '--mode', 'live'], ['create', 'x', 'y'], ['list', '--nope'], ['fee', '--help'], ['create','--mode']]) { console.log('--- merchant', args); console.log(await merchantCommand(args, t, deps)) }
for (const args of [[], ['create', '--help'], ['create', 'x', '--scopes', 'foo']]) { console.log('--- key', args); console.log(await keyCommand(args, t, deps).catch(String)) }
