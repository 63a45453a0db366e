// The parts of a connection as an operator gives them, in a file or a form: which fields there are, and everything that would otherwise
// fail at the first charge.
import type { TObject } from 'typebox'
import type { Checked, FieldFault } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { faultsOfParts, type ConnectionParts, type ConnectionType } from './connection-type.ts'
import type { Fields } from './settings.ts'

/** Parts without a fault, as they are stored. */
export type CheckedParts = Checked<{ readonly connection: ConnectionParts }>

/** The schema of each part of the type. */
export function partSchemas(type: ConnectionType): Readonly<Record<string, TObject>> {
  return {
    settings: type.settings,
    secrets: type.secrets,
    ...given({ refundSecrets: type.refundSecrets }),
  }
}

/** The faults of parts that have only known fields; none repeats a secret. */
export function checkParts(type: ConnectionType, parts: ConnectionParts): CheckedParts {
  const faults = faultsOfParts(type, parts)
  if (faults.length > 0) return { ok: false, faults }
  // A connection that only sends receives nothing: all its secrets are for workers.
  if (type.refundSecrets !== undefined) return { ok: true, connection: parts }
  return { ok: true, connection: { ...parts, secrets: {}, refundSecrets: parts.secrets } }
}

/** The same for what came over the network: also that there are no other parts, fields and providers. */
export function readSentParts(
  type: ConnectionType,
  sent: Readonly<Record<string, unknown>> & { readonly provider: string },
): CheckedParts {
  const schemas = partSchemas(type)
  const faults: FieldFault[] = []
  const complain = (pointer: string, message: string) =>
    void faults.push({ pointer, code: 'invalid', message })
  if (!type.providers.includes(sent.provider))
    complain('/provider', `This is one of ${type.providers.join(', ')}.`)
  const read: Record<string, Fields> = {}
  for (const [name, { properties }] of Object.entries(schemas)) {
    const given = sent[name]
    if (given === undefined && name === 'refundSecrets') continue
    if (!isFields(given)) {
      complain(`/${name}`, 'This must be an object.')
      continue
    }
    read[name] = given
    for (const field of Object.keys(given))
      if (!Object.hasOwn(properties, field)) complain(`/${name}/${field}`, 'There is no such field.')
  }
  if (type.refundSecrets === undefined && sent['refundSecrets'] !== undefined)
    complain('/refundSecrets', 'There is no such field.')
  if (faults.length > 0) return { ok: false, faults }
  const { settings = {}, secrets = {}, refundSecrets } = read
  return checkParts(type, {
    provider: sent.provider,
    settings,
    secrets,
    ...given({ refundSecrets }),
  })
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
