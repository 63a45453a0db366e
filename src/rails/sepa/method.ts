import { describe } from '#/rails/descriptor.ts'

export const sepaTransfer = describe({
  method: 'SEPA_TRANSFER',
  currencies: ['EUR'],
  refunds: 'PART',
  mark: 'bank',
  label: ['Transferência bancária', 'Bank transfer', 'Transferencia bancaria'],
  merchantLabel: ['Transferência SEPA', 'SEPA transfer', 'Transferencia SEPA'],
  by: ['transferência bancária', 'bank transfer', 'transferencia bancaria'],
  who: ['O banco', 'The bank', 'El banco'],
  hint: [
    'Do seu banco. Transferências imediatas chegam na hora, as outras em até um dia útil.',
    'From your bank. Instant transfers arrive at once, others within one business day.',
    'Desde su banco. Las inmediatas llegan al instante, las demás en un día hábil.',
  ],
  /**
   * - `exact`, `under`, `over`, `twice`: the amount, half, a tenth more, two transfers of it.
   * - `no_reference`: quotes nothing.
   * - `typo`: one character of the reference is wrong.
   * - `late`: after the payment expired, on the bank's next day.
   */
  sandbox: {
    scenarios: ['exact', 'under', 'over', 'no_reference', 'typo', 'late', 'twice'],
    meaning: 'no_reference: goes to suspense. typo: one character is wrong, so it waits for a person.',
  },
  audit: 'OWN',
  docs: 'sepa-transfer.md',
})
