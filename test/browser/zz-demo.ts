import { createTerminal } from '#/sandbox/terminal.ts'
import { runDemo } from '#/sandbox/demo.ts'
import { readSandboxFile } from '#/sandbox/provision.ts'
import { systemClock } from '#/kernel/time.ts'
const t = createTerminal(process, process.env)
process.exitCode = await runDemo(t, await readSandboxFile(process.argv[2] ?? ''), { clock: systemClock })
