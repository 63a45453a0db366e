// What a transfer shows to each of its two sides, and what its request named.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '#/kernel/given.ts'
import type { MerchantId, WalletId } from '#/kernel/id.ts'
import { bareId } from '../../test/bare-rows.ts'
import {
  ownTransferRecord,
  requestedSides,
  type OwnTransfer,
  type OwnTransferId,
  type StoredSides,
} from './own-transfer.ts'
import type { TransferGrantId } from './transfer-grant.ts'

const [platform, sub] = [bareId(1) as MerchantId, bareId(2) as MerchantId]
const [fromWalletId, toWalletId] = [bareId(3) as WalletId, bareId(4) as WalletId]
const [grantId, sourceId] = [bareId(5) as TransferGrantId, bareId(6)]
const wallets = { fromWalletId, toWalletId }

test('a stored transfer tells which sides its request named', () => {
  const given: StoredSides = {
    ...wallets,
    otherId: sub,
    grantId: null,
    sourceId: null,
    isMirror: false,
    namesWallet: false,
  }
  const cases: readonly (readonly [change: Partial<StoredSides>, sides: object])[] = [
    [{ otherId: null }, wallets],
    // The row of the other side, which nobody requested.
    [{ isMirror: true }, wallets],
    [{}, { fromWalletId, toSubAccountId: sub }],
    [{ namesWallet: true }, { ...wallets, toSubAccountId: sub }],
    [{ grantId }, { fromSubAccountId: sub, toWalletId }],
    [
      { grantId, namesWallet: true },
      { ...wallets, fromSubAccountId: sub },
    ],
    [{ sourceId }, { fromSubAccountId: sub, toWalletId }],
  ]
  for (const [change, sides] of cases) assert.deepEqual(requestedSides({ ...given, ...change }), sides)
})

test('each side sees its own wallet, who the other is, and why the money moved', () => {
  const transfer: OwnTransfer = {
    merchantId: platform,
    id: bareId(7) as OwnTransferId,
    request: { amount: 5 },
    ...wallets,
    currency: 'BRL',
    createdAt: new Date('2027-01-01T00:00:00Z'),
  }
  const [ofSub, ofParent] = [
    { merchantId: sub, is: 'SUB_ACCOUNT' },
    { merchantId: platform, is: 'PARENT' },
  ] as const
  const cases: readonly (readonly [other: OwnTransfer['other'], sides: object])[] = [
    [undefined, wallets],
    [ofSub, { ...wallets, toSubAccountId: sub }],
    [
      { ...ofSub, grantId },
      { ...wallets, fromSubAccountId: sub, grantId },
    ],
    [
      { ...ofSub, sourceId },
      { ...wallets, fromSubAccountId: sub, sourceId },
    ],
    [ofParent, { fromParent: true, toWalletId }],
    [
      { ...ofParent, grantId },
      { fromWalletId, toParent: true, grantId },
    ],
    [
      { ...ofParent, sourceId },
      { fromWalletId, toParent: true, sourceId },
    ],
  ]
  for (const [other, sides] of cases) {
    const record = ownTransferRecord('LIVE', { ...transfer, ...given({ other }) })
    assert.deepEqual(record, {
      id: bareId(7),
      mode: 'LIVE',
      amount: 5,
      currency: 'BRL',
      ...sides,
      version: 1,
      createdAt: '2027-01-01T00:00:00.000Z',
    })
  }
})
