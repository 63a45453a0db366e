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

const inEuro = { currency: 'eur', minimum: 50, maximum: most } as const
/** The payer confirms on a page of the bank. */
const atBank = { ...inEuro, flow: 'redirect', needs: [], seconds: 3_600 } as const

export const localMethods: readonly LocalMethod[] = [
  { ...inEuro, type: 'multibanco', flow: 'voucher', needs: ['email'], seconds: 7 * day },
  { ...inEuro, type: 'mb_way', flow: 'push', needs: ['phone'], seconds: 240, maximum: 500_000 },
  { ...atBank, type: 'ideal' },
  { ...atBank, type: 'bancontact', needs: ['name'] },
  { ...atBank, type: 'bizum' },
  { ...inEuro, type: 'sepa_debit', flow: 'debit', needs: ['email', 'name'], seconds: 14 * day },
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
