import { commonWords } from '#/kernel/common-words.ts'
import { dictionary } from './dictionary.ts'

export const refundWords = dictionary({
  title: commonWords.refunds,
  refundOf: (amount: string) => [`Reembolso de ${amount}`, `Refund of ${amount}`, `Reembolso de ${amount}`],
  id: ['ID do reembolso', 'refund ID', 'ID del reembolso'],
  search: [
    'Valor, hash da transação ou identificador do Pix (E…)',
    'Amount, transaction hash or Pix ID (E…)',
    'Importe, hash de la transacción o identificador de Pix (E…)',
  ],
  notSearchable: [
    'Isto não é um valor, um hash nem um identificador do Pix.',
    'This is not an amount, a hash or a Pix ID.',
    'Esto no es un importe, un hash ni un identificador de Pix.',
  ],
  from: commonWords.fromDay,
  seePayment: ['Ver pagamento', 'View payment', 'Ver pago'],
  created: ['Solicitado em', 'Requested', 'Solicitado el'],
  completed: ['Concluído em', 'Completed', 'Completado el'],
  address: ['Endereço ou conta', 'Address or account', 'Dirección o cuenta'],
  beneficiary: ['Titular', 'Account holder', 'Titular'],
  toPayer: ['A conta ou o cartão que pagou', 'The account or card that paid', 'La cuenta o tarjeta que pagó'],
  requestedBy: ['Solicitado por', 'Requested by', 'Solicitado por'],
  none: ['Nenhum reembolso ainda', 'No refunds yet', 'Aún no hay reembolsos'],
  noneLead: [
    'Abra um pagamento e use Reembolsar para devolver o valor todo ou uma parte.',
    'Open a payment and choose Refund to return all or part of it.',
    'Abra un pago y use Reembolsar para devolver todo el importe o una parte.',
  ],
  noneFound: [
    'Nenhum reembolso com estes filtros',
    'No refunds match these filters',
    'Ningún reembolso con estos filtros',
  ],
  waits: [
    'Este reembolso aguarda a decisão de outra pessoa. O valor está retido na carteira.',
    'This refund is waiting for another person’s decision. The amount is held in the wallet.',
    'Este reembolso espera la decisión de otra persona. El importe está retenido en la billetera.',
  ],
  approveTitle: (amount: string) => [
    `Aprovar o reembolso de ${amount}?`,
    `Approve the refund of ${amount}?`,
    `¿Aprobar el reembolso de ${amount}?`,
  ],
  approveLead: [
    'O dinheiro sai em seguida. Um reembolso enviado não pode ser desfeito.',
    'The money leaves right after. Once sent, a refund cannot be undone.',
    'El dinero sale a continuación. Un reembolso enviado no se puede deshacer.',
  ],
  approveDone: [
    'Reembolso aprovado. Ele sai agora.',
    'Refund approved. It is being sent now.',
    'Reembolso aprobado. Sale ahora.',
  ],
  rejectTitle: (amount: string) => [
    `Recusar o reembolso de ${amount}?`,
    `Reject the refund of ${amount}?`,
    `¿Rechazar el reembolso de ${amount}?`,
  ],
  rejectLead: [
    'Nada é enviado, e o valor retido volta para a carteira.',
    'Nothing is sent, and the held amount returns to the wallet.',
    'No se envía nada, y el importe retenido vuelve a la billetera.',
  ],
  rejectDone: [
    'Reembolso recusado. O valor voltou para a carteira.',
    'Refund rejected. The money is back in the wallet.',
    'Reembolso rechazado. El dinero está de nuevo en la billetera.',
  ],
  failed: [
    'O reembolso não foi concluído, e o valor voltou para a carteira.',
    'The refund failed, and the amount is back in the wallet.',
    'El reembolso falló y el importe está de nuevo en la billetera.',
  ],
  failedLead: [
    'Você pode solicitar outro na página do pagamento.',
    'You can request another one from the payment.',
    'Puede solicitar otro en la página del pago.',
  ],
})
