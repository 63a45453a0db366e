// The local methods of this acquirer, besides cards: in which currency, how the payer pays, and how long that may take.

/** `debit`: the payer has done everything with the confirmation, and the bank answers days later. */
export type Flow = 'redirect' | 'push' | 'voucher' | 'debit'

export type LocalMethod = {
  readonly type: string
  readonly currency: 'eur' | 'brl'
  readonly flow: Flow
  /** What its `billing_details` must have. */
  readonly needs: readonly ('email' | 'phone' | 'name' | 'address')[]
  /** How long the payer can act; of a debit, how long the bank may take. */
  readonly seconds: number
  readonly minimum: number
  readonly maximum: number
}

const day = 86_400
const most = 99_999_999

export const localMethods: readonly LocalMethod[] = [
  {
    type: 'multibanco',
    currency: 'eur',
    flow: 'voucher',
    needs: ['email'],
    seconds: 7 * day,
    minimum: 50,
    maximum: most,
  },
  {
    type: 'mb_way',
    currency: 'eur',
    flow: 'push',
    needs: ['phone'],
    seconds: 240,
    minimum: 50,
    maximum: 500_000,
  },
  { type: 'ideal', currency: 'eur', flow: 'redirect', needs: [], seconds: 3_600, minimum: 50, maximum: most },
  {
    type: 'bancontact',
    currency: 'eur',
    flow: 'redirect',
    needs: ['name'],
    seconds: 3_600,
    minimum: 50,
    maximum: most,
  },
  { type: 'bizum', currency: 'eur', flow: 'redirect', needs: [], seconds: 3_600, minimum: 50, maximum: most },
  {
    type: 'sepa_debit',
    currency: 'eur',
    flow: 'debit',
    needs: ['email', 'name'],
    seconds: 14 * day,
    minimum: 50,
    maximum: most,
  },
  {
    type: 'boleto',
    currency: 'brl',
    flow: 'voucher',
    needs: ['name', 'email', 'address'],
    seconds: 3 * day,
    minimum: 500,
    maximum: 4_999_999,
  },
]

export function localMethodOf(type: string | undefined): LocalMethod | undefined {
  return localMethods.find((each) => each.type === type)
}

/** The methods that an account of this country can enable. */
export function methodsIn(country: string): readonly string[] {
  return localMethods
    .filter(({ currency }) => (currency === 'brl') === (country === 'BR'))
    .map(({ type }) => type)
}
