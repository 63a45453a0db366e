// Reads the control calls about faults, webhooks and tokens.
import { bad, integer } from '../kit/control-fields.ts'
import { asFields, asInteger, type Fields } from '../kit/fields.ts'
import { given } from '../kit/given.ts'
import { faultActions, type Bank, type Fault } from './bank.ts'
import type { Modes } from './events.ts'

const longMs = 600_000

export function readFault(body: Fields, bank: Bank): Fault {
  const match = body['match'] === undefined ? {} : asFields(body['match'])
  if (match === undefined) throw bad('match is {method?, path?}')
  const { method, path } = match
  if (method !== undefined && typeof method !== 'string') throw bad('match.method is a text')
  if (path !== undefined && !(typeof path === 'string' && isPattern(path)))
    throw bad('match.path is a regular expression')
  const action = faultActions.find((each) => each === body['action'])
  if (action === undefined) throw bad(`action is one of ${faultActions.join(', ')}`)
  const probability = body['probability']
  if (probability !== undefined && !(typeof probability === 'number' && probability >= 0 && probability <= 1))
    throw bad('probability lies between 0 and 1')
  const delayMs = integer(body, 'delayMs', 0, longMs) ?? (action === 'delay' ? 1000 : undefined)
  const status = integer(body, 'status', 400, 599)
  const times = integer(body, 'times', 1, 1_000_000)
  return {
    id: bank.passing.faults.length === 0 ? 1 : Math.max(...bank.passing.faults.map(({ id }) => id)) + 1,
    ...(method === undefined ? {} : { method: method.toUpperCase() }),
    ...(typeof path === 'string' ? { path } : {}),
    action,
    ...given({ delayMs, status, left: times }),
    ...(typeof probability === 'number' ? { probability } : {}),
    matched: 0,
  }
}

/** The modes with what the body changes. */
export function readModes(bank: Bank, body: Fields): Modes {
  const { modes } = bank.eventStore.state
  const flag = (name: 'reorder' | 'badCert') => {
    const value = body[name] ?? modes[name]
    if (typeof value !== 'boolean') throw bad(`${name} is true or false`)
    return value
  }
  const lose = body['lose'] ?? modes.lose
  if (typeof lose !== 'boolean' && asInteger(lose, 0, 1_000_000) === undefined)
    throw bad('lose is true, false or a number')
  return {
    ...modes,
    lose: lose as boolean | number,
    repeat: integer(body, 'repeat', 1, 100) ?? modes.repeat,
    delayMs: integer(body, 'delayMs', 0, longMs) ?? modes.delayMs,
    reorder: flag('reorder'),
    badCert: flag('badCert'),
  }
}

/** How long tokens last from now on; and whether those that were issued end now. */
export function readTokens({ passing }: Bank, body: Fields) {
  const { revoke = false } = body
  if (typeof revoke !== 'boolean') throw bad('revoke is true or false')
  passing.tokenSeconds = integer(body, 'expiresIn', 1, 86_400) ?? passing.tokenSeconds
  if (revoke) passing.tokens.clear()
  return { expiresIn: passing.tokenSeconds, valid: passing.tokens.size }
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp
  } catch {
    return false
  }
}
