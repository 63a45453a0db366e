// A local method of the acquirer as a table. local-rail.ts makes a rail of it.
import { minuteMs } from '#/kernel/time.ts'
import type { AmountLimits, Descriptor, Flow, PayerNeed, Repertoire } from '#/rails/descriptor.ts'

type Own =
  | 'method'
  | 'lifetimeMaxMs'
  | 'refunds'
  | 'mark'
  | 'docs'
  | 'label'
  | 'by'
  | 'hint'
  | 'page'
  | 'noRefund'
type Table<Name extends string> = Pick<Descriptor<Name>, Own> & {
  /** The provider's name of it (https://docs.stripe.com/api/payment_methods/object, `type`). */
  readonly type: string
  readonly currency: 'EUR' | 'BRL'
  readonly countries: readonly string[]
  /** The only country whose accounts have it. Absent: accounts of any country but Brazil. */
  readonly accountIn?: 'BR'
  readonly needs: readonly PayerNeed[]
  readonly limits: AmountLimits
  readonly lifetimeMs: number
  /** The most days that the caller can give a voucher. Absent: the provider sets its end. */
  readonly daysMax?: number
  readonly isDelayed: boolean
  readonly flow: Flow
}

export type LocalMethod<Name extends string = string> = Descriptor<Name> &
  Table<Name> & {
    readonly sandbox: Repertoire<LocalScenario>
    readonly audit: 'VOUCHER'
    readonly connectedAs: 'CREDIT_CARD'
  }

/**
 * - `approve`: the payer pays: in the app, at the bank, or a voucher, whose money arrives a moment later.
 * - `decline`: the payer declines or breaks off.
 * - `leave`: the payer does nothing.
 * - `slow`, `fail`: of a delayed method: the money stays on its way, or never arrives.
 */
type LocalScenario = 'approve' | 'decline' | 'leave' | 'slow' | 'fail'

const promptly: Repertoire<LocalScenario> = {
  scenarios: ['approve', 'decline', 'leave'],
  meaning: 'approve, decline; leave: nobody answers.',
}
const delayed: Repertoire<LocalScenario> = {
  scenarios: ['approve', 'slow', 'fail'],
  meaning: 'approve: paid, and reported a moment later. slow: on its way. fail: the money never arrives.',
}

/** The descriptor of a local method: its table, with what all of them have in common. */
export function localMethod<const Name extends string>(table: Table<Name>): LocalMethod<Name> {
  return {
    ...table,
    currencies: [table.currency],
    connectedAs: 'CREDIT_CARD',
    who: ['O adquirente', 'The acquirer', 'El adquirente'],
    sandbox: table.isDelayed ? delayed : promptly,
    audit: 'VOUCHER',
  }
}

/** The provider's limits in EUR where a method has none of its own: at least 0.50, and at most eight digits. */
export const euroLimits: AmountLimits = { min: 50n, max: 99_999_999n }

/** How long a payer may take on the page of a bank, and on a phone. */
export const redirectMs = 60 * minuteMs
export const pushMs = 4 * minuteMs
