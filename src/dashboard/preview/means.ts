// What the payer of an example payment pays with, for each method. Nothing here can be paid: the code's place is under `.example`
// (RFC 2606 §2), and the token refuses transfers to the address.
import type { Means } from '#/checkout/means.ts'
import type { Currency } from '#/kernel/money.ts'
import type { Flow } from '#/rails/descriptor.ts'
import type { Method } from '#/rails/method.ts'
import { descriptorOf, type PanelName } from '#/rails/methods.ts'
import { buildBrCode } from '#/rails/pix/br-code.ts'
import type { Coin, Presentation } from '#/rails/rail.ts'
import type { TemplateCurrency } from '#/templates/template.ts'

/** Where the money of the example is. `final`: whether the network has confirmed it. */
export type Arrived = { readonly minor: bigint; readonly final: boolean }

export type ExampleMethod = {
  /** Whether money on its way is authorised first, and becomes final by a capture. */
  readonly isAuthorised?: true
  readonly means: (arrived: Arrived | undefined) => Means
  /** The transaction that completed the payment. */
  readonly tx?: string
}

const coin: Coin = {
  chainId: 56n,
  contract: '0x55d398326f99059fF775485246999027B3197955',
  currency: 'USDT',
  network: 'BSC',
  decimals: 18,
  confirmations: 3,
}

/** The token's contract refuses a transfer to the zero address, so nobody can lose money by the picture. */
const nobody = `0x${'0'.repeat(40)}`
const tx = '0x9c1f4e2ab87d5360f1e8c2d7a94b6035e1f2c8d7b6a5943021fedcba98f677e2'

const pixCode = buildBrCode({
  kind: 'DYNAMIC',
  url: 'pix.example/qr/v2/019aa4c17f3e7c529d0b52a1c7e04b05',
  receiver: { name: 'EXAMPLE', city: 'SAO PAULO' },
})

/** By flow. No bank has the entity, nor the bank of the line. */
const presentations: Readonly<Record<Flow, (currency: Currency) => Presentation>> = {
  REDIRECT: () => ({ kind: 'HOSTED', url: 'https://bank.example/' }),
  PUSH: () => ({ kind: 'PUSH', phoneEnd: '678' }),
  VOUCHER: (currency) => ({
    kind: 'VOUCHER',
    voucher:
      currency === 'BRL'
        ? { line: '0'.repeat(47), barcode: '0'.repeat(44) }
        : { entity: '00000', reference: '000000000' },
  }),
  DEBIT: () => ({ kind: 'DEBIT', ibanEnd: '0154' }),
}

const withPanel: Readonly<Record<PanelName, ExampleMethod>> = {
  PIX: { means: () => ({ fields: { pixCopyPaste: pixCode } }) },
  CREDIT_CARD: {
    isAuthorised: true,
    means: () => ({
      fields: { card: { brand: 'visa', last4: '4242' } },
      presentation: {
        kind: 'FRAME',
        scriptUrl: 'https://card.example/',
        publishableKey: 'example',
        clientSecret: 'example',
        origins: [],
      },
    }),
  },
  CRYPTO: {
    tx,
    means: (arrived) => ({
      coin,
      fields: { cryptoAddress: nobody, cryptoNetwork: coin.network, deposits: depositsOf(arrived) },
    }),
  },
  PARTNER_PAY: {
    means: () => ({
      fields: {},
      presentation: {
        kind: 'APP',
        code: 'https://app.example/pay/019aa4c1',
        appUrl: 'https://app.example/pay/019aa4c1',
        expiresAt: new Date(0),
      },
    }),
  },
  SEPA_TRANSFER: { means: () => ({ fields: { sepa: exampleAccount } }) },
}

export function exampleMethod(method: Method): ExampleMethod {
  const { flow, currencies } = descriptorOf[method]
  if (flow === undefined) return withPanel[method as PanelName]
  return { means: () => ({ fields: {}, presentation: presentations[flow](currencies[0]) }) }
}

/** An IBAN in the form of the standard's own examples: the bank of its number does not exist. */
const exampleAccount = {
  iban: 'PT50000201231234567890154',
  beneficiary: 'Example',
  reference: 'RF18539007547034',
}

function depositsOf(arrived: Arrived | undefined) {
  if (arrived === undefined) return []
  const { minor, final } = arrived
  const at = new Date(0).toISOString()
  const amount = (minor * 10n ** BigInt(coin.decimals - 2)).toString()
  return [{ txHash: tx, amount, confirmations: final ? coin.confirmations : 1, final, at }]
}

/** The currency of the example: the template's first in which the method can be paid, else the method's usual one. */
export function currencyFor(method: Method, offered: readonly TemplateCurrency[]): TemplateCurrency {
  const { currencies } = descriptorOf[method]
  return offered.find((each) => currencies.includes(each)) ?? currencies[0]
}
