// The records that the examples of openapi.json show: one shop's payments, and what became of them.
export const ids = {
  merchant: '019aa3c2-0001-7000-8000-000000000001',
  payment: '019aa3c2-7b1e-7c4d-9f00-5a1b2c3d4e5f',
  wallet: '019aa3c2-0001-7000-8000-000000000003',
  event: '019aa3c2-9d20-7a11-8b5c-0f1e2d3c4b5a',
  delivery: '019aa3c2-9d21-7b12-8c6d-1f2e3d4c5b6a',
  endpoint: '019aa3c2-e555-7105-8e44-af5061728394',
  recovery: '019aa3c2-f666-7206-8f55-b06172839405',
  entry: '019aa3c2-9d1f-8123-8123-456789abcdef',
} as const

export const createdAt = '2026-11-21T02:03:04.567Z'
const expiresAt = '2026-11-21T03:03:04.567Z'
export const paidAt = '2026-11-21T02:04:11.250Z'
export const txHash = '0x5f1c8e0a2b7d4c6f9e3a1b5d7f2c4e6a8b0d1f3e5c7a9b2d4f6e8a0c1b3d5f7e'

export const items = [
  { name: 'Coffee beans, 1 kg', quantity: 2, amount: 600 },
  { name: 'Shipping', quantity: 1, amount: 34 },
] as const

export const created = {
  id: ids.payment,
  mode: 'SANDBOX',
  status: 'WAITING_PAYMENT',
  amount: 1234,
  currency: 'USDT',
  paymentMethods: ['CRYPTO'],
  metadata: { orderId: 'A-1' },
  items,
  idempotencyKey: 'order-A-1',
  webhookUrl: 'https://shop.example.com/webhooks',
  createdAt,
  expiresAt,
} as const

export const paid = {
  id: ids.payment,
  mode: 'SANDBOX',
  status: 'PAID',
  amount: 1234,
  currency: 'USDT',
  paymentMethods: ['CRYPTO'],
  paymentMethod: 'CRYPTO',
  amountReceived: 1234,
  amountRefunded: 0,
  amountRefundPending: 0,
  refundStatus: 'NONE',
  exceptions: [],
  fee: 0,
  netAmount: 1234,
  walletId: ids.wallet,
  idempotencyKey: 'order-A-1',
  metadata: { orderId: 'A-1' },
  items,
  webhookUrl: 'https://shop.example.com/webhooks',
  cryptoAddress: '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
  cryptoAmount: '12340000000000000000',
  cryptoAmountToken: '12340000000000000000',
  cryptoDecimals: 18,
  cryptoContract: '0x55d398326f99059fF775485246999027B3197955',
  cryptoChainId: 56,
  cryptoNetwork: 'BSC',
  cryptoCurrency: 'USDT',
  depositCount: 1,
  deposits: [{ txHash, amount: '12340000000000000000', confirmations: 12, final: true, at: paidAt }],
  createdAt,
  expiresAt,
  paidAt,
  version: 3,
} as const

const { paidAt: _paidAt, walletId: _wallet, ...unpaid } = paid

export const canceled = {
  ...unpaid,
  status: 'CANCELED',
  amountReceived: 0,
  netAmount: 0,
  depositCount: 0,
  deposits: [],
  version: 2,
} as const

export const balances = { balance: 1234, pendingBalance: 0, heldBalance: 0 } as const

export const wallet = {
  id: ids.wallet,
  currency: 'USDT',
  label: 'USDT',
  walletType: 'SPENDABLE',
  isDefault: true,
  isActive: true,
  version: 1,
  createdAt,
  ...balances,
} as const

export const reserve = {
  ...wallet,
  id: '019aa3c2-0002-7000-8000-000000000004',
  currency: 'BRL',
  label: 'Taxes',
  walletType: 'RESERVE',
  isDefault: false,
  balance: 0,
} as const

export const entry = {
  id: ids.entry,
  walletId: ids.wallet,
  currency: 'USDT',
  kind: 'PAYMENT',
  amount: 1234,
  balance: 1234,
  postedAt: paidAt,
  description: 'Payment',
  paymentId: ids.payment,
} as const

export const transfer = {
  id: '019aa3c2-c333-7f03-8c22-8d3e4f506172',
  mode: 'SANDBOX',
  amount: 5000,
  currency: 'BRL',
  fromWalletId: '019aa3c2-0003-7000-8000-000000000005',
  toWalletId: reserve.id,
  description: 'Taxes of November',
  version: 1,
  createdAt: paidAt,
} as const

