// The columns of tables that are written rarely: of a restore, of what was handed out before it, and of erasures.

export const rareColumns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // Of payments that the books do not have.
  lost_issuance: { payment_id: `size_id('lost_payment', i)` },
  lost_closing: { outcome: 'null' },
  epoch: { last_hash: 'size_bytes(i, 32)', event_jump: '1' },
  event_gap: { epoch: 'i', last_number: 'i', first_number: 'i + 2' },
  restore: { epoch: 'i' },
  restore_review: { epoch: 'i', subject: `'KEYS'` },
  money_out_comparison: { complete: '1', incomplete: `'[]'` },
  unrecorded: {
    kind: `'REFUND'`,
    reference: `size_id('refund', i)::text`,
    account: `'c' || 1 + (i % 50)`,
    known_minor: '0',
    report_hash: 'size_bytes(i, 32)',
    resolved_at: `case when not rare then size_at(i, n) end`,
    resolution: `case when not rare then 'WRITTEN_OFF' end`,
    wallet_id: 'null',
    note: 'null',
    chain: 'null',
    move: 'null',
  },
  erasure: { digest: 'size_bytes(i, 32)' },
  erased: {
    place: `'receipt.evidence'`,
    key: `size_id('payment', i) || '/1'`,
    erasure_id: `size_id('erasure', i)`,
    before_digest: 'size_bytes(i, 32)',
    after_digest: 'size_bytes(i, 32)',
  },
}
