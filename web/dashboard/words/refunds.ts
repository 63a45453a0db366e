import { commonWords } from '#/kernel/common-words.ts'
import { dictionary } from './dictionary.ts'

export const refundWords = dictionary({
  title: commonWords.refunds,
  refundOf: (amount: string) => [`Devolução de ${amount}`, `Refund of ${amount}`, `Devolución de ${amount}`],
  id: ['número da devolução', 'refund id', 'número de la devolución'],
  search: [
    'Valor, hash da transação ou identificador do Pix (E…)',
    'Amount, transaction hash or Pix id (E…)',
    'Importe, hash de la transacción o identificador de Pix (E…)',
  ],
  notSearchable: [
    'Isto não é um valor, um hash nem um identificador do Pix.',
    'This is no amount, hash or Pix id.',
    'Esto no es un importe, un hash ni un identificador de Pix.',
  ],
  from: commonWords.fromDay,
  seePayment: ['Ver pagamento', 'See payment', 'Ver pago'],
  created: ['Pedida em', 'Requested', 'Pedida'],
  completed: ['Concluída em', 'Completed', 'Completada'],
  address: ['Endereço ou conta', 'Address or account', 'Dirección o cuenta'],
  beneficiary: ['Titular', 'Holder', 'Titular'],
  toPayer: ['A conta ou o cartão que pagou', 'The account or card that paid', 'La cuenta o tarjeta que pagó'],
  requestedBy: ['Pedida por', 'Requested by', 'Pedida por'],
  none: ['Nenhuma devolução ainda', 'No refunds yet', 'Aún no hay devoluciones'],
  noneLead: [
    'Abra um pagamento e use Devolver para devolver tudo ou uma parte.',
    'Open a payment and use Refund to give all of it or a part back.',
    'Abra un pago y use Devolver para devolver todo o una parte.',
  ],
  noneFound: [
    'Nenhuma devolução com estes filtros',
    'No refunds with these filters',
    'Ninguna devolución con estos filtros',
  ],
  waits: [
    'Esta devolução espera a decisão de outra pessoa. O valor está retido na carteira.',
    'This refund waits for another person’s decision. The amount is held in the wallet.',
    'Esta devolución espera la decisión de otra persona. El importe está retenido en la billetera.',
  ],
  approveTitle: (amount: string) => [
    `Aprovar a devolução de ${amount}?`,
    `Approve the refund of ${amount}?`,
    `¿Aprobar la devolución de ${amount}?`,
  ],
  approveLead: [
    'O dinheiro sai em seguida. Uma devolução enviada não pode ser desfeita.',
    'The money leaves next. A refund that was sent cannot be undone.',
    'El dinero sale a continuación. Una devolución enviada no se puede deshacer.',
  ],
  approveDone: [
    'Devolução aprovada. Ela sai agora.',
    'The refund is approved. It leaves now.',
    'La devolución está aprobada. Sale ahora.',
  ],
  rejectTitle: (amount: string) => [
    `Recusar a devolução de ${amount}?`,
    `Refuse the refund of ${amount}?`,
    `¿Rechazar la devolución de ${amount}?`,
  ],
  rejectLead: [
    'Nada é enviado, e o valor retido volta para a carteira.',
    'Nothing is sent, and what was held goes back to the wallet.',
    'No se envía nada, y lo retenido vuelve a la billetera.',
  ],
  rejectDone: [
    'Devolução recusada. O valor voltou para a carteira.',
    'The refund is refused. The money is in the wallet again.',
    'La devolución fue rechazada. El dinero está de nuevo en la billetera.',
  ],
  failed: [
    'A devolução falhou e o valor está na carteira de novo.',
    'The refund failed, and the amount is in the wallet again.',
    'La devolución falló y el importe está de nuevo en la billetera.',
  ],
  failedLead: [
    'Você pode pedir outra no pagamento.',
    'You can request another one at the payment.',
    'Usted puede pedir otra en el pago.',
  ],
})