export const summary = {
  from: '2026-11-01T00:00:00.000Z',
  to: '2026-12-01T00:00:00.000Z',
  data: [
    {
      currency: 'BRL',
      openingBalance: 0,
      inflow: 50050,
      outflow: 20000,
      net: 30050,
      closingBalance: 30050,
      byKind: [
        { kind: 'PAYMENT', count: 1, inflow: 50050, outflow: 0 },
        { kind: 'WITHDRAWAL', count: 1, inflow: 0, outflow: 20000 },
        { kind: 'TRANSFER', count: 2, inflow: 5000, outflow: 5000 },
      ],
    },
  ],
} as const

export const history = {
  interval: 'DAY',
  timeZone: 'America/Sao_Paulo',
  data: [
    {
      date: '2026-11-20',
      currency: 'BRL',
      openingBalance: 0,
      inflow: 50050,
      outflow: 20000,
      closingBalance: 30050,
    },
  ],
} as const

export const event = {
  id: ids.event,
  type: 'payment.completed',
  timestamp: paidAt,
  mode: 'SANDBOX',
  sequence: 42,
  data: { ...paid, onchainTxHash: txHash },
} as const

const ownKeyId = '019aa3c2-0002-7000-8000-000000000005'

export const apiKey = {
  id: '019aa3c2-0002-7000-8000-000000000021',
  name: 'shop',
  lastFour: 'x7Qb',
  status: 'ACTIVE',
  scopes: ['payments:read', 'payments:write'],
  allowedCidrs: ['203.0.113.0/24', '2001:db8::/32'],
  createdAt,
  createdBy: { kind: 'API_KEY', keyId: ownKeyId },
  lineage: ownKeyId,
  expiresAt: '2027-12-31T00:00:00.000Z',
} as const

/** Not a valid key: its checksum is wrong. */
export const apiKeySecret = 'vtm_test_a1EXAMPLEexampleEXAMPLEexampleEX00x7Qb'

export const rolledApiKey = {
  ...apiKey,
  id: '019aa3c2-0002-7000-8000-000000000022',
  rolledFrom: apiKey.id,
} as const

export const caller = {
  merchant: { id: ids.merchant, name: 'Padaria Ana', mode: 'SANDBOX', createdAt },
  key: {
    id: ownKeyId,
    name: 'shop',
    lastFour: 'k2Pz',
    status: 'ACTIVE',
    scopes: ['payments:read', 'payments:write', 'withdrawals:read'],
    createdAt,
    createdBy: { kind: 'OPERATOR' },
    lineage: ownKeyId,
    lastUsedAt: paidAt,
  },
  limits: {
    requests: { perSecond: 100, burst: 200 },
    withdrawals: [
      {
        type: 'PIX',
        currency: 'BRL',
        each: 100000,
        day: 500000,
        spentToday: 20000,
        approvalAbove: 50000,
        listedOnly: false,
      },
    ],
  },
} as const

export const delivery = {
  id: ids.delivery,
  eventId: ids.event,
  url: 'https://shop.example.com/webhooks',
  status: 'DELIVERED',
  attempts: [{ at: paidAt, durationMs: 12, responseStatus: 200, responseBody: 'ok' }],
} as const

export const pending = { ...delivery, status: 'PENDING', nextAttemptAt: paidAt } as const

export const refund = {
  id: '019aa3c2-a111-7d01-9a00-6b1c2d3e4f50',
  mode: 'SANDBOX',
  paymentId: ids.payment,
  status: 'COMPLETED',
  amount: 500,
  currency: 'BRL',
  reason: 'One item was not there',
  createdAt: paidAt,
  completedAt: '2026-11-21T02:04:12.003Z',
  version: 2,
} as const

const { completedAt: _refunded, ...openRefund } = refund
export const pendingRefund = { ...openRefund, status: 'PENDING', version: 1 } as const

export const dispute = {
  id: '019aa3c2-b222-7e02-8b11-7c2d3e4f5061',
  mode: 'SANDBOX',
  paymentId: ids.payment,
  status: 'OPEN',
  kind: 'MED',
  amount: 1234,
  currency: 'BRL',
  fee: 0,
  reason: 'FR01',
  createdAt: paidAt,
  version: 1,
} as const

