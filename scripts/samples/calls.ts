// The calls that the documents show in four languages: each is said once here, and languages.ts writes it in each of them.

export type Language = 'sh' | 'ts' | 'python' | 'php'

/** A value of a body. `unique`: a text that is another one in each run. `from`: a field of an earlier answer. */
export type Value =
  | string
  | number
  | { readonly unique: string }
  | { readonly from: string; readonly field: string }
  | readonly Value[]
  | { readonly fields: Readonly<Record<string, Value>> }

/** Part of a path: a text, or a field of an earlier answer. */
export type PathPart = string | { readonly from: string; readonly field: string }

export type Step =
  | {
      readonly kind: 'call'
      /** The variable that gets the answer. */
      readonly result: string
      readonly method: 'GET' | 'POST'
      readonly path: readonly PathPart[]
      readonly body?: Readonly<Record<string, Value>>
      /** The fields of the answer that the sample prints. */
      readonly prints: readonly string[]
    }
  | {
      /** Asks again, each second for a minute at most, until a field has a value. */
      readonly kind: 'await'
      readonly result: string
      readonly path: readonly PathPart[]
      readonly field: string
      readonly value: string
    }
  | {
      /** What each language does before its first call: the address, the key, and one function. */
      readonly kind: 'begin'
    }
  | {
      /** A function that says whether a webhook is signed with the secret, and fresh. */
      readonly kind: 'verify'
    }

export type Sample = readonly Step[]

const payment = { from: 'payment', field: 'id' } as const

const onOurPage: Step = {
  kind: 'call',
  result: 'order',
  method: 'POST',
  path: ['/v1/payments'],
  body: { amount: 4990, currency: 'BRL', checkout: 'default', idempotencyKey: { unique: 'order' } },
  prints: ['id', 'checkoutUrl'],
}

/** By the name that stands in the comment above the blocks. The blocks of a page are one program in their order. */
export const samples: Readonly<Record<string, Sample>> = {
  front: [{ kind: 'begin' }, onOurPage],
  begin: [{ kind: 'begin' }],
  checkout: [onOurPage],
  create: [
    {
      kind: 'call',
      result: 'payment',
      method: 'POST',
      path: ['/v1/payments'],
      body: {
        amount: 4990,
        currency: 'BRL',
        paymentMethods: ['PIX'],
        customerName: 'Ana Souza',
        customerTaxId: '529.982.247-25',
        idempotencyKey: { unique: 'order' },
        metadata: { fields: { orderId: 'A-1' } },
      },
      prints: ['id', 'pixCopyPaste'],
    },
  ],
  show: [
    {
      kind: 'call',
      result: 'shown',
      method: 'GET',
      path: ['/v1/payments/', payment],
      prints: ['status', 'amount', 'expiresAt'],
    },
  ],
  pay: [
    {
      kind: 'call',
      result: 'play',
      method: 'POST',
      path: ['/v1/sandbox/payments/', payment, '/pay'],
      body: { scenario: 'exact' },
      prints: [],
    },
    { kind: 'await', result: 'paid', path: ['/v1/payments/', payment], field: 'status', value: 'PAID' },
  ],
  refund: [
    {
      kind: 'call',
      result: 'refund',
      method: 'POST',
      path: ['/v1/payments/', payment, '/refunds'],
      body: { amount: 1000, reason: 'Cracked cup', idempotencyKey: { unique: 'return' } },
      prints: ['id', 'status'],
    },
  ],
  withdraw: [
    {
      kind: 'call',
      result: 'withdrawal',
      method: 'POST',
      path: ['/v1/withdrawals'],
      body: {
        type: 'PIX',
        amount: 2000,
        currency: 'BRL',
        pixKey: 'ana@example.com',
        pixKeyType: 'EMAIL',
        idempotencyKey: { unique: 'invoice' },
      },
      prints: ['id', 'status'],
    },
  ],
  verify: [{ kind: 'verify' }],
}
