// The part of `doctor` that reads settings alone.
import { isIP } from 'node:net'
import { ConfigError, type Config, type SettingName } from '#/config.ts'
import type { Address } from '#/evm/address.ts'
import { within } from '#/kernel/network.ts'
import { bscAddress } from './bsc-settings.ts'
import { failed, ok, warning, type Finding } from './doctor-finding.ts'
import { usualDrainSeconds } from './run.ts'

/** Everything that the settings alone can be wrong about, for live money. */
export function settingsFindings(config: Config): readonly Finding[] {
  return [
    sandboxFinding(config),
    ...keyFindings(config),
    ...urlFindings(config),
    dashboardFinding(config),
    proxiesFinding(config),
    drainFinding(config),
    mailFinding(config),
    logFinding(config),
    ...bscFindings(config),
  ]
}

function sandboxFinding({ VINTEM_SANDBOX }: Config): Finding {
  if (VINTEM_SANDBOX === 'off') return ok('sandbox', 'There is no sandbox here.')
  const what =
    'VINTEM_SANDBOX is on: webhooks of SANDBOX merchants may use http and the addresses of this machine.'
  return failed('sandbox', what, 'Set VINTEM_SANDBOX=off for every process.')
}

const keyNames = ['VINTEM_MASTER_KEY', 'VINTEM_WORKER_KEY', 'VINTEM_AUDIT_KEY'] as const

function keyFindings(config: Config): readonly Finding[] {
  const findings = keyNames.map((name): Finding => {
    const id = `key.${name.slice('VINTEM_'.length, -'_KEY'.length).toLowerCase()}`
    if (config[name] !== '') return ok(id, `${name} is set.`)
    const make = 'Set it, the same for every process, to 64 hexadecimal digits: openssl rand -hex 32'
    if (name !== 'VINTEM_WORKER_KEY')
      return failed(id, `${name} is not set.`, `${make}. Keep a copy elsewhere.`)
    const what = 'VINTEM_WORKER_KEY is not set here. That is right where only api and watcher run.'
    return warning(id, what, `Run doctor with the environment of a worker too. For a worker: ${make}.`)
  })
  const given = keyNames.map((name) => config[name].toLowerCase()).filter((key) => key !== '')
  const what = 'Two keys are the same: who has one has the other.'
  const apart =
    new Set(given).size === given.length
      ? ok('key.apart', 'No two keys are the same.')
      : failed(
          'key.apart',
          what,
          'Make each with openssl rand -hex 32. A key in use: docs/operating.md, "The keys".',
        )
  return [...findings, apart]
}

const urls = [
  ['url.api', 'VINTEM_API_URL'],
  ['url.checkout', 'VINTEM_CHECKOUT_URL'],
  ['url.partner', 'VINTEM_PARTNER_CHECKOUT_URL'],
  ['url.callback', 'VINTEM_CALLBACK_URL'],
  ['url.dashboard', 'VINTEM_DASHBOARD_URL'],
] as const satisfies readonly (readonly [string, SettingName])[]

function urlFindings(config: Config): readonly Finding[] {
  return urls.map(([id, name]) => {
    const remedy = `Set ${name} to the public address, https://…, that your proxy serves.`
    const url = URL.parse(config[name])
    if (url === null) return failed(id, `${name} is no URL.`, remedy)
    if (url.protocol !== 'https:') return failed(id, `${name} is not https: ${config[name]}`, remedy)
    if (isHere(url.hostname)) return failed(id, `Only this machine reaches ${name}: ${config[name]}`, remedy)
    return ok(id, `${name} is ${config[name]}`)
  })
}

const isLoopback = within(['127.0.0.0/8', '::1/128'])

function isHere(host: string): boolean {
  const address = host.replaceAll(/^\[|\]$/g, '')
  return (
    address === 'localhost' || address.endsWith('.localhost') || (isIP(address) !== 0 && isLoopback(address))
  )
}

