// What our compose.yaml has to say beside being valid.
export type Compose = {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}

type Service = {
  readonly image?: string
  readonly read_only?: boolean
  readonly stop_grace_period?: string
  readonly volumes?: readonly string[]
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, unknown>>
  readonly network_mode?: string
  readonly ports?: readonly string[]
}

/** Where the image keeps what must outlive a container. */
const kept = '/var/lib/vintem'
/** Decision 149: the wait of a process that leaves, its last requests, and a margin. */
const graceSeconds = 60
const roles = ['api', 'worker', 'watcher', 'signer']

/** What is wrong with a document that the schema accepts. */
export function faultsOfCompose({ services, volumes }: Compose): readonly string[] {
  const own = Object.entries(services).filter(([, { image }]) => image === 'vintem')
  const commands = own.map(([, { command }]) => command?.[0])
  const missing = roles.filter((role) => !commands.includes(role)).map((role) => `no service runs ${role}`)
  const folders = own.map(([name, { volumes: mounts = [] }]) => {
    const volume = mounts.find((mount) => mount.split(':')[1] === kept)?.split(':')[0]
    return { name, volume }
  })
  const lost = folders
    .filter(({ volume }) => volume === undefined || !(volume in volumes))
    .map(({ name }) => `${name} loses ${kept}, which holds the end of the books that it knows`)
  const shared = folders
    .filter(({ volume }, index) => folders.findIndex((each) => each.volume === volume) !== index)
    .map(({ name }) => `${name} shares its ${kept} with another service`)
  const others = own.flatMap(([name, service]) => [
    ...(service.read_only === true ? [] : [`${name} may write to its image`]),
    ...(service.stop_grace_period === `${graceSeconds}s`
      ? []
      : [`${name} is not given ${graceSeconds} s to end`]),
  ])
  return [...missing, ...lost, ...shared, ...others, ...faultsOfSigner(services['signer'])]
}

/** It holds keys: no network, no database and no key of other processes. */
function faultsOfSigner(signer: Service | undefined): readonly string[] {
  if (signer === undefined) return []
  const known = Object.keys(signer.environment ?? {}).filter((name) => !/^VINTEM_(?:SIGNER_|LOG_)/.test(name))
  return [
    ...(signer.network_mode === 'none' ? [] : ['the signer has a network']),
    ...(signer.ports === undefined ? [] : ['the signer has ports']),
    ...known.map((name) => `the signer knows ${name}`),
  ]
}
