import { commonWords } from '#/kernel/common-words.ts'
import { dictionary } from './dictionary.ts'

export const disputeWords = dictionary({
  title: commonWords.disputes,
  disputeOf: (amount: string) => [`Disputa de ${amount}`, `Dispute of ${amount}`, `Disputa de ${amount}`],
  id: ['número da disputa', 'dispute id', 'número de la disputa'],
  from: commonWords.fromDay,
  kind: ['Tipo', 'Kind', 'Tipo'],
  due: ['Prazo', 'Due', 'Plazo'],
  dueIn: (when: string) => [`Prazo de defesa: ${when}`, `Evidence due ${when}`, `Plazo de defensa: ${when}`],
  dueOver: ['O prazo de defesa passou', 'The time for evidence is over', 'El plazo de defensa pasó'],
  created: ['Aberta em', 'Opened', 'Abierta'],
  closed: ['Encerrada em', 'Closed', 'Cerrada'],
  fee: ['Tarifa da disputa', 'Fee of the dispute', 'Tarifa de la disputa'],
  seePayment: ['Ver pagamento', 'See payment', 'Ver pago'],
  none: ['Nenhuma disputa', 'No disputes', 'Ninguna disputa'],
  noneLead: [
    'Quando um pagador ou o banco dele contestar um pagamento, a disputa aparece aqui com o prazo.',
    'When a payer or their bank contests a payment, the dispute shows here with its due date.',
    'Cuando un pagador o su banco dispute un pago, la disputa aparece aquí con su plazo.',
  ],
  noneFound: [
    'Nenhuma disputa com estes filtros',
    'No disputes with these filters',
    'Ninguna disputa con estos filtros',
  ],
  open: [
    'O valor e a tarifa já saíram do saldo disponível. Se você ganhar, o valor volta.',
    'The amount and the fee have left the available balance. If you win, the amount comes back.',
    'El importe y la tarifa ya salieron del saldo disponible. Si usted gana, el importe vuelve.',
  ],
  evidence: [
    'Escreva a defesa abaixo e envie até o prazo.',
    'Write your evidence below and submit it before it is due.',
    'Escriba las pruebas abajo y envíelas antes del plazo.',
  ],
  med: [
    'Os bancos decidem entre si. Não há nada a fazer aqui.',
    'The banks decide it among themselves. There is nothing to do here.',
    'Los bancos lo deciden entre ellos. No hay nada que hacer aquí.',
  ],
  won: [
    'Você ganhou: o valor voltou para a carteira.',
    'You won: the amount is in the wallet again.',
    'Usted ganó: el importe está de nuevo en la billetera.',
  ],
  lost: [
    'O valor ficou com o pagador.',
    'The amount stayed with the payer.',
    'El importe quedó con el pagador.',
  ],
  accept: ['Aceitar disputa', 'Accept dispute', 'Aceptar disputa'],
  acceptTitle: (amount: string) => [
    `Aceitar a disputa de ${amount}?`,
    `Accept the dispute of ${amount}?`,
    `¿Aceptar la disputa de ${amount}?`,
  ],
  acceptLead: [
    'O valor fica com o pagador e a disputa termina como perdida. Não pode ser desfeito.',
    'The amount stays with the payer, and the dispute ends as lost. This cannot be undone.',
    'El importe queda con el pagador y la disputa termina como perdida. No se puede deshacer.',
  ],
  acceptDone: [
    'Disputa aceita. O valor fica com o pagador.',
    'The dispute is accepted. The amount stays with the payer.',
    'La disputa fue aceptada. El importe queda con el pagador.',
  ],
})