function dashboardFinding({ VINTEM_DASHBOARD_URL }: Config): Finding {
  const host = URL.parse(VINTEM_DASHBOARD_URL)?.hostname ?? ''
  if (isIP(host.replaceAll(/^\[|\]$/g, '')) === 0)
    return ok('dashboard.name', 'Passkeys work at the dashboard’s host name.')
  const what = `The dashboard is at the address ${host}: passkeys need a host name.`
  return warning(
    'dashboard.name',
    what,
    'Give the dashboard a host name before people sign up; passkeys belong to it.',
  )
}

function proxiesFinding({ VINTEM_TRUSTED_PROXIES: proxies }: Config): Finding {
  const remedy = 'Name the addresses of your proxy, and let nothing else reach the API from them.'
  if (proxies.length === 0) {
    const what =
      'VINTEM_TRUSTED_PROXIES is empty: behind a proxy all callers have its address, and are limited together.'
    return warning('proxies', what, remedy)
  }
  const all = proxies.find((each) => each.endsWith('/0'))
  if (all !== undefined)
    return failed('proxies', `VINTEM_TRUSTED_PROXIES has ${all}: any caller may claim any address.`, remedy)
  return ok('proxies', `The caller's address is believed from ${proxies.join(', ')}.`)
}

/** Time for two checks of a load balancer, at one check a second. */
const noticeSeconds = 5

function drainFinding({ VINTEM_DRAIN_SECONDS: given }: Config): Finding {
  const seconds = given === '' ? usualDrainSeconds : given
  const what = `A process that is asked to end serves ${seconds} s more.`
  if (seconds >= noticeSeconds) return ok('drain', what)
  return warning('drain', what, 'Unset VINTEM_DRAIN_SECONDS, or give your balancer time to notice: 20.')
}

function mailFinding({ VINTEM_SMTP_URL, VINTEM_MAIL_FROM }: Config): Finding {
  if (VINTEM_SMTP_URL === '') {
    const what = 'VINTEM_SMTP_URL is empty: invitations, new passwords, notices and receipts are not mailed.'
    return warning('mail', what, 'Set it for api and worker, with VINTEM_MAIL_FROM.')
  }
  if (VINTEM_MAIL_FROM.includes('@localhost'))
    return failed(
      'mail',
      `The sender of mail is ${VINTEM_MAIL_FROM}.`,
      'Set VINTEM_MAIL_FROM to an address of yours.',
    )
  return ok('mail', `Mail is sent as ${VINTEM_MAIL_FROM}.`)
}

function logFinding({ VINTEM_LOG_LEVEL: level }: Config): Finding {
  if (level !== 'silent' && level !== 'error') return ok('log', `The log has level ${level}.`)
  return warning(
    'log',
    `The log has level ${level}: warnings are lost.`,
    'Set VINTEM_LOG_LEVEL=warn or info.',
  )
}

function bscFindings(config: Config): readonly Finding[] {
  const { VINTEM_BSC_RPC_URL: node, VINTEM_BSC_TREASURY: treasury } = config
  if (node === '') return [ok('bsc', 'There is no BSC node: CRYPTO is not offered to live merchants.')]
  if (treasury === '')
    return [
      failed(
        'bsc',
        'VINTEM_BSC_TREASURY is not set.',
        'Set it to the address that deposits are swept to, and never change it.',
      ),
    ]
  let hot: Address | undefined, gas: Address | undefined
  try {
    bscAddress(config, 'VINTEM_BSC_TREASURY')
    hot = bscAddress(config, 'VINTEM_BSC_HOT_WALLET')
    gas = bscAddress(config, 'VINTEM_BSC_GAS_WALLET')
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [failed('bsc', error.message, error.remedy)]
  }
  if (hot !== undefined && gas !== undefined && hot !== gas)
    return [ok('bsc', 'BSC has a node, a treasury, a hot wallet and a gas wallet.')]
  const isNone = config.VINTEM_BSC_HOT_WALLET === '' && config.VINTEM_BSC_GAS_WALLET === ''
  const what = isNone
    ? 'BSC has no hot wallet and no gas wallet: no USDT is paid out or refunded, and nothing is collected.'
    : 'VINTEM_BSC_HOT_WALLET and VINTEM_BSC_GAS_WALLET are not two different addresses.'
  const remedy = 'Set both to addresses of keys that the signer holds: ./vintem signer key list'
  return [(isNone ? warning : failed)('bsc', what, remedy)]
}
