import { commonWords } from '#/kernel/common-words.ts'
import { dictionary } from './dictionary.ts'

export const disputeWords = dictionary({
  title: commonWords.disputes,
  disputeOf: (amount: string) => [`Contestação de ${amount}`, `Dispute of ${amount}`, `Disputa de ${amount}`],
  id: ['ID da contestação', 'dispute ID', 'ID de la disputa'],
  from: commonWords.fromDay,
  kind: commonWords.type,
  due: ['Prazo', 'Due', 'Plazo'],
  dueIn: (when: string) => [
    `Prazo da defesa: ${when}`,
    `Evidence due ${when}`,
    `Plazo de las pruebas: ${when}`,
  ],
  dueOver: [
    'O prazo da defesa terminou',
    'The evidence deadline has passed',
    'El plazo de las pruebas terminó',
  ],
  created: ['Aberta em', 'Opened', 'Abierta el'],
  closed: ['Encerrada em', 'Closed', 'Cerrada el'],
  fee: ['Tarifa da contestação', 'Dispute fee', 'Comisión de la disputa'],
  seePayment: ['Ver pagamento', 'View payment', 'Ver pago'],
  none: ['Nenhuma contestação', 'No disputes', 'Ninguna disputa'],
  noneLead: [
    'Quando um pagador ou o banco dele contestar um pagamento, a contestação aparece aqui com o prazo.',
    'When a payer or their bank disputes a payment, it shows up here with its deadline.',
    'Cuando un pagador o su banco dispute un pago, la disputa aparece aquí con su plazo.',
  ],
  noneFound: [
    'Nenhuma contestação com estes filtros',
    'No disputes match these filters',
    'Ninguna disputa con estos filtros',
  ],
  open: [
    'O valor e a tarifa já saíram do saldo disponível. Se você ganhar, o valor volta.',
    'The amount and the fee have left the available balance. If you win, the amount comes back.',
    'El importe y la comisión ya salieron del saldo disponible. Si usted gana, el importe vuelve.',
  ],
  evidence: [
    'Escreva a defesa abaixo e envie dentro do prazo.',
    'Write your evidence below and submit it before the deadline.',
    'Escriba las pruebas abajo y envíelas dentro del plazo.',
  ],
  med: [
    'Os bancos decidem entre si. Não há nada a fazer aqui.',
    'The banks decide between themselves. There is nothing to do here.',
    'Los bancos lo deciden entre ellos. No hay nada que hacer aquí.',
  ],
  won: [
    'Você ganhou: o valor voltou para a carteira.',
    'You won: the amount is back in the wallet.',
    'Usted ganó: el importe está de nuevo en la billetera.',
  ],
  lost: ['O valor ficou com o pagador.', 'The payer kept the amount.', 'El importe quedó con el pagador.'],
  accept: ['Aceitar contestação', 'Accept dispute', 'Aceptar disputa'],
  acceptTitle: (amount: string) => [
    `Aceitar a contestação de ${amount}?`,
    `Accept the dispute of ${amount}?`,
    `¿Aceptar la disputa de ${amount}?`,
  ],
  acceptLead: [
    'O valor fica com o pagador e a contestação termina como perdida. Isto não pode ser desfeito.',
    'The payer keeps the amount, and the dispute is closed as lost. This cannot be undone.',
    'El importe queda con el pagador y la disputa termina como perdida. No se puede deshacer.',
  ],
  acceptDone: [
    'Contestação aceita. O valor fica com o pagador.',
    'Dispute accepted. The payer keeps the amount.',
    'Disputa aceptada. El importe queda con el pagador.',
  ],
})
