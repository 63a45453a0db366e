// `env`: what a program needs of the running sandbox, as lines that a shell evaluates.
import { readSandboxFile } from '#/sandbox/provision.ts'
import { single, type Command } from './command.ts'
import { noSandbox } from './no-sandbox.ts'
import { printRecord } from './table.ts'

const env: Command = {
  summary:
    'Prints API, KEY, MERCHANT and WEBHOOK_SECRET of the running sandbox for a shell: eval "$(./vintem env)"',
  async run({ terminal, deps, json }) {
    const config = deps.config()
    const sandbox = await readSandboxFile(config.dataDir)
    if (sandbox === undefined) throw noSandbox(config)
    const variables = {
      API: sandbox.apiUrl,
      KEY: sandbox.apiKey,
      MERCHANT: sandbox.merchantId,
      WEBHOOK_SECRET: sandbox.webhookSecret,
    }
    if (json) return printRecord(terminal, variables, { labels: {}, json })
    for (const [name, value] of Object.entries(variables)) terminal.out(`export ${name}=${quoted(value)}`)
  },
}

export const envCommand = single('env', env)

/** One word of a POSIX shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
