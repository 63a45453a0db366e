// What the columns of the SEPA rail's tables hold, where it does not follow from their type.

export const sepaColumns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sepa_reference: { reference: `'RF' || lpad((i % 100)::text, 2, '0') || i` },
  sepa_file: {
    message: `'camt.053.001.02'`,
    state: `case when rare then 'REFUSED' else 'IMPORTED' end`,
    reason: `case when rare then 'it is cut' end`,
    about: `'m' || i`,
    raised: 'null',
  },
  operator_upload: { size: '1', job_id: `case when rare then null else size_id('operator_job', i) end` },
  operator_upload_part: { upload_id: `size_id('operator_upload', i)`, number: '0' },
  sepa_foreign: {
    currency: `'CHF'`,
    credit: 'true',
    amount: `'1.00'`,
    decided_at: 'case when rare then null else size_at(i, n) end',
    decided_by: `case when rare then null else 'a' end`,
    reason: `case when rare then null else 'b' end`,
  },
  sepa_statement: { currency: `'EUR'`, bank_id: `'S' || i`, closed_on: 'size_at(i, n)::date' },
  sepa_entry: {
    currency: `'EUR'`,
    kind: `case when rare then 'PROPOSED' else 'PAID' end`,
    statement: 'case when rare then null else i end',
    credit: 'true',
    booked_on: 'size_at(i, n)::date',
    fact: `'{}'::json`,
    names: `array['ref' || i]`,
    of_reference: 'null',
    of_part: 'null',
    like_reference: 'null',
    like_part: 'null',
  },
  sepa_batch: { message_id: `'m' || i`, taken_by: 'null', taken_at: 'null' },
  sepa_payout: {
    state: `case when rare then 'WAITING' else 'BATCHED' end`,
    batch_id: `case when rare then null else size_id('sepa_batch', i) end`,
    kind: `case when i % 10 = 0 then 'REFUND' else 'WITHDRAWAL' end`,
    payout_id: `case when i % 10 = 0 then size_id('refund', i) else size_id('withdrawal', i) end`,
    returned_minor: '0',
  },
}
