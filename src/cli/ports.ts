// The ports of a process, tried before anything else starts: a port that is taken, or an address that this machine does not have, is one
// line that names the port, what it is for, and the setting.
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { ConfigError, type Config } from '#/config.ts'
import { homeOf } from '#/db/embedded-place.ts'
import { isCode } from '#/db/embedded-process.ts'
import { messageOf } from '#/kernel/error.ts'
import { monotonicMs, secondMs, sleep } from '#/kernel/time.ts'
import { sandboxProviders } from '#/sandbox/methods/all.ts'

type Port = {
  readonly port: number
  /** What listens there, for people. */
  readonly use: string
  readonly host: string
  /** How the settings name it. */
  readonly setting: string
  readonly hostSetting?: 'VINTEM_HOST' | 'VINTEM_METRICS_HOST'
}

/** Simulators of an earlier process that was killed end with it, but may need a moment. */
const patienceMs = 5 * secondMs
const pauseMs = 200

/** For `api`, and for `start`: throws ConfigError for the first port that this process cannot listen on. */
export async function confirmPorts(
  config: Config,
  { isStart }: { readonly isStart: boolean },
): Promise<void> {
  await confirmEach([...serverPorts(config), ...metricsPort(config)])
  if (isStart) await confirmEach(childPorts(config), patienceMs)
}

/** The same for a role that serves nothing but its metrics. */
export async function confirmMetricsPort(config: Config): Promise<void> {
  await confirmEach(metricsPort(config))
}

async function confirmEach(ports: readonly Port[], waitMs = 0): Promise<void> {
  const until = monotonicMs() + waitMs
  for (const each of ports) {
    let fault = await tryPort(each)
    while (isCode(fault, 'EADDRINUSE') && monotonicMs() < until) {
      await sleep(pauseMs)
      fault = await tryPort(each)
    }
    if (fault !== undefined) throw refusalOf(each, fault)
  }
}

function serverPorts({ PORT, VINTEM_HOST: host, ...config }: Config): readonly Port[] {
  const hasCallbacks = config.VINTEM_SANDBOX === 'on' || config.VINTEM_CALLBACK_CERT !== ''
  const uses = ['the API', 'the checkout', 'the partner checkout', ...(hasCallbacks ? ['callbacks'] : [])]
  const numbered = [...uses.map((use, offset) => ({ use, offset })), { use: 'the dashboard', offset: 4 }]
  return numbered.map(({ use, offset }) => ({
    port: PORT + offset,
    use,
    host,
    setting: settingOf(offset),
    hostSetting: 'VINTEM_HOST' as const,
  }))
}

function metricsPort({ VINTEM_METRICS_PORT: port, VINTEM_METRICS_HOST: host }: Config): readonly Port[] {
  if (port === 0) return []
  return [{ port, use: 'metrics', host, setting: 'VINTEM_METRICS_PORT', hostSetting: 'VINTEM_METRICS_HOST' }]
}

/**
 * Of the processes that `start` makes. Those that a killed process may have left running, with their data, are found again by that data and not
 * tried here.
 */
function childPorts({ PORT, dataDir, ...config }: Config): readonly Port[] {
  const isSandbox = config.VINTEM_SANDBOX === 'on'
  const ownDatabase = config.DATABASE_URL === '' && homeOf(dataDir) === undefined
  const ownChain = isSandbox && !existsSync(path.join(dataDir, 'chain.json'))
  const used = [
    ...(isSandbox ? sandboxProviders.map(({ name, portOffset: offset }) => ({ use: name, offset })) : []),
    ...(ownDatabase ? [{ use: 'PostgreSQL', offset: 20 }] : []),
    ...(ownChain ? [{ use: 'the sandbox chain', offset: 21 }] : []),
  ]
  return used.map(({ use, offset }) => ({
    port: PORT + offset,
    use,
    host: '127.0.0.1',
    setting: settingOf(offset),
  }))
}

function settingOf(offset: number): string {
  return offset === 0 ? 'PORT' : `PORT + ${offset}`
}

/** Listens for a moment. Returns why it cannot. */
function tryPort({ port, host }: Port): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', resolve)
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)))
  })
}

function refusalOf({ port, use, host, setting, hostSetting }: Port, fault: Error): ConfigError {
  const moves = setting === 'VINTEM_METRICS_PORT' ? 'set VINTEM_METRICS_PORT' : 'set PORT to move all ports'
  const named = `Port ${port} (${setting}), for ${use},`
  if (isCode(fault, 'EADDRINUSE'))
    return new ConfigError(`${named} is taken.`, `Stop what uses it, or ${moves}.`)
  const isAddress = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EAFNOSUPPORT', 'EINVAL'].some((code) =>
    isCode(fault, code),
  )
  if (isAddress && hostSetting !== undefined)
    return new ConfigError(
      `${hostSetting} is ${host}, and no server can bind to it: ${messageOf(fault)}.`,
      'Set it to an address of this machine.',
    )
  return new ConfigError(
    `${named} cannot be used: ${messageOf(fault)}.`,
    `Let this user bind to it, or ${moves}.`,
  )
}