export const disputeEvidence = {
  disputeId: dispute.id,
  status: 'SENT',
  canChange: false,
  texts: { productDescription: 'Coffee beans, 1 kg', shippingTrackingNumber: 'BR123456785BR' },
  files: [
    {
      kind: 'SHIPPING_DOCUMENTATION',
      name: 'delivery.pdf',
      type: 'application/pdf',
      size: 48_213,
      sha256: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
      addedAt: dispute.createdAt,
      addedBy: apiKey.id,
    },
  ],
  changedAt: dispute.createdAt,
  changedBy: apiKey.id,
  submittedAt: dispute.createdAt,
  submittedBy: apiKey.id,
  sentAt: dispute.createdAt,
  version: 3,
} as const

const { submittedAt: _, submittedBy: __, sentAt: ___, ...unsubmitted } = disputeEvidence
export const evidenceDraft = { ...unsubmitted, status: 'DRAFT', canChange: true } as const

export const accepted = {
  ...dispute,
  status: 'LOST',
  kind: 'CHARGEBACK',
  amount: 2500,
  currency: 'EUR',
  fee: 1500,
  reason: 'fraudulent',
  evidenceDueAt: '2026-11-28T23:59:59.000Z',
  closedAt: '2026-11-22T10:00:00.000Z',
  version: 3,
} as const

export const captured = {
  id: ids.payment,
  mode: 'SANDBOX',
  status: 'PAID',
  amount: 2500,
  currency: 'EUR',
  paymentMethods: ['CREDIT_CARD'],
  paymentMethod: 'CREDIT_CARD',
  amountReceived: 2000,
  amountRefunded: 0,
  amountRefundPending: 0,
  refundStatus: 'NONE',
  exceptions: [],
  fee: 0,
  netAmount: 2000,
  walletId: ids.wallet,
  metadata: { orderId: 'A-1' },
  captureMode: 'MANUAL',
  returnUrl: 'https://shop.example.com/orders/A-1',
  cardRedirectUrl: 'https://pay.example.com/c/a1bm90LXRoZS10b2tlbi1vZi1hbnlib2R5LQ',
  card: { brand: 'visa', last4: '4242', threeDSecure: 'AUTHENTICATED' },
  createdAt,
  expiresAt,
  approvedAt: '2026-11-21T02:03:40.000Z',
  paidAt,
  version: 4,
} as const

export const withdrawal = {
  id: '019aa3c2-d444-7004-8d33-9e4f50617283',
  mode: 'SANDBOX',
  type: 'PIX',
  status: 'COMPLETED',
  amount: 20000,
  fee: 0,
  totalDebited: 20000,
  currency: 'BRL',
  walletId: '019aa3c2-0003-7000-8000-000000000005',
  pixKey: 'ana@example.com',
  pixKeyType: 'EMAIL',
  endToEndId: 'E9999901220261121020304abcdefghijk',
  providerRef: '5f1c8e0a2b7d4c6f9e3a1b5d7f2c4e6a',
  metadata: { invoice: '77' },
  createdAt: paidAt,
  completedAt: '2026-11-21T02:04:12.003Z',
  version: 3,
} as const

const { endToEndId: _endToEndId, providerRef: _ref, completedAt: _done, ...openWithdrawal } = withdrawal
export const pendingWithdrawal = { ...openWithdrawal, status: 'PENDING', version: 1 } as const

export const withdrawalBatch = {
  id: '019aa3c2-d555-7005-8e44-af5061728394',
  status: 'IN_PROGRESS',
  count: 2,
  idempotencyKey: 'suppliers-2026-11',
  createdAt: paidAt,
} as const
export const withdrawalBatchProgress = {
  ...withdrawalBatch,
  progress: [
    { status: 'COMPLETED', currency: 'BRL', count: 1, amount: 5000, fee: 0 },
    { status: 'PROCESSING', currency: 'BRL', count: 1, amount: 7500, fee: 0 },
  ],
} as const

export const payoutSchedule = {
  id: '019aa3c2-d666-7006-8f55-b06172839405',
  mode: 'SANDBOX',
  status: 'ACTIVE',
  walletId: withdrawal.walletId,
  currency: 'BRL',
  type: 'PIX',
  pixKey: 'ana@example.com',
  pixKeyType: 'EMAIL',
  rhythm: 'DAILY',
  time: '06:00',
  timeZone: 'America/Sao_Paulo',
  keep: 10000,
  minimum: 1,
  nextRunAt: '2026-11-22T09:00:00.000Z',
  lastRunAt: '2026-11-21T09:00:00.412Z',
  lastOutcome: 'REQUESTED',
  lastWithdrawalId: withdrawal.id,
  createdAt: '2026-11-20T15:00:00.000Z',
  version: 1,
} as const
