// The records of sub-accounts and shares that the examples of openapi.json show.
import { createdAt } from './example-records.ts'

export const subAccount = {
  id: '019aa3c2-0009-7000-8000-000000000009',
  mode: 'SANDBOX',
  name: 'Livraria Bea',
  state: 'PENDING',
  taxId: '11222333000181',
  reference: 'seller-17',
  createdAt,
  version: 1,
} as const

export const share = {
  id: '019aa3c2-0011-7000-8000-000000000011',
  walletId: '019aa3c2-0012-7000-8000-000000000012',
  currency: 'BRL',
  percent: '33.33',
  label: 'Book 1',
  amountCredited: 3333,
  amountPending: 0,
  fee: 0,
  version: 2,
  createdAt,
} as const

export const grant = {
  id: '019aa3c2-0013-7000-8000-000000000013',
  mode: 'SANDBOX',
  status: 'ACTIVE',
  currency: 'BRL',
  maxAmount: 10000,
  amountTaken: 0,
  expiresAt: '2026-12-21T02:03:04.567Z',
  description: 'Rent of the stand',
  createdAt,
  version: 1,
} as const
