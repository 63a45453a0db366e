// `trigger`: makes something happen in the sandbox, and shows the calls and the events.
import { toJson } from '#/kernel/json.ts'
import type { Terminal } from '#/kernel/terminal.ts'
import { readSandboxFile } from '#/sandbox/provision.ts'
import { openSandboxClient } from './api-client.ts'
import { runCommand, UsageError, type Call, type Command, type CommandDeps } from './command.ts'
import { noSandbox } from './no-sandbox.ts'
import { printRows } from './table.ts'
import { scenarios } from './trigger-scenarios.ts'
import { openStage, type Step } from './trigger-stage.ts'

const trigger: Command = {
  summary: 'Makes something happen in the sandbox, by public calls, the payer and the simulators',
  positionals: ['scenario'],
  options: {
    'webhook-url': {
      value: 'url',
      meaning: 'Where the events of what is made are sent. Default: nowhere, listen shows them',
    },
  },
  async run(call) {
    const { given, deps, terminal, json } = call
    const [name = ''] = given
    const scenario = Object.hasOwn(scenarios, name) ? scenarios[name] : undefined
    if (scenario === undefined)
      throw new UsageError(`There is no scenario ${name}.`, './vintem trigger lists them.')
    const config = deps.config()
    const sandbox = await readSandboxFile(config.dataDir)
    if (sandbox === undefined) throw noSandbox(config)
    const steps: Step[] = []
    const stage = await openStage({
      api: openSandboxClient(sandbox),
      sandbox,
      webhookUrl: call.option('webhook-url'),
      show(step) {
        steps.push(step)
        if (!json) terminal.out(lineOf(terminal, step))
      },
    })
    await scenario.play(stage)
    if (json) terminal.out(toJson({ scenario: name, steps }))
  },
}

/** Without a scenario it lists them. */
export function triggerCommand(
  args: readonly string[],
  terminal: Terminal,
  deps: CommandDeps,
): Promise<number> {
  const isNamed = args.some((each) => !each.startsWith('-') || ['--help', '-h'].includes(each))
  return isNamed
    ? runCommand('trigger', trigger, args, { terminal, deps })
    : runCommand('trigger', list, args, { terminal, deps })
}

const list: Command = {
  summary: 'Lists the scenarios',
  run: async ({ terminal, json }: Call) =>
    printRows(
      terminal,
      Object.entries(scenarios).map(([name, { meaning }]) => ({ name, meaning })),
      {
        columns: [
          { name: 'Scenario', value: ({ name }) => name },
          { name: 'What happens', value: ({ meaning }) => meaning },
        ],
        json,
        empty: 'There are none.',
      },
    ),
}

function lineOf({ paint, symbols }: Terminal, step: Step): string {
  if (step.step === 'event')
    return `${paint.good(symbols.done)} event ${step.sequence}  ${paint.strong(step.type)}  ${paint.soft(step.id)}`
  const { call, id = '', status = '' } = step
  return `  ${call}  ${paint.soft([id, status].filter((each) => each !== '' && !call.includes(each)).join('  '))}`.trimEnd()
}
