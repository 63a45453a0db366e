// Mutants that no test can notice, because the product does the same with them. Each has a sentence that says why.
import { disputes } from './equal/disputes.ts'
import type { EqualMutant } from './equal/equal-mutant.ts'
import { erasure } from './equal/erasure.ts'
import { guards } from './equal/guards.ts'
import { issuance } from './equal/issuance.ts'
import { ledger } from './equal/ledger.ts'
import { merchants } from './equal/merchants.ts'
import { operator } from './equal/operator.ts'
import { payments } from './equal/payments.ts'
import { people } from './equal/people.ts'
import { railsAcquirer } from './equal/rails-acquirer.ts'
import { railsCrypto } from './equal/rails-crypto.ts'
import { railsPix } from './equal/rails-pix.ts'
import { railsSepa } from './equal/rails-sepa.ts'
import { refunds } from './equal/refunds.ts'
import { restored } from './equal/restored.ts'
import { settlement } from './equal/settlement.ts'
import { treasury } from './equal/treasury.ts'
import { wallets } from './equal/wallets.ts'
import { withdrawals } from './equal/withdrawals.ts'

export const equal: readonly EqualMutant[] = [
  ...disputes,
  ...erasure,
  ...guards,
  ...issuance,
  ...ledger,
  ...merchants,
  ...operator,
  ...payments,
  ...people,
  ...railsAcquirer,
  ...railsCrypto,
  ...railsPix,
  ...railsSepa,
  ...refunds,
  ...restored,
  ...settlement,
  ...treasury,
  ...wallets,
  ...withdrawals,
]
