// Columns of the tables of restores, and of what was handed out before one.

export const restoredColumns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  lost_closing: { outcome: 'null' },
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
  },
  epoch: { last_hash: 'size_bytes(i, 32)', event_jump: '1' },
  event_gap: { epoch: 'i', last_number: 'i', first_number: 'i + 2' },
  restore: { epoch: 'i' },
  restore_review: { epoch: 'i', subject: `'KEYS'` },
  money_out_comparison: { complete: '1', incomplete: `'[]'` },
}
