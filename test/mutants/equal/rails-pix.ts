import type { EqualMutant } from './equal-mutant.ts'

export const railsPix: readonly EqualMutant[] = [
  {
    file: 'src/rails/pix/br-code.ts',
    find: 'templatesOf(objects, 80, 99)',
    put: 'templatesOf(objects, 80, 100)',
    why: 'The id of an object has two digits.',
  },
  {
    file: 'src/rails/pix/br-code.ts',
    find: "within(inAscii(info), 72, 'the information')",
    put: "within(inAscii(info), 73, 'the information')",
    why: 'Beside the shortest key, an information of 73 characters is longer than the object that has both, which is refused too.',
  },
  {
    file: 'src/rails/pix/rail.ts',
    find: 'amountMinor = 1n }: RoutingRequest',
    put: 'amountMinor = 2n }: RoutingRequest',
    why: 'The default is only compared with the limits, and both amounts are within them.',
  },
  {
    file: 'src/rails/pix/settings.ts',
    find: "named !== undefined && named.auth !== 'body_no_secret'",
    put: '(named !== undefined)',
    why: 'No profile of the file authenticates without a secret.',
  },
  {
    file: 'src/rails/partner-pay/callbacks.ts',
    find: "typeof value === 'string' && value !== ''",
    put: "(typeof value === 'string')",
    why: 'A callback with an empty header is refused as one without it: what follows takes an empty text for none.',
  },
  {
    file: 'src/rails/partner-pay/client.ts',
    find: 'envelope.ok && answer.status >= 200 && answer.status < 300',
    put: '(envelope.ok) && answer.status < 300',
    why: 'An answer has a status of at least 200.',
  },
  {
    file: 'src/rails/partner-pay/open.ts',
    find: 'expiresAt < latest',
    put: 'expiresAt <= latest',
    why: 'Of two equal instants either is the end.',
  },
  {
    file: 'src/rails/partner-pay/wire.ts',
    find: "typeof sent === 'object' && sent !== null && !Array.isArray(sent)",
    put: "(typeof sent === 'object' && sent !== null)",
    why: 'A list has none of the fields that are read, and what lacks them is refused with the same outcome.',
  },
]
