import { dictionary } from './dictionary.ts'

/** The split of a payment: a payment's first view has no other words of sub-accounts. */
export const shareWords = dictionary({
  shares: ['Divisão', 'Split', 'División'],
  shareOf: (percent: string) => [
    `${percent}% do que fica`,
    `${percent}% of what is kept`,
    `${percent}% de lo que queda`,
  ],
  fixed: ['valor fixo', 'fixed amount', 'importe fijo'],
  waits: ['Ainda não liberado', 'Not released yet', 'Aún no liberado'],
  returned: ['Voltou', 'Went back', 'Volvió'],
  covered: ['Coberto por você', 'Covered by you', 'Cubierto por usted'],
})
