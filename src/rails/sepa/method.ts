import { describe } from '#/rails/descriptor.ts'

export const sepaTransfer = describe({
  method: 'SEPA_TRANSFER',
  currencies: ['EUR'],
  refunds: 'PART',
  mark: 'bank',
  label: { en: 'Bank transfer', 'pt-BR': 'Transferência bancária', es: 'Transferencia bancaria' },
  merchantLabel: { en: 'SEPA transfer', 'pt-BR': 'Transferência SEPA', es: 'Transferencia SEPA' },
  by: { en: 'bank transfer', 'pt-BR': 'transferência bancária', es: 'transferencia bancaria' },
  who: { en: 'The bank', 'pt-BR': 'O banco', es: 'El banco' },
  hint: {
    en: 'From your bank. Instant transfers arrive at once, others within one business day.',
    'pt-BR': 'Do seu banco. Transferências imediatas chegam na hora, as outras em até um dia útil.',
    es: 'Desde su banco. Las inmediatas llegan al instante, las demás en un día hábil.',
  },
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
