// What the columns of the tables of a repair after a restore hold, where it does not follow from their type.

export const restoredColumns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // Of payments that the books do not have.
  lost_issuance: { payment_id: `size_id('lost_payment', i)` },
  lost_closing: { outcome: 'null' },
  epoch: { last_hash: 'size_bytes(i, 32)' },
  event_gap: { merchant_id: `size_id('merchant', i)`, last_number: '0', first_number: '1' },
  restore: { epoch: 'i' },
  restore_review: { epoch: 'i', subject: `'KEYS'` },
}
